/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes of number formats, and times of contractions and matrix products in them.
 *
 * A matrix product runs on a device of S units, each of which computes one tile of the result at a time:
 *
 *     launch + max(c, b) + exposed min(c, b)
 *     c = min over shapes of tiles of rounds (2 tm tn K S / (pk e) + wave tm tn / 2^15)
 *     b = bytes / (memory rate x share); the rate is that of the cache they fit where the device file has caches
 *
 * pk = peak x sustained share, e the rate of that shape and format against 128 x 256, T = ceil(M / tm) ceil(N / tn)
 * count tiles.
 *     T >= S: rounds = q ceil(T / S) + (1 - q) T / S, q = wave_share: what follows fills most of the last round
 *     T <  S: one round, or K is cut into k = min(S / T, K / 256) parts on idle units. Their sums, written and read in
 *             four bytes, take 8 k T tm tn bytes more, at the rate of the device's cache if that is known, and `split`
 *             to begin. Formats with block scales are not cut, because no kernel of theirs that was measured is
 *             (NVIDIA AIConfigurator data, 2026: DeepGEMM, CUTLASS); nor are products of experts
 * A tile has 64 rows at least. Where so many would take longer than the bytes of the weights, libraries have kernels of fewer
 * rows: their tiles take max(w / (2 64 / (pk e)), r / 64 e / e16) of the time, with M rounded up to r by 16, if the bytes of a
 * weight take w. No measured device is so slow beside its memory: none of their kernels has fewer rows.
 * A product that runs again and again slows down to throttled x pk as its clock falls, between 4 and 8 ms. Every term
 * grows with M, N and K, so the whole does. On a device of unknown S nothing rounds up and nothing comes in waves:
 * c = 2 (M + m) (N + n) (K + k) count / pk, with half-lengths m, n, k.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "machine/blocks.h"
#include "machine/machine.h"

/*
 * Bytes of an activation, of a weight as computed with, of the fp32 master copy (Micikevicius et al., ICLR'18), and
 * of a weight stored for products: mxfp8 with a byte of scale for each block of 32, fp4 for each of 16.
 */
static const struct precision {
	const char *name;
	double activation_bytes, weight_bytes, master_bytes, stored_bytes;
	double split; /* 1 / the least depth of a part; 0: kernels of this format are never split */
} precisions[PARADL_PRECISION_COUNT] = {
	[PARADL_FP32] = {"fp32", 4, 4, 0, 4, 1.0 / 256},
	[PARADL_TF32] = {"tf32", 4, 4, 0, 4, 1.0 / 256},
	[PARADL_FP16] = {"fp16", 2, 2, 0, 2, 1.0 / 256},
	[PARADL_BF16] = {"bf16", 2, 2, 0, 2, 1.0 / 256},
	[PARADL_FP16_MIXED] = {"fp16-mixed", 2, 2, 4, 2, 1.0 / 256},
	[PARADL_BF16_MIXED] = {"bf16-mixed", 2, 2, 4, 2, 1.0 / 256},
	[PARADL_FP8_MIXED] = {"fp8-mixed", 2, 2, 4, 1, 1.0 / 256},
	[PARADL_MXFP8_MIXED] = {"mxfp8-mixed", 2, 2, 4, 1 + 1.0 / 32, 0},
	[PARADL_FP4_MIXED] = {"fp4-mixed", 2, 2, 4, 0.5 + 1.0 / 16, 0},
};

const char *paradl_precision_name(enum paradl_precision precision)
{
	return precisions[precision].name;
}

double precision_activation_bytes(enum paradl_precision precision)
{
	return precisions[precision].activation_bytes;
}

double precision_weight_bytes(enum paradl_precision precision)
{
	return precisions[precision].weight_bytes;
}

double precision_master_bytes(enum paradl_precision precision)
{
	return precisions[precision].master_bytes;
}

double precision_stored_bytes(enum paradl_precision precision)
{
	return precisions[precision].stored_bytes;
}

