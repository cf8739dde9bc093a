/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads hw-profiles/devices/NAME.json; see paradl-hw(5). */
#include <stddef.h>
#include <string.h>

#include "base/changes.h"
#include "base/error.h"
#include "machine/format.h"
#include "machine/machine.h"
#include "machine/place.h"

static const char *const device_keys[] = {"format", "version", "memory_rates", "peak", "contraction", "power",
	"product", "attention", "link", "from", NULL};

#define AT(member) offsetof(struct device, member)

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

/* peak: rates by number format; mixed precisions compute in the format they are named after. */
struct peak_file {
	double fp32, tf32, fp16, bf16, fp8, mxfp8, fp4;
};
#define PEAK(member)                                                                                         \
	{                                                                                                    \
#member, JSON_TO_QUANTITY, false, offsetof(struct peak_file, member), 1, 1e24,               \
			DIMENSION_FLOP_PER_S, NULL                                                           \
	}
static const struct json_field peak_fields[] = {
	PEAK(fp32), PEAK(tf32), PEAK(fp16), PEAK(bf16), PEAK(fp8), PEAK(mxfp8), PEAK(fp4)};

static const char *const contraction_keys[] = {"sustained", "half", NULL};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool peak_read(const struct json *node, struct device *device, struct paradl_error *error)
{
	struct peak_file peak = {0};
	if (!json_read(node, peak_fields, COUNT(peak_fields), NULL, &peak, error))
		return false;
	if (!(peak.fp32 > 0))
		return json_error(node, error, "needs an \"fp32\" rate, such as \"15.7 Tflop/s\"");
	double *rate = device->peak_flop_per_s;
	rate[PARADL_FP32] = peak.fp32;
	rate[PARADL_TF32] = peak.tf32;
	rate[PARADL_FP16] = rate[PARADL_FP16_MIXED] = peak.fp16;
	rate[PARADL_BF16] = rate[PARADL_BF16_MIXED] = peak.bf16;
	rate[PARADL_FP8_MIXED] = peak.fp8;
	rate[PARADL_MXFP8_MIXED] = peak.mxfp8 > 0 ? peak.mxfp8 : peak.fp8;
	rate[PARADL_FP4_MIXED] = peak.fp4;
	return true;
}

/* A device never draws less than idle, nor more than busy; and it draws no less for work than for waiting. */
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
	if (!peak_read(peak, device, error) ||
		!json_read(contraction, contraction_fields, COUNT(contraction_fields), contraction_keys,
			device, error) ||
		!half_lengths_read(contraction, &device->half, error) ||
		!memory_levels_read(json_member(root, "memory_rates"), device, error))
		return false;
	if (power && !power_block_read(power, device, error))
		return false;
	return device_blocks_read(root, device, error);
}

bool device_load(
	struct paradl_arena *arena, const char *path, struct device *device, struct paradl_error *error)
{
	return device_load_changed(arena, path, NULL, device, error);
}

bool device_load_changed(struct paradl_arena *arena, const char *path, const struct paradl_changes *changes,
	struct device *device, struct paradl_error *error)
{
	struct change_tally tally = {0};
	const struct json *file = json_load(arena, path, error);
	const struct json *root =
		file ? changes_apply(arena, changes, CHANGE_DEVICE, file, true, &tally, error) : NULL;
	if (!root || !changes_met(changes, CHANGE_DEVICE, file, &tally, error) ||
		!device_read(root, device, error))
		return false;
	device_derive(device);
	device->path = json_path(root);
	device->from = json_member(root, "from");
	return true;
}

bool device_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error)
{
	struct device device;
	return device_read(root, &device, error) && origins_check(arena, root, findings, error);
}

bool device_place(const char *name, struct place *place)
{
	const char *key = place_inside(name, "contraction");
	if (key && !strchr(key, '.'))
		return place_find(contraction_fields, COUNT(contraction_fields), 0, key, place);
	return place_find(device_fields, COUNT(device_fields), 0, name, place) ||
	       device_block_place(name, place);
}
