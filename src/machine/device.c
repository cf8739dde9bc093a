/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads hw-profiles/devices/NAME.json; see paradl-hw(5). Where "product", "attention", "link" and contraction's "sustained" and
 * "half" are missing, what `contraction` says stands in.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/changes.h"
#include "machine/format.h"
#include "machine/machine.h"
#include "machine/place.h"

#define COUNT(array)         (sizeof(array) / sizeof *(array))
#define AT(member)           offsetof(struct device, member)
#define MEMORY_LEVEL(member) offsetof(struct memory_level, member)
#define PRODUCT(member)      offsetof(struct device_product, member)
#define HALF(member)         offsetof(struct half_lengths, member)
#define LINK(member)         offsetof(struct device_link, member)

static const struct json_field memory_level_fields[] = {
	{"up_to", JSON_TO_QUANTITY, true, MEMORY_LEVEL(up_to_bytes), 1, 1e18, DIMENSION_BYTES, NULL},
	{"rate", JSON_TO_QUANTITY, true, MEMORY_LEVEL(bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
};

/* Larger and slower than the one before; the last not slower than memory. Otherwise more bytes could take less time. */
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

/* "memory_rates" of a device file; its memory_rate is read. */
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

static const struct json_field product_fields[] = {
	{"units", JSON_TO_DOUBLE, false, PRODUCT(units), 1, 1e6, DIMENSION_NONE, NULL},
	{"half_tile", JSON_TO_DOUBLE, false, PRODUCT(half_tile), 0.01, 1, DIMENSION_NONE, NULL},
	{"wave", JSON_TO_QUANTITY, false, PRODUCT(wave_s), 0, 1, DIMENSION_TIME, NULL},
	{"memory_share", JSON_TO_DOUBLE, false, PRODUCT(memory_share), 0.01, 1, DIMENSION_NONE, NULL},
	{"launch", JSON_TO_QUANTITY, false, PRODUCT(launch_s), 0, 1, DIMENSION_TIME, NULL},
	{"wave_share", JSON_TO_DOUBLE, false, PRODUCT(wave_share), 0, 1, DIMENSION_NONE, NULL},
	{"cast_bytes", JSON_TO_QUANTITY, false, PRODUCT(cast_bytes), 0, 1000, DIMENSION_BYTES, NULL},
	{"misaligned", JSON_TO_DOUBLE, false, PRODUCT(misaligned), 1, 100, DIMENSION_NONE, NULL},
};
static const char *const product_keys[] = {"sustained", "half", NULL};

/* Numbers by number format, 0: not given. Mixed precisions compute in the format they are named after. */
struct formats {
	double fp32, tf32, fp16, bf16, fp8, mxfp8, fp4;
};
#define FORMAT(format, type, least, most, dimension)                                                         \
	{                                                                                                    \
#format, type, false, offsetof(struct formats, format), least, most, dimension, NULL         \
	}
#define FORMATS(...)                                                                                         \
	FORMAT(fp32, __VA_ARGS__), FORMAT(tf32, __VA_ARGS__), FORMAT(fp16, __VA_ARGS__),                     \
		FORMAT(bf16, __VA_ARGS__), FORMAT(fp8, __VA_ARGS__), FORMAT(mxfp8, __VA_ARGS__),             \
		FORMAT(fp4, __VA_ARGS__)
static const struct json_field peak_fields[] = {FORMATS(JSON_TO_QUANTITY, 1, 1e24, DIMENSION_FLOP_PER_S)},
			       sustained_fields[] = {FORMATS(JSON_TO_DOUBLE, 0.001, 1, DIMENSION_NONE)};

static const struct json_field half_fields[] = {
	{"m", JSON_TO_DOUBLE, false, HALF(m), 0, 1e6, DIMENSION_NONE, NULL},
	{"n", JSON_TO_DOUBLE, false, HALF(n), 0, 1e6, DIMENSION_NONE, NULL},
	{"k", JSON_TO_DOUBLE, false, HALF(k), 0, 1e6, DIMENSION_NONE, NULL},
};

static const struct json_field attention_fields[] = {
	{"forward", JSON_TO_DOUBLE, true, offsetof(struct device_attention, forward), 0.001, 2,
		DIMENSION_NONE, NULL},
	{"backward", JSON_TO_DOUBLE, true, offsetof(struct device_attention, backward), 0.001, 2,
		DIMENSION_NONE, NULL},
	{"portable", JSON_TO_DOUBLE, false, offsetof(struct device_attention, portable), 0.001, 10,
		DIMENSION_NONE, NULL},
};

static const struct json_field link_fields[] = {
	{"rate", JSON_TO_QUANTITY, true, LINK(bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"share", JSON_TO_DOUBLE, false, LINK(share), 0.01, 1, DIMENSION_NONE, NULL},
	{"start", JSON_TO_QUANTITY, false, LINK(start_s), 0, 1, DIMENSION_TIME, NULL},
	{"start_log", JSON_TO_QUANTITY, false, LINK(start_log_s), 0, 1, DIMENSION_TIME, NULL},
	{"ramp", JSON_TO_QUANTITY, false, LINK(ramp_s), 0, 1, DIMENSION_TIME, NULL},
	{"devices", JSON_TO_UNSIGNED, false, LINK(devices), 1, 1e9, DIMENSION_NONE, NULL},
	{"latency", JSON_TO_QUANTITY, false, LINK(latency_s), 0, 1, DIMENSION_TIME, NULL},
	{"host_rate", JSON_TO_QUANTITY, false, LINK(host_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
};

/* A block that may be missing, and is an object else. */
static bool block_read(const struct json *node, const struct json_field *fields, size_t count,
	const char *const *keys, void *into, struct paradl_error *error)
{
	if (node && node->kind != JSON_OBJECT)
		return json_error(node, error, "must be an object");
	return !node || json_read(node, fields, count, keys, into, error);
}

static double first_of(double a, double b, double otherwise)
{
	return a > 0 ? a : b > 0 ? b : otherwise;
}

static void sustained_fill(const struct formats *given, double otherwise, double *sustained)
{
	sustained[PARADL_FP32] = first_of(given->fp32, 0, otherwise);
	sustained[PARADL_TF32] = first_of(given->tf32, given->fp16, otherwise);
	sustained[PARADL_FP16] = sustained[PARADL_FP16_MIXED] = first_of(given->fp16, given->bf16, otherwise);
	sustained[PARADL_BF16] = sustained[PARADL_BF16_MIXED] = first_of(given->bf16, given->fp16, otherwise);
	sustained[PARADL_FP8_MIXED] = first_of(given->fp8, given->mxfp8, sustained[PARADL_BF16]);
	sustained[PARADL_MXFP8_MIXED] = first_of(given->mxfp8, given->fp8, sustained[PARADL_BF16]);
	sustained[PARADL_FP4_MIXED] = first_of(given->fp4, given->mxfp8, sustained[PARADL_FP8_MIXED]);
}

/* "sustained" of a block, which may lack it or be absent itself. */
static bool sustained_read(
	const struct json *block, double otherwise, double *sustained, struct paradl_error *error)
{
	struct formats formats = {0};
	const struct json *node = block ? json_member(block, "sustained") : NULL;
	if (!block_read(node, sustained_fields, COUNT(sustained_fields), NULL, &formats, error))
		return false;
	sustained_fill(&formats, otherwise, sustained);
	return true;
}

/* "half" of a block. */
static bool half_lengths_read(const struct json *block, struct half_lengths *half, struct paradl_error *error)
{
	const struct json *node = block ? json_member(block, "half") : NULL;
	return block_read(node, half_fields, COUNT(half_fields), NULL, half, error);
}

static bool product_read(const struct json *node, struct device *device, struct paradl_error *error)
{
	return block_read(
		       node, product_fields, COUNT(product_fields), product_keys, &device->product, error) &&
	       sustained_read(node, device->efficiency, device->product.sustained, error) &&
	       half_lengths_read(node, &device->product.half, error);
}

/* "product", "attention" and "link" of a device file, all optional, or what stands for them; peak and contraction are read. */
static bool device_blocks_read(const struct json *root, struct device *device, struct paradl_error *error)
{
	const struct json *attention = json_member(root, "attention"), *link = json_member(root, "link");
	device->product = (struct device_product){.half_tile = 0.92,
		.memory_share = 1,
		.launch_s = device->launch_s,
		.wave_share = 1,
		.misaligned = 1};
	device->attention = (struct device_attention){.forward = 0.65, .backward = 0.35};
	device->link = (struct device_link){.share = 0.8};
	return product_read(json_member(root, "product"), device, error) &&
	       sustained_read(json_member(root, "contraction"), device->efficiency, device->contraction_share,
		       error) &&
	       block_read(attention, attention_fields, COUNT(attention_fields), NULL, &device->attention,
		       error) &&
	       block_read(link, link_fields, COUNT(link_fields), NULL, &device->link, error);
}

/* Shares of mixed formats are those of the format they compute in. */
static bool sustained_place(const char *key, size_t offset, struct place *place)
{
	static const struct {
		const char *key;
		enum paradl_precision precision[PLACES_MAX];
		unsigned count;
	} formats[] = {
		{"fp32", {PARADL_FP32}, 1},
		{"tf32", {PARADL_TF32}, 1},
		{"fp16", {PARADL_FP16, PARADL_FP16_MIXED}, 2},
		{"bf16", {PARADL_BF16, PARADL_BF16_MIXED}, 2},
		{"fp8", {PARADL_FP8_MIXED}, 1},
		{"mxfp8", {PARADL_MXFP8_MIXED}, 1},
		{"fp4", {PARADL_FP4_MIXED}, 1},
	};
	for (size_t i = 0; i < COUNT(formats); ++i) {
		if (strcmp(formats[i].key, key) != 0 ||
			!place_find(sustained_fields, COUNT(sustained_fields), 0, key, place))
			continue;
		place->count = formats[i].count;
		for (unsigned k = 0; k < place->count; ++k)
			place->offsets[k] = offset + (size_t)formats[i].precision[k] * sizeof(double);
		return true;
	}
	return false;
}

static bool device_block_place(const char *name, struct place *place)
{
	static const struct {
		const char *block;
		const struct json_field *fields;
		size_t count, offset;
	} blocks[] = {
		{"contraction.half", half_fields, COUNT(half_fields), offsetof(struct device, half)},
		{"product.half", half_fields, COUNT(half_fields), offsetof(struct device, product.half)},
		{"product", product_fields, COUNT(product_fields), offsetof(struct device, product)},
		{"attention", attention_fields, COUNT(attention_fields), offsetof(struct device, attention)},
		{"link", link_fields, COUNT(link_fields), offsetof(struct device, link)},
	};
	const char *key = place_inside(name, "product.sustained");
	if (key)
		return sustained_place(key, offsetof(struct device, product.sustained), place);
	key = place_inside(name, "contraction.sustained");
	if (key)
		return sustained_place(key, offsetof(struct device, contraction_share), place);
	for (size_t i = 0; i < COUNT(blocks); ++i)
		if ((key = place_inside(name, blocks[i].block)))
			return place_find(blocks[i].fields, blocks[i].count, blocks[i].offset, key, place);
	return false;
}

static const char *const device_keys[] = {"format", "version", "memory_rates", "peak", "contraction", "power",
	"product", "attention", "link", "from", NULL};

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

static bool peak_read(const struct json *node, struct device *device, struct paradl_error *error)
{
	struct formats peak = {0};
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

/*
 * Power of a device that memory or others hold up, where the profile does not say; one home for both assumptions.
 *     memory    idle + 0.8 (busy - idle): an H200 of 700 W draws 572 W streaming (gpu-benches), 0.795 with 75 W idle
 *     waiting   0.4 busy, at least idle: clocks are up and kernels poll. Assumed: recalled of training on A100, whose power
 *               falls to 20 to 75 % of the limit when devices wait for one another (Patel et al., ASPLOS 2024)
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

bool device_build(const struct json *root, struct device *device, struct paradl_error *error)
{
	if (!device_read(root, device, error))
		return false;
	device_derive(device);
	device->from = json_member(root, "from");
	return true;
}

bool device_build_changed(struct paradl_arena *arena, const struct json *file,
	const struct paradl_changes *changes, struct device *device, struct paradl_error *error)
{
	const struct json *root = changes_apply_all(arena, changes, CHANGE_DEVICE, file, error);
	return root && device_build(root, device, error);
}

bool device_load_changed(struct paradl_arena *arena, const char *path, const struct paradl_changes *changes,
	struct device *device, struct paradl_error *error)
{
	const struct json *file = json_load(arena, path, error);
	if (!file || !device_build_changed(arena, file, changes, device, error))
		return false;
	device->path = json_path(file);
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