static const struct shape {
	double per_m, per_n, area;
} shapes[GROUPED_SHAPES] = {
	{1.0 / 256, 1.0 / 128, 32768}, {1.0 / 128, 1.0 / 256, 32768}, {1.0 / 128, 1.0 / 128, 16384},
	{1.0 / 128, 1.0 / 64, 8192}, {1.0 / 64, 1.0 / 64, 4096},
	{1.0 / 16, 1.0 / 128, 2048}, /* for experts with few tokens each, and for few rows (rows_share) */
};

static const double usual_rows = 64, least_rows = 16; /* rows of the lowest tiles, and of kernels for fewer */
static const double full_area = 32768, reduce_bytes = 8;
const double throttle_s = 8e-3;

/* Fills in full rate / rate for each shape of tile. half_tile 0: all shapes run at one rate. */
static void shapes_derive(double half_tile, int count, double *slower)
{
	const double half = half_tile > 0 ? half_tile : 1;
	const double rate[GROUPED_SHAPES] = {1, 1, sqrt(half), half, half * half, half * half * half};
	for (int i = 0; i < count; ++i)
		slower[i] = 1 / rate[i];
}

void device_product_derive(struct device *device)
{
	const struct device_product *product = &device->product;
	struct product_rates *rates = &device->product_rates;
	for (int i = 0; i < PARADL_PRECISION_COUNT; ++i) {
		const double rate = device->peak_flop_per_s[i] * product->sustained[i];
		rates->s_per_flop[i] = rate > 0 ? 1 / rate : 0;
	}
	rates->s_per_byte =
		product->memory_share > 0 ? device->s_per_byte / product->memory_share : device->s_per_byte;
	const double sums_s_per_byte = 1 / fmax(device->cache.bytes_per_s, 1 / rates->s_per_byte);
	rates->unit_share = product->units > 0 ? 1 / product->units : 0;
	for (int i = 0; i < PARADL_PRECISION_COUNT; ++i) {
		const double own = product->half_tiles[i];
		shapes_derive(own > 0 ? own : product->half_tile, GROUPED_SHAPES, rates->slower[i]);
		const double rows_s =
			2 * usual_rows * rates->s_per_flop[i] * rates->slower[i][TILE_SHAPES - 1];
		rates->bytes_share[i] =
			rows_s > 0 ? precisions[i].stored_bytes * rates->s_per_byte / rows_s : 1;
	}
	shapes_derive(product->half_tile, GROUPED_SHAPES, rates->grouped_slower);
	for (int i = 0; i < GROUPED_SHAPES; ++i) {
		rates->wave_s[i] = product->wave_s * shapes[i].area / full_area;
		rates->reduce_s[i] = reduce_bytes * shapes[i].area * sums_s_per_byte;
	}
}

void device_sustain(struct device *device, double share)
{
	struct device_product *product = &device->product;
	struct device_attention *attention = &device->attention;
	const double throttled = product->throttled[PARADL_BF16_MIXED];
	for (int i = 0; i < PARADL_PRECISION_COUNT; ++i)
		product->sustained[i] *= share * product->throttled[i];
	product->wave_s /= share * throttled;
	attention->forward /= throttled;
	attention->backward /= throttled;
	attention->block_s /= share;
	attention->narrow_block_s /= share;
	attention->softmax_per_s *= share;
	device_product_derive(device);
}

static inline double smaller(double a, double b)
{
	return a < b ? a : b;
}

static inline double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Returns a number rounded up. Beyond what a long long holds, nothing rounds any more. */
static inline double whole(double value)
{
	const double floor = value < 1e18 ? (double)(long long)value : value;
	return floor < value ? floor + 1 : floor;
}

