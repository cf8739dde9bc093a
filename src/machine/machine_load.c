/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads hw-profiles/NAME.json and the device that it names; see paradl-hw(5). */
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "base/changes.h"
#include "base/error.h"
#include "base/file.h"
#include "machine/blocks.h"
#include "machine/device.h"
#include "machine/format.h"
#include "machine/framework.h"
#include "machine/machine.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AT(member)   offsetof(struct paradl_machine, member)

struct machine_file {
	const struct json *device, *programs;
	const struct json *levels, *network, *transport, *curves, *storage, *host, *power, *price,
		*reliability;
};

static const struct json_field file_fields[] = {
	{"device", JSON_TO_NODE, true, offsetof(struct machine_file, device), 0, 0, DIMENSION_NONE, NULL},
	{"framework", JSON_TO_NODE, true, offsetof(struct machine_file, programs), 0, 0, DIMENSION_NONE,
		NULL},
	{"levels", JSON_TO_ARRAY, true, offsetof(struct machine_file, levels), 0, 0, DIMENSION_NONE, NULL},
	{"network", JSON_TO_OBJECT, false, offsetof(struct machine_file, network), 0, 0, DIMENSION_NONE,
		NULL},
	{"transport", JSON_TO_OBJECT, false, offsetof(struct machine_file, transport), 0, 0, DIMENSION_NONE,
		NULL},
	{"curves", JSON_TO_ARRAY, false, offsetof(struct machine_file, curves), 0, 0, DIMENSION_NONE, NULL},
	{"storage", JSON_TO_OBJECT, false, offsetof(struct machine_file, storage), 0, 0, DIMENSION_NONE,
		NULL},
	{"host", JSON_TO_OBJECT, false, offsetof(struct machine_file, host), 0, 0, DIMENSION_NONE, NULL},
	{"power", JSON_TO_OBJECT, false, offsetof(struct machine_file, power), 0, 0, DIMENSION_NONE, NULL},
	{"price", JSON_TO_OBJECT, false, offsetof(struct machine_file, price), 0, 0, DIMENSION_NONE, NULL},
	{"reliability", JSON_TO_OBJECT, false, offsetof(struct machine_file, reliability), 0, 0,
		DIMENSION_NONE, NULL},
};
static const char *const file_keys[] = {"format", "version", "name", "library", "from", NULL};

static const struct json_field machine_fields[] = {
	{"name", JSON_TO_TEXT, true, AT(name), 0, 0, DIMENSION_NONE, NULL},
	{"library", JSON_TO_TEXT, false, AT(library), 0, 0, DIMENSION_NONE, NULL},
};
static const char *const machine_keys[] = {"format", "version", "device", "framework", "levels", "network",
	"transport", "curves", "storage", "host", "power", "price", "reliability", "from", NULL};

