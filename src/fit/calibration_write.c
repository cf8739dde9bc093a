/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts a calibration into a profile and its device. Both texts are made and checked before either file is touched.
 * The device is replaced first, then the machine. A reader that comes in between, or after this program was killed
 * there, so finds two whole files that fit together: a new device under the old machine is a valid machine.
 */
#include "fit/profile_edit.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "machine/machine.h"

struct writing {
	struct paradl_arena *arena;
	const struct paradl_calibration *calibration;
	const struct paradl_machine *machine; /* profile to change or copy; NULL: a new one is made */
	const char *path, *stem;              /* path of the profile; its name without folder and ".json" */
	struct edit profile, device;
	bool changes_device;
};

static bool has_numbers(const struct paradl_calibration *calibration, enum paradl_fitted_file file)
{
	for (size_t i = 0; i < calibration->number_count; ++i)
		if (calibration->numbers[i].file == file)
			return true;
	return false;
}

static const char *stem_of(struct paradl_arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const size_t length = strlen(name);
	const bool ends = length > 5 && strcmp(name + length - 5, ".json") == 0;
	return arena_copy(arena, name, ends ? length - 5 : length);
}

static bool device_edit(struct writing *writing, struct paradl_error *error)
{
	const struct paradl_machine *machine = writing->machine;
	const char *name = writing->stem;
	if (machine) { /* the profile says "device": NAME; errors name the profile that exists */
		const struct json *root = json_load(writing->arena, machine->path, error);
		const struct json *node = root ? json_member(root, "device") : NULL;
		if (!root)
			return false;
		name = node && node->kind == JSON_STRING ? node->string : name;
		if (node && node->kind == JSON_OBJECT) {
			json_error(node, error, "is within the profile: numbers of a device go to its file");
			error_hint(error, "put the object into devices/NAME.json beside the profile, and "
					  "its name here");
			return false;
		}
	}
	const char *path = beside(writing->arena, writing->path, "devices", name);
	if (!path)
		return out_of_memory(error);
	if (machine ? !edit_load(&writing->device, writing->arena, machine->device.path, path, error)
		    : (writing->device = (struct edit){.arena = writing->arena, .path = path},
			      !calibration_new_device(&writing->device, writing->calibration, name, error)))
		return false;
	return calibration_put_numbers(&writing->device, writing->calibration, PARADL_FITTED_DEVICE, error);
}

static bool profile_begin(struct writing *writing, struct paradl_error *error)
{
	struct edit *edit = &writing->profile;
	if (writing->machine)
		return edit_load(edit, writing->arena, writing->machine->path, writing->path, error);
	*edit = (struct edit){.arena = writing->arena, .path = writing->path};
	return calibration_new_machine(edit, writing->calibration, writing->stem, error);
}

/* Takes the line out of an error about a text that is in no file yet. Returns false. */
static bool nowhere_yet(struct paradl_error *error)
{
	if (error)
		error->line = error->column = 0;
	return false;
}

/* Checks that the texts about to be written are valid profiles. */
static bool texts_check(struct writing *writing, struct paradl_error *error)
{
	struct paradl_findings findings = {0};
	const struct edit *profile = &writing->profile, *device = &writing->device;
	const struct json *root =
		json_parse(writing->arena, profile->text, profile->length, profile->path, error);
	if (!root || !machine_check(writing->arena, root, &findings, error))
		return nowhere_yet(error);
	if (!writing->changes_device)
		return true;
	root = json_parse(writing->arena, device->text, device->length, device->path, error);
	return (root && device_check(writing->arena, root, &findings, error)) || nowhere_yet(error);
}

static bool folder_make(struct writing *writing, struct paradl_error *error)
{
	const char *path = writing->device.path, *slash = strrchr(path, '/');
	const char *folder = arena_copy(writing->arena, path, (size_t)(slash - path));
	char reason[128];
	if (!folder)
		return out_of_memory(error);
	if (mkdir(folder, 0777) == 0 || errno == EEXIST)
		return true;
	if (strerror_r(errno, reason, sizeof reason) != 0)
		reason[0] = '\0';
	return error_at(error, PARADL_IO, folder, 0, 0, "cannot be made: %s", reason);
}

bool paradl_calibration_write(struct paradl_arena *arena, const struct paradl_calibration *calibration,
	const struct paradl_machine *machine, const char *path, struct paradl_error *error)
{
	struct writing writing = {.arena = arena,
		.calibration = calibration,
		.machine = machine,
		.path = path,
		.stem = stem_of(arena, path),
		.changes_device = !machine || has_numbers(calibration, PARADL_FITTED_DEVICE)};
	if (!writing.stem)
		return out_of_memory(error);
	if (!profile_begin(&writing, error) ||
		!calibration_put_numbers(&writing.profile, calibration, PARADL_FITTED_MACHINE, error) ||
		!calibration_put_curves(&writing.profile, calibration, error))
		return false;
	if (writing.changes_device && !device_edit(&writing, error))
		return false;
	if (!texts_check(&writing, error))
		return false;
	if (writing.changes_device && (!folder_make(&writing, error) || !edit_save(&writing.device, error)))
		return false;
	return edit_save(&writing.profile, error);
}