/* Returns seconds of the rounds of all tiles; tile_s: time of one tile, `depth`: parts that K may be cut into. */
static inline double rounds_s(
	const struct device *device, int shape, double tiles, double tile_s, double depth)
{
	const struct product_rates *rates = &device->product_rates;
	const double rounds = tiles * rates->unit_share;
	const double wave_s = rates->wave_s[shape];
	if (rounds >= 1) {
		const double quantized = device->product.wave_share;
		return (quantized * whole(rounds) + (1 - quantized) * rounds) * (tile_s + wave_s);
	}
	const double parts = smaller(device->product.units / tiles, depth);
	if (parts <= 1)
		return tile_s + wave_s;
	const double sums_s = device->product.split_s + parts * tiles * rates->reduce_s[shape];
	return wave_s + smaller(tile_s, tile_s / parts + sums_s);
}

/* Equal products in one launch. */
struct gemm {
	double m, n, k, count, bytes;
	int shapes;         /* shapes of tiles that it may have */
	double split;       /* that of its format */
	double bytes_share; /* time of a weight's bytes / its time in a tile of the fewest rows */
};

/* Returns the part of a tile's time that kernels of fewer rows take, if a weight's bytes take `bytes` of it. */
static inline double rows_share(double m, double bytes, const double *slower)
{
	if (m >= usual_rows || bytes >= 1)
		return 1;
	const double rows = least_rows * whole(m / least_rows) / usual_rows;
	return smaller(1, larger(bytes, rows * slower[TILE_SHAPES] / slower[TILE_SHAPES - 1]));
}

static inline double gemm_s(
	const struct device *device, const double *slower, double s_per_flop, const struct gemm *gemm)
{
	const struct product_rates *rates = &device->product_rates;
	const double m = gemm->m, n = gemm->n, k = gemm->k, count = gemm->count;
	const double memory_s = device_product_memory_s(device, gemm->bytes);
	const struct half_lengths *half = &device->product.half;
	double compute_s = 2 * (m + half->m) * (n + half->n) * (k + half->k) * count * s_per_flop;
	if (rates->unit_share > 0) {
		const double unit_s =
			2 * k * device->product.units * s_per_flop * rows_share(m, gemm->bytes_share, slower);
		const double depth = k * gemm->split;
		double least_s = HUGE_VAL;
		for (int i = 0; i < gemm->shapes; ++i) {
			const struct shape *shape = &shapes[i];
			const double tiles = whole(m * shape->per_m) * whole(n * shape->per_n) * count;
			const double tile_s = unit_s * shape->area * slower[i];
			least_s = smaller(least_s, rounds_s(device, i, tiles, tile_s, depth));
		}
		compute_s = least_s;
	}
	return device->product.launch_s + larger(compute_s, memory_s) +
	       device->product.exposed * smaller(compute_s, memory_s);
}

double device_gemm_s(const struct device *device, enum paradl_precision precision, double m, double n,
	double k, double count, double bytes)
{
	const struct product_rates *rates = &device->product_rates;
	const struct gemm gemm = {m, n, k, count, bytes, TILE_SHAPES, precisions[precision].split,
		rates->bytes_share[precision]};
	return gemm_s(device, rates->slower[precision], rates->s_per_flop[precision], &gemm);
}

double device_narrow_weights_s(const struct device *device, enum paradl_precision precision, double m,
	double n, double k, double count, double bytes)
{
	const double rows = least_rows * ceil(m / least_rows);
	const bool is_low = rows < usual_rows;
	return device->product.narrow_weights_s + device_gemm_s(device, precision, is_low ? usual_rows : m,
							  is_low ? n * rows / usual_rows : n, k, count,
							  bytes);
}

double device_throttled_s(
	const struct device *device, enum paradl_precision precision, double flop, double alone_s)
{
	const double fallen = larger(0, smaller(1, 2 * alone_s / throttle_s - 1));
	const double falls = (1 - device->product.throttled[precision]) * fallen;
	return alone_s + flop * device->product_rates.s_per_flop[precision] * (1 / (1 - falls) - 1);
}

double device_grouped_s(const struct device *device, enum paradl_precision precision, double m, double n,
	double k, double count, double bytes)
{
	const struct product_rates *rates = &device->product_rates;
	const struct gemm gemm = {m, n, k, count, bytes, GROUPED_SHAPES, 0, 1};
	return gemm_s(device, rates->grouped_slower,
		rates->s_per_flop[precision] / device->product.grouped.rate, &gemm);
}