#define LEVEL(member) offsetof(struct level, member)
static const struct json_field level_fields[] = {
	{"name", JSON_TO_TEXT, true, LEVEL(name), 0, 0, DIMENSION_NONE, NULL},
	{"devices", JSON_TO_UNSIGNED, true, LEVEL(devices), 1, 1e9, DIMENSION_NONE, NULL},
	{"latency", JSON_TO_QUANTITY, true, LEVEL(latency_s), 0, 1, DIMENSION_TIME, NULL},
	{"bandwidth", JSON_TO_QUANTITY, true, LEVEL(bandwidth_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S,
		NULL},
	{"ring", JSON_TO_QUANTITY, false, LEVEL(ring_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"ports", JSON_TO_UNSIGNED, false, LEVEL(ports), 1, 1024, DIMENSION_NONE, NULL},
	{"mesh", JSON_TO_BOOL, false, LEVEL(mesh), 0, 0, DIMENSION_NONE, NULL},
	{"oversubscription", JSON_TO_DOUBLE, false, LEVEL(oversubscription), 1, 1000, DIMENSION_NONE, NULL},
};

struct contention {
	unsigned groups;
	double slowdown;
};
#define CONTENTION(member) offsetof(struct contention, member)
static const struct json_field contention_fields[] = {
	{"groups", JSON_TO_UNSIGNED, true, CONTENTION(groups), 2, 1e6, DIMENSION_NONE, NULL},
	{"slowdown", JSON_TO_DOUBLE, true, CONTENTION(slowdown), 0.5, 1e6, DIMENSION_NONE, NULL},
};

/*
 * Reads "contention". Each of `groups` pairs at the same time takes `slowdown` times as long, so that together they
 * carry groups / slowdown times as much as one.
 */
static bool contention_read(const struct json *list, const struct paradl_machine *machine,
	struct level *level, struct paradl_error *error)
{
	if (list->count < 1)
		return json_error(list, error, "must have at least one object");
	if (machine->level_count != 1)
		return json_error(list, error,
			"is of the level above the node, which is the second; \"oversubscription\" says it "
			"of those above");
	level->pairs_together = 1;
	for (const struct json *node = list->child; node; node = node->next) {
		struct contention row;
		if (!json_read(node, contention_fields, COUNT(contention_fields), NULL, &row, error))
			return false;
		if (row.groups / row.slowdown > level->pairs_together)
			level->pairs_together = row.groups / row.slowdown;
	}
	return true;
}

static bool level_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error)
{
	struct level *level = &machine->levels[machine->level_count];
	const struct level *below = machine->level_count ? level - 1 : NULL;
	*level = (struct level){.ports = 1, .oversubscription = 1};
	static const char *const keys[] = {"contention", NULL};
	const struct json_field list = {"contention", JSON_TO_ARRAY, false, 0, 0, 0, DIMENSION_NONE, NULL};
	const struct json *contention = json_member(node, "contention"), *mesh = json_member(node, "mesh");
	if (!json_read(node, level_fields, COUNT(level_fields), keys, level, error))
		return false;
	if (level->mesh && below)
		return json_error(mesh, error, "is of the first level alone, that of the devices of a node");
	if (level->mesh && (level->devices < 2 || level->ports % (level->devices - 1)))
		return json_error(mesh, error,
			"needs as many ports to each of the other devices: \"ports\" must be a multiple of "
			"%u",
			level->devices - 1);
	if (contention && (!json_read_value(contention, &list, &contention, error) ||
				  !contention_read(contention, machine, level, error)))
		return false;
	if (below && (level->devices <= below->devices || level->devices % below->devices != 0))
		return json_error(json_member(node, "devices"), error,
			"must be a multiple of the %u devices of the level before (\"%s\"), is %u",
			below->devices, below->name, level->devices);
	if (!(level->ring_bytes_per_s > 0))
		level->ring_bytes_per_s = level->bandwidth_bytes_per_s;
	++machine->level_count;
	return true;
}

static bool levels_read(const struct json *levels, struct paradl_machine *machine, struct paradl_error *error)
{
	if (levels->count < 1 || levels->count > LEVELS_MAX)
		return json_error(levels, error, "must have 1 to %d levels, innermost first, has %u",
			LEVELS_MAX, levels->count);
	for (const struct json *node = levels->child; node; node = node->next)
		if (!level_read(node, machine, error))
			return false;
	machine->devices_per_node = machine->devices_per_host = machine->levels[0].devices;
	machine->devices = machine->levels[machine->level_count - 1].devices;
	return true;
}

/* Reads the name of a device's file, or an object with all that such a file would have. */
static bool device_part_read(struct paradl_arena *arena, const struct json *node, struct device *device,
	struct paradl_error *error)
{
	static const struct json_field field = {"device", JSON_TO_TEXT, true, 0, 0, 0, DIMENSION_NONE, NULL};
	struct device_tie tie = {.device = NULL};
	if (node->kind != JSON_OBJECT)
		return json_read_value(node, &field, &device->name, error) &&
		       plain_name_expect(node, device->name, "devices", error);
	if (!device_tie_read(node, &tie, error))
		return false;
	const char *const other = tie.device ? device_tie_path(arena, node, tie.device, NULL) : NULL;
	const bool is_elsewhere = other && !file_is_there(arena, other); /* load_device looks there */
	return is_elsewhere || device_build(arena, node, NULL, NULL, device, error);
}

void programs_set(struct paradl_machine *machine, const char *name)
{
	machine->programs = (struct machine_programs){name, name, name};
	machine->framework = name;
}

/* Reads one name for all that a machine runs, or an object with a name for each kind of program. */
static bool programs_read(struct paradl_arena *arena, const struct json *node, struct paradl_machine *machine,
	struct paradl_error *error)
{
	static const struct json_field one = {"framework", JSON_TO_TEXT, true, 0, 0, 0, DIMENSION_NONE, NULL};
#define PROGRAM(member) offsetof(struct machine_programs, member), 0, 0, DIMENSION_NONE, NULL
	static const struct json_field each[] = {
		{"tokens", JSON_TO_TEXT, true, PROGRAM(tokens)},
		{"serving", JSON_TO_TEXT, true, PROGRAM(serving)},
		{"other", JSON_TO_TEXT, true, PROGRAM(other)},
	};
#undef PROGRAM
	struct machine_programs *const programs = &machine->programs;
	const char *name;
	if (node->kind != JSON_OBJECT) {
		if (!json_read_value(node, &one, &name, error))
			return false;
		programs_set(machine, name);
		return plain_name_expect(node, name, "frameworks", error);
	}
	if (!json_read(node, each, COUNT(each), NULL, programs, error))
		return false;
	machine->framework = arena_printf(arena, "%s (tokens), %s (serving), %s (other)", programs->tokens,
		programs->serving, programs->other);
	if (!machine->framework)
		return out_of_memory(error);
	return plain_name_expect(json_member(node, "tokens"), programs->tokens, "frameworks", error) &&
	       plain_name_expect(json_member(node, "serving"), programs->serving, "frameworks", error) &&
	       plain_name_expect(json_member(node, "other"), programs->other, "frameworks", error);
}

static bool transport_read(const struct json *node, struct transport *transport, struct paradl_error *error)
{
	static const struct json_field fields[] = {
		{"latency", JSON_TO_QUANTITY, false, offsetof(struct transport, latency_s), 0, 1,
			DIMENSION_TIME, NULL},
		{"unordered", JSON_TO_BOOL, false, offsetof(struct transport, unordered), 0, 0,
			DIMENSION_NONE, NULL},
	};
	return json_read(node, fields, COUNT(fields), NULL, transport, error);
}

/* Reads the top of a profile; what it cannot do without is in other files, which an error says where to find. */
static bool top_read(const struct json *root, struct machine_file *file, struct paradl_error *error)
{
	if (json_read(root, file_fields, COUNT(file_fields), file_keys, file, error))
		return true;
	if (root->kind == JSON_OBJECT && error && !*error->hint && (!file->device || !file->programs))
		error_hint(error,
			"\"device\" is a name of 'paradl list devices', \"framework\" one of 'paradl list "
			"frameworks'; \"levels\" are its links");
	return false;
}

bool machine_read(struct paradl_arena *arena, const struct json *root, struct paradl_machine *machine,
	struct paradl_error *error)
{
	struct machine_file file = {0};
	*machine = (struct paradl_machine){.pue = 1};
	if (!format_expect(root, "paradl-hw", 1, error) || !top_read(root, &file, error) ||
		!json_read(root, machine_fields, COUNT(machine_fields), machine_keys, machine, error))
		return false;
	machine->path = json_path(root);
	machine->from = json_member(root, "from");
	return device_part_read(arena, file.device, &machine->device, error) &&
	       programs_read(arena, file.programs, machine, error) &&
	       levels_read(file.levels, machine, error) &&
	       (!file.network || network_block_read(arena, file.network, machine, error)) &&
	       (!file.transport || transport_read(file.transport, &machine->transport, error)) &&
	       (!file.curves || curves_read(arena, file.curves, machine, error)) &&
	       (!file.storage || storage_read(arena, file.storage, machine, error)) &&
	       (!file.host || host_read(file.host, machine, error)) &&
	       (!file.power || power_read(file.power, machine, error)) &&
	       (!file.price || price_read(file.price, machine, error)) &&
	       (!file.reliability || reliability_read(file.reliability, machine, error));
}

const char *beside(struct paradl_arena *arena, const char *path, const char *folder, const char *name)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	const int length = slash ? (int)(slash - path) : 1;
	const int plain = (int)(strcmp(folder, "frameworks") == 0 ? strcspn(name, "+") : strlen(name));
	return arena_printf(
		arena, "%.*s/%s/%.*s.json%s", length, slash ? path : ".", folder, plain, name, name + plain);
}

