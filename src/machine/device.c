/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads hw-profiles/devices/NAME.json; see paradl-hw(5). Where "product", "attention", "link" and contraction's
 * "sustained" and "half" are missing, numbers of `contraction` stand in.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/changes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/source.h"
#include "machine/blocks.h"
#include "machine/format.h"
#include "machine/machine.h"

#define COUNT(array)         (sizeof(array) / sizeof *(array))
#define AT(member)           offsetof(struct device, member)
#define MEMORY_LEVEL(member) offsetof(struct memory_level, member)
#define CACHE(member)        offsetof(struct device_cache, member)

static const struct json_field memory_level_fields[] = {
	{"up_to", JSON_TO_QUANTITY, true, MEMORY_LEVEL(up_to_bytes), 1, 1e18, DIMENSION_BYTES, NULL},
	{"rate", JSON_TO_QUANTITY, true, MEMORY_LEVEL(bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
};

static const struct json_field cache_fields[] = {
	{"size", JSON_TO_QUANTITY, true, CACHE(bytes), 1, 1e15, DIMENSION_BYTES, NULL},
	{"rate", JSON_TO_QUANTITY, true, CACHE(bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
};

/*
 * Checks that a level is larger than the one before and not faster, and not slower than memory. Otherwise more bytes
 * could take less time.
 */
static bool level_fits(const struct json *node, const struct device *device, struct paradl_error *error)
{
	const struct memory_level *level = &device->memory_levels[node->index];
	if (node->index && !(level->up_to_bytes > level[-1].up_to_bytes))
		return json_error(json_member(node, "up_to"), error, "must be more than the one before");
	if (node->index && level->bytes_per_s > level[-1].bytes_per_s)
		return json_error(
			json_member(node, "rate"), error, "is more than the rate of less memory before it");
	if (level->bytes_per_s < device->memory_bytes_per_s)
		return json_error(json_member(node, "rate"), error,
			"is less than \"memory_rate\", which holds beyond all caches");
	return true;
}

/* Reads "memory_rates" of a device file, after its memory_rate. */
static bool memory_levels_read(const struct json *list, struct device *device, struct paradl_error *error)
{
	if (!list)
		return true;
	if (list->kind != JSON_ARRAY || list->count < 1 || list->count > MEMORY_LEVELS_MAX)
		return json_error(list, error, "must be an array of 1 to %d rates", MEMORY_LEVELS_MAX);
	for (const struct json *node = list->child; node; node = node->next) {
		if (!json_read(node, memory_level_fields, COUNT(memory_level_fields), NULL,
			    &device->memory_levels[node->index], error) ||
			!level_fits(node, device, error))
			return false;
		device->memory_level_count = node->index + 1;
	}
	return true;
}

static const char *const device_keys[] = {"format", "version", "memory_rates", "peak", "contraction", "power",
	"product", "attention", "cache", "convolution", "link", "tied_to", "from", NULL};

static const struct json_field device_fields[] = {
	{"name", JSON_TO_TEXT, true, AT(name), 0, 0, DIMENSION_NONE, NULL},
	{"memory", JSON_TO_QUANTITY, true, AT(memory_bytes), 1, 1e18, DIMENSION_BYTES, NULL},
	{"memory_rate", JSON_TO_QUANTITY, true, AT(memory_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
};

static const struct json_field contraction_fields[] = {
	{"efficiency", JSON_TO_DOUBLE, true, AT(efficiency), 1e-6, 1, DIMENSION_NONE, NULL},
	{"tile", JSON_TO_DOUBLE, false, AT(tile), 1, 65536, DIMENSION_NONE, NULL},
	{"depth_tile", JSON_TO_DOUBLE, false, AT(depth_tile), 1, 65536, DIMENSION_NONE, NULL},
	{"winograd", JSON_TO_DOUBLE, false, AT(winograd), 1, 4, DIMENSION_NONE, NULL},
	{"launch", JSON_TO_QUANTITY, false, AT(launch_s), 0, 1, DIMENSION_TIME, NULL},
	{"patches", JSON_TO_DOUBLE, false, AT(patches), 0, 1000, DIMENSION_NONE, NULL},
};

static const struct json_field power_fields[] = {
	{"busy", JSON_TO_QUANTITY, true, AT(busy_watt), 0, 1e6, DIMENSION_POWER, NULL},
	{"idle", JSON_TO_QUANTITY, true, AT(idle_watt), 0, 1e6, DIMENSION_POWER, NULL},
	{"memory", JSON_TO_QUANTITY, false, AT(memory_watt), 0, 1e6, DIMENSION_POWER, NULL},
	{"waiting", JSON_TO_QUANTITY, false, AT(waiting_watt), 0, 1e6, DIMENSION_POWER, NULL},
};

static const char *const contraction_keys[] = {"sustained", "half", NULL};

/*
 * Derives the power of a device that memory or other devices hold up, where the profile does not say. Both
 * assumptions are made here:
 *     memory    idle + 0.8 (busy - idle): an H200 of 700 W draws 572 W streaming (gpu-benches), 0.795 with 75 W idle
 *     waiting   0.4 busy, at least idle: clocks are up and kernels poll. Assumed: recalled of training on A100, whose
 *               power falls to 20 to 75 % of the limit when devices wait for one another (Patel et al., ASPLOS 2024)
 */
static void device_power_derive(struct device *device)
{
	const double memory_share = 0.8, waiting_share = 0.4;
	const double range_watt = device->busy_watt - device->idle_watt;
	if (!device->waiting_is_given)
		device->waiting_watt = fmax(device->idle_watt, waiting_share * device->busy_watt);
	if (!device->memory_is_given)
		device->memory_watt =
			fmax(device->waiting_watt, device->idle_watt + memory_share * range_watt);
	if (!device->waiting_is_given)
		device->waiting_watt = fmin(device->waiting_watt, device->memory_watt);
}

/* Reads "power". A device never draws less than idle, nor more than busy, and no less for work than for waiting. */
static bool power_block_read(const struct json *node, struct device *device, struct paradl_error *error)
{
	if (!json_read(node, power_fields, COUNT(power_fields), NULL, device, error))
		return false;
	const struct json *memory = json_member(node, "memory"), *waiting = json_member(node, "waiting");
	device->memory_is_given = memory != NULL;
	device->waiting_is_given = waiting != NULL;
	device_power_derive(device);
	if (device->idle_watt > device->busy_watt)
		return json_error(json_member(node, "idle"), error, "must be at most \"busy\"");
	if (waiting &&
		!(device->waiting_watt >= device->idle_watt && device->waiting_watt <= device->memory_watt))
		return json_error(
			waiting, error, "must be from \"idle\" to \"memory\" (%.4g W)", device->memory_watt);
	if (memory &&
		!(device->memory_watt >= device->waiting_watt && device->memory_watt <= device->busy_watt))
		return json_error(
			memory, error, "must be from \"waiting\" (%.4g W) to \"busy\"", device->waiting_watt);
	return true;
}

static bool device_read(const struct json *root, struct device *device, struct paradl_error *error)
{
	*device = (struct device){.tile = 1, .depth_tile = 1, .winograd = 1};
	if (!format_expect(root, "paradl-device", 1, error))
		return false;
	if (!json_read(root, device_fields, COUNT(device_fields), device_keys, device, error))
		return false;
	const struct json *peak = json_member(root, "peak"), *contraction = json_member(root, "contraction");
	const struct json *power = json_member(root, "power");
	if (!peak || peak->kind != JSON_OBJECT)
		return json_error(peak ? peak : root, error,
			"needs a \"peak\" object, such as {\"fp32\": \"15.7 Tflop/s\"}");
	if (!contraction || contraction->kind != JSON_OBJECT)
		return json_error(contraction ? contraction : root, error,
			"needs a \"contraction\" object, such as {\"efficiency\": 0.7}");
	if (!device_peak_read(peak, device, error) ||
		!json_read(contraction, contraction_fields, COUNT(contraction_fields), contraction_keys,
			device, error) ||
		!memory_levels_read(json_member(root, "memory_rates"), device, error))
		return false;
	if (power && !power_block_read(power, device, error))
		return false;
	return device_block_read(json_member(root, "cache"), cache_fields, COUNT(cache_fields), NULL,
		       &device->cache, error) &&
	       device_blocks_read(root, device, error);
}

bool device_build(struct paradl_arena *arena, const struct json *file, const char *const *directories,
	const struct paradl_changes *changes, struct device *device, struct paradl_error *error)
{
	struct device_tie tie;
	const struct json *whole = device_tied(arena, file, directories, error);
	const struct json *root =
		whole ? changes_apply_all(arena, changes, CHANGE_DEVICE, whole, error) : NULL;
	if (!root || !device_tie_read(file, &tie, error) || !device_read(root, device, error))
		return false;
	device_derive(device);
	device->from = json_member(root, "from");
	device->tied_to = tie;
	return true;
}

bool device_load_changed(struct paradl_arena *arena, const char *path, const char *const *directories,
	const struct paradl_changes *changes, struct device *device, struct paradl_error *error)
{
	const struct json *file = json_load(arena, path, error);
	if (!file || !device_build(arena, file, directories, changes, device, error))
		return false;
	device->path = json_path(file);
	return true;
}

bool device_load(struct paradl_arena *arena, const char *path, const char *const *directories,
	struct device *device, struct paradl_error *error)
{
	return device_load_changed(arena, path, directories, NULL, device, error);
}

bool paradl_device_load(struct paradl_arena *arena, const struct paradl_source *source,
	struct paradl_device_info *info, struct paradl_error *error)
{
	struct device device;
	const char *const *assumed;
	const char *const path = source_path(arena, source, "hw-profiles/devices", error);
	*info = (struct paradl_device_info){.path = path};
	if (!path ||
		!device_load_changed(arena, path, source->directories, source->changes, &device, error) ||
		!origins_assumed(arena, device.from, &assumed, &info->assumed_count, error))
		return false;
	info->name = device.name;
	info->memory_bytes = device.memory_bytes;
	info->memory_bytes_per_s = device.memory_bytes_per_s;
	memcpy(info->peak_flop_per_s, device.peak_flop_per_s, sizeof info->peak_flop_per_s);
	info->tied_to = device.tied_to.device;
	return true;
}

/*
 * Checks origins of the file's own numbers; the reason of a tie is the origin of all others. Without the other file,
 * as where a copy was put elsewhere, nothing more can be said.
 */
bool device_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error)
{
	static const char *const tied[] = {"tied_to", NULL};
	struct device device;
	struct device_tie tie;
	const struct json *own = json_without(arena, root, tied);
	if (!own)
		return out_of_memory(error);
	if (!device_tie_read(root, &tie, error))
		return false;
	const char *const path = tie.device ? device_tie_path(arena, root, tie.device, NULL) : NULL;
	if (path && !file_is_there(arena, path))
		return origins_check_within(arena, own, own, findings, error) &&
		       (finding_add(arena, findings,
				arena_printf(arena,
					"/tied_to/device: there is no %s here; what it stands for was not "
					"checked",
					tie.device)) ||
			       out_of_memory(error));
	const struct json *whole = device_tied(arena, root, NULL, error);
	return whole && device_read(whole, &device, error) &&
	       origins_check_within(arena, own, whole, findings, error);
}

bool device_place(const char *name, struct place *place)
{
	const char *key = place_inside(name, "contraction");
	if (key && !strchr(key, '.'))
		return place_find(contraction_fields, COUNT(contraction_fields), 0, key, place);
	key = place_inside(name, "cache");
	if (key)
		return place_find(cache_fields, COUNT(cache_fields), AT(cache), key, place);
	return place_find(device_fields, COUNT(device_fields), 0, name, place) ||
	       device_block_place(name, place);
}