double device_experts_s(const struct device *device, double bytes, const struct experts_choice *choice)
{
	static const double at_once = 8; /* experts of a token that one kernel chooses */
	const struct device_grouped *grouped = &device->product.grouped;
	const double more = choice->top_k > at_once ? choice->top_k - at_once : 0;
	return grouped->start_s + grouped->copies * bytes * device_s_per_byte(device, bytes) +
	       grouped->sort_s * choice->tokens * choice->top_k + grouped->choose_s * more;
}

double device_unaligned_s(const struct device *device, enum paradl_precision precision, double m, double n,
	double k, double count, double bytes)
{
	const struct product_rates *rates = &device->product_rates;
	const struct gemm gemm = {m, n, k, count, bytes, TILE_SHAPES, precisions[precision].split,
		rates->bytes_share[precision]};
	return gemm_s(device, rates->slower[precision],
		rates->s_per_flop[precision] * device->product.unaligned, &gemm);
}

void device_derive(struct device *device)
{
	device->s_per_byte = 1 / device->memory_bytes_per_s;
	for (unsigned i = 0; i < device->memory_level_count; ++i)
		device->memory_levels[i].s_per_byte = 1 / device->memory_levels[i].bytes_per_s;
	for (int i = 0; i < PARADL_PRECISION_COUNT; ++i) {
		const double rate = device->peak_flop_per_s[i] * device->contraction_share[i];
		const double own = device->peak_flop_per_s[i] * device->convolution.sustained[i];
		device->s_per_flop[i] = rate > 0 ? 1 / rate : 0;
		device->convolution_s_per_flop[i] = own > 0 ? 1 / own : 0;
	}
	device->tiles_per_item = 1 / device->tile;
	device->tiles_per_depth = 1 / device->depth_tile;
	device->convolution_tiles_per_item = 1 / device->convolution.tile;
	device->tiles_per_group = device->convolution.group_tile > 0 ? 1 / device->convolution.group_tile : 0;
	device_product_derive(device);
}

/* Returns a length rounded up to whole tiles. Whatever the rounding of `per_item`, the comparison decides. */
static inline double tiled(double length, double tile, double per_item)
{
	double rounded = (double)(long long)(length * per_item) * tile;
	if (rounded < length)
		rounded += tile;
	return rounded;
}

/*
 * Returns the columns of the tiles that a contraction fills. Groups have tiles of their own where their width is
 * known; else they share them.
 */
static inline double columns_of(
	const struct device *device, const struct contraction *c, double tile, double tiles_per_item)
{
	if (c->groups > 1 && device->tiles_per_group > 0)
		return tiled(c->n, device->convolution.group_tile, device->tiles_per_group) * c->groups;
	return tiled(c->groups > 1 ? c->n * c->groups : c->n, tile, tiles_per_item);
}

/*
 * Returns seconds of one pass of a depthwise convolution, by kernels that take the places of the kernel one by one.
 */
static double depthwise_s(const struct device *device, const struct contraction *c)
{
	const struct device_convolution *own = &device->convolution;
	const double passes_s = own->tap_passes * c->bytes * device_s_per_byte(device, c->bytes);
	const double taps_s = c->taps * c->item_bytes / 2 * own->tap_s * device->product_rates.unit_share;
	const double slower = c->nchw ? own->nchw_taps : 1;
	return device->launch_s + slower * (passes_s + taps_s);
}