static bool is_there(struct paradl_arena *arena, const char *path)
{
	const char *wanted;
	const char *const file = framework_file(arena, path, &wanted);
	return file && file_is_there(arena, file);
}

const char *beside_or_shipped(struct paradl_arena *arena, const char *path, const char *folder,
	const char *name, const char *const *directories)
{
	const char *near = beside(arena, path, folder, name);
	if (!near || is_there(arena, near))
		return near;
	for (const char *const *directory = directories; directory && *directory; ++directory) {
		const char *hw = arena_printf(arena, "%s/hw-profiles/x", *directory);
		const char *shipped = hw ? beside(arena, hw, folder, name) : NULL;
		if (!shipped || is_there(arena, shipped))
			return shipped;
	}
	return near;
}

static bool load_device(struct paradl_arena *arena, const struct json *root, struct paradl_machine *machine,
	struct paradl_error *error)
{
	const struct json *node = json_member(root, "device");
	const char *device = machine->device.name ? machine->device.name : "";
	if (node->kind == JSON_OBJECT)
		return device_build(
			arena, node, machine->directories, machine->changes, &machine->device, error);
	const char *path = beside_or_shipped(arena, machine->path, "devices", device, machine->directories);
	if (!path)
		return out_of_memory(error);
	if (!file_is_there(arena, path))
		return device_missing(arena, node, device, machine->directories, error);
	return device_load_changed(
		arena, path, machine->directories, machine->changes, &machine->device, error);
}