double device_contraction_s(
	const struct device *device, enum paradl_precision precision, const struct contraction *contraction)
{
	const struct contraction *c = contraction;
	const struct half_lengths *half = &device->half;
	const struct device_convolution *own = &device->convolution;
	const bool matrix = c->convolution && precision != PARADL_FP32;
	const double tile = c->convolution ? own->tile : device->tile;
	const double per_item = c->convolution ? device->convolution_tiles_per_item : device->tiles_per_item;
	const double *s_per_flop = c->convolution ? device->convolution_s_per_flop : device->s_per_flop;
	if (c->taps > 0 && own->tap_s > 0)
		return depthwise_s(device, c);
	const double columns = columns_of(device, c, tile, per_item);
	const double m = c->tile_m ? tiled(c->m, tile, per_item) : c->m;
	const double k = c->tile_m ? c->k : tiled(c->k, device->depth_tile, device->tiles_per_depth);
	const double padded = 2 * (m + half->m) * (columns + half->n * c->groups) * (k + half->k);
	const double compute_s = padded * s_per_flop[precision] / (matrix ? 1 : c->speed_up);
	double memory_s = c->bytes * device_s_per_byte(device, c->bytes), layout_s = 0;
	if (matrix) {
		layout_s = (c->window ? own->nchw_passes : own->nchw_point_passes) * c->changed_bytes *
			   device_s_per_byte(device, c->changed_bytes);
		layout_s += c->volume ? own->volume_passes * memory_s : 0;
		memory_s *= c->passes / own->memory_share;
	}
	const double least_s = matrix ? larger(own->start_s, device->launch_s) : device->launch_s;
	const double patches_s = device->patches * c->patch_bytes * device_s_per_byte(device, c->patch_bytes);
	double s = larger(larger(compute_s, memory_s), least_s);
	if (c->volume)
		s /= own->volume[precision];
	return s + patches_s + layout_s;
}

/* Reads "convolution" of a device file: numbers that decide the speed of convolutions on top of their products. */

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AT(member)   offsetof(struct device_convolution, member)

static const struct json_field convolution_fields[] = {
	{"tile", JSON_TO_DOUBLE, false, AT(tile), 1, 65536, DIMENSION_NONE, NULL},
	{"winograd", JSON_TO_DOUBLE, false, AT(winograd), 1, 4, DIMENSION_NONE, NULL},
	{"start", JSON_TO_QUANTITY, false, AT(start_s), 0, 1, DIMENSION_TIME, NULL},
	{"memory_share", JSON_TO_DOUBLE, false, AT(memory_share), 0.01, 1.3, DIMENSION_NONE, NULL},
	{"group_tile", JSON_TO_DOUBLE, false, AT(group_tile), 1, 1024, DIMENSION_NONE, NULL},
	{"tap", JSON_TO_QUANTITY, false, AT(tap_s), 0, 1, DIMENSION_TIME, NULL},
	{"tap_passes", JSON_TO_DOUBLE, false, AT(tap_passes), 0, 100, DIMENSION_NONE, NULL},
	{"nchw_passes", JSON_TO_DOUBLE, false, AT(nchw_passes), 0, 100, DIMENSION_NONE, NULL},
	{"nchw_point_passes", JSON_TO_DOUBLE, false, AT(nchw_point_passes), 0, 100, DIMENSION_NONE, NULL},
	{"nchw_taps", JSON_TO_DOUBLE, false, AT(nchw_taps), 0.1, 100, DIMENSION_NONE, NULL},
	{"volume_passes", JSON_TO_DOUBLE, false, AT(volume_passes), 0, 1000, DIMENSION_NONE, NULL},
};
static const char *const convolution_keys[] = {"sustained", "volume", NULL};

bool device_convolution_read(const struct json *node, struct device *device, struct paradl_error *error)
{
	struct device_convolution *convolution = &device->convolution;
	*convolution = (struct device_convolution){
		.tile = device->tile, .winograd = device->winograd, .memory_share = 1, .nchw_taps = 1};
	memcpy(convolution->sustained, device->contraction_share, sizeof convolution->sustained);
	return device_block_read(node, convolution_fields, COUNT(convolution_fields), convolution_keys,
		       convolution, error) &&
	       device_shares_read(node, "volume", 1, convolution->volume, error) &&
	       (!node || !json_member(node, "sustained") ||
		       device_shares_read(
			       node, "sustained", device->efficiency, convolution->sustained, error));
}

bool device_convolution_place(const char *key, struct place *place)
{
	return place_find(convolution_fields, COUNT(convolution_fields), offsetof(struct device, convolution),
		key, place);
}