/* Warns of numbers that `fit --force` has written though its verdict was that the machine was not idle. */
static bool forced_note(struct paradl_arena *arena, const struct json *from, struct paradl_findings *findings)
{
	const size_t length = strlen(ORIGIN_FORCED);
	const struct json *origin = from && from->kind == JSON_OBJECT ? from->child : NULL;
	while (origin && (origin->kind != JSON_STRING || strncmp(origin->string, ORIGIN_FORCED, length) != 0))
		origin = origin->next;
	const char *const why = origin ? origin->string + length : NULL;
	return !why || finding_add(arena, findings,
			       arena_printf(arena,
				       "its numbers are no measurement of an idle machine: they were written "
				       "by force although fit refused them (%.*s)",
				       (int)strcspn(why, ":"), why));
}

/* Tells of another device that a change has put into the machine, and what is still as it was. */
static bool exchanged_note(struct paradl_arena *arena, const struct json *before, const struct json *now,
	struct paradl_machine *machine, struct paradl_findings *findings)
{
	const char *const name = machine->name, *const device = machine->device.name;
	if (before->kind != JSON_STRING || now->kind != JSON_STRING || !strcmp(before->string, now->string))
		return true;
	machine->name = arena_printf(arena, "%s with %s", name, device);
	const char *const text = arena_printf(arena,
		"only the device is %s now: links, hosts, power and price of nodes are still those of %s; "
		"--set hw.levels, hw.power and hw.price change them",
		device, name);
	return machine->name && finding_add(arena, findings, text);
}

/* Notes what users should know about the machine besides what its file says. */
static bool machine_note(struct paradl_arena *arena, const struct json *file, const struct json *root,
	struct paradl_machine *machine, struct paradl_error *error)
{
	struct paradl_findings *const findings = arena_alloc(arena, 1, sizeof *findings);
	if (!findings || !forced_note(arena, json_member(root, "from"), findings) ||
		(findings->count == 0 && !forced_note(arena, machine->device.from, findings)) ||
		!exchanged_note(
			arena, json_member(file, "device"), json_member(root, "device"), machine, findings))
		return out_of_memory(error);
	machine->imported = findings->count > 0 ? findings : NULL;
	return true;
}

struct paradl_machine *machine_build(struct paradl_arena *arena, const struct json *file,
	const char *const *directories, const struct paradl_changes *changes, struct paradl_error *error)
{
	struct paradl_machine *machine = arena_alloc(arena, 1, sizeof *machine);
	if (!machine)
		return out_of_memory_null(error);
	const struct json *root = changes_apply_all(arena, changes, CHANGE_MACHINE, file, error);
	if (!root)
		return NULL;
	const bool is_changed = root != file;
	if (is_changed && !(root = carried_apply(arena, file, root, error)))
		return NULL;
	if (!machine_read(arena, root, machine, error) && !size_hint(changes, error))
		return NULL;
	if (is_changed && !carried_curves(arena, file, root, machine, error))
		return NULL;
	machine->directories = directories;
	machine->changes = changes;
	if (!load_device(arena, root, machine, error) ||
		!origins_assumed(arena, json_member(root, "from"), &machine->assumed, &machine->assumed_count,
			error) ||
		!origins_assumed(arena, machine->device.from, &machine->device_assumed,
			&machine->device_assumed_count, error))
		return NULL;
	return machine_note(arena, file, root, machine, error) ? machine : NULL;
}

/* Warns of rings that are faster than the port they run through. */
static bool rings_check(struct paradl_arena *arena, const struct paradl_machine *machine,
	struct paradl_findings *findings, struct paradl_error *error)
{
	bool fine = true;
	for (unsigned i = 0; fine && i < machine->level_count; ++i)
		fine = machine->levels[i].ring_bytes_per_s <= machine->levels[i].bandwidth_bytes_per_s ||
		       finding_add(arena, findings,
			       arena_printf(arena,
				       "/levels/%u/ring: is more than the bandwidth of the port it runs "
				       "through",
				       i));
	return fine || out_of_memory(error);
}

bool machine_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error)
{
	struct paradl_machine machine;
	const struct json *device = json_member(root, "device");
	struct paradl_findings of_device = {0};
	if (!machine_read(arena, root, &machine, error) || !origins_check(arena, root, findings, error))
		return false;
	if (device->kind == JSON_OBJECT && !device_check(arena, device, &of_device, error))
		return false;
	bool fine = true;
	for (size_t i = 0; fine && i < of_device.count; ++i)
		fine = finding_add(arena, findings, arena_printf(arena, "/device%s", of_device.warnings[i]));
	if (!fine)
		return out_of_memory(error);
	return rings_check(arena, &machine, findings, error);
}
