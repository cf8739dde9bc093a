/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One layer of images takes, on one device, the seconds of its contraction and of passes over what it reads and
 * writes.
 *     contraction  three products (o = local output positions, b = samples, K' = kernel volume, F/f, C/c local):
 *                      forward          (b o) x F/f x C/c K'
 *                      backward-data    (b o) x C/c x F/f K'     none where nothing before is trained
 *                      backward-weight  C/c K' x F/f x b o
 *                  as implicit products with the padded channels in the tile dimension: each pays the roofline of
 *                  device_contraction_s. Where a device lowers convolutions (patches), each pass also moves the matrix
 *                  of patches, b o x C/c K', K' > 1, and backward-data is the product for the patches' gradients:
 *                  (b o) x C/c K' x F/f
 *     pass         items read and written (model.h) over the streaming rate, times how little the framework fuses; at
 *                  least what multiprocessors take for an item of a pooling, a concatenation or a normalization
 * ParaDL's ideal model takes flop / peak, divided by the degrees.
 */
#include <math.h>
#include <string.h>

#include "oracle/kernels.h"

/* Returns whether Winograd's kernels fit: 3x3, and 5x5 without groups, of stride 1 in two dimensions. */
static bool winograd_fits(const struct layer *layer)
{
	const unsigned kernel = layer->kernel[0];
	return layer->class_ == LAYER_CONVOLUTION && layer->x.dimensions == 2 &&
	       (kernel == 3 || (kernel == 5 && layer->groups == 1)) && layer->kernel[1] == kernel &&
	       layer->stride[0] == 1 && layer->stride[1] == 1 && layer->dilation[0] <= 1;
}

static bool is_nchw(const struct evaluation *evaluation)
{
	const enum image_layout layout = evaluation->oracle->rules.layout;
	return layout == LAYOUT_NCHW || (layout == LAYOUT_NHWC_16 && evaluation->item_bytes > 2);
}

static const unsigned aligned_channels = 8; /* channels that matrix units take at once, in 16 bits */

/* Returns bytes of input and output that matrix units cannot take as they lie: channels first, or not in eights. */
static double changed_bytes(
	const struct evaluation *evaluation, const struct layer *layer, double x_items, double y_items)
{
	const bool nchw = is_nchw(evaluation), halves = evaluation->item_bytes < 4;
	double items = 0;
	if (layer->class_ != LAYER_CONVOLUTION)
		return 0;
	if (nchw || (halves && layer->channels % aligned_channels != 0))
		items += x_items;
	if (nchw || (halves && layer->filters % aligned_channels != 0))
		items += y_items;
	return items * evaluation->item_bytes;
}

static bool is_depthwise(const struct layer *layer)
{
	return layer->groups > 1 && layer->groups == layer->channels;
}

static const double backward_taps =
	2; /* kernels of either backward pass of a depthwise convolution / those of the forward pass */

/* Returns a share of filters or channels, without a division where nothing is cut. */
static inline double part_of(double here, double whole, double pieces)
{
	return pieces > 1 ? here / whole : 1;
}

static struct layer_compute contraction_compute(
	const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct device *device = &oracle->device;
	const double bo = shard->samples * shard->positions, volume = layer->kernel_volume;
	const bool grouped = layer->groups > 1;
	const double f = grouped ? shard->filters / layer->groups : shard->filters;
	const double c = grouped ? shard->channels / layer->groups : shard->channels;
	const double y_items = shard->y_items * part_of(shard->filters, layer->filters, shard->filter_pieces);
	const double x_items =
		shard->x_items * part_of(shard->channels, layer->channels, shard->channel_pieces);
	const double bytes =
		(shard->samples * (x_items + y_items) + shard->weight_items + shard->frozen_items) *
		evaluation->item_bytes;
	struct contraction product = {.m = bo,
		.n = f,
		.k = c * volume,
		.groups = grouped ? layer->groups : 1,
		.bytes = bytes,
		.speed_up = winograd_fits(layer) ? device->convolution.winograd : 1,
		.item_bytes = evaluation->item_bytes,
		.passes = oracle->rules.convolution_passes,
		.changed_bytes =
			changed_bytes(evaluation, layer, shard->samples * x_items, shard->samples * y_items),
		.convolution = layer->class_ == LAYER_CONVOLUTION,
		.nchw = is_nchw(evaluation),
		.window = volume > 1,
		.volume = layer->class_ == LAYER_CONVOLUTION && layer->x.dimensions == 3};
	const double taps = is_depthwise(layer) ? shard->samples * volume : 0;
	product.taps = taps * y_items;
	const bool lowered = device->patches > 0 && volume > 1;
	if (lowered)
		product.patch_bytes = bo * shard->channels * volume * evaluation->item_bytes;
	struct layer_compute compute = {
		.forward_s = device_contraction_s(device, oracle->precision, &product)};
	if (layer->backward_data) {
		product.taps = backward_taps * taps * x_items;
		product.n = lowered ? c * volume : c;
		product.k = lowered ? f : f * volume;
		compute.backward_s += device_contraction_s(device, oracle->precision, &product);
	}
	if (layer->backward_weight) {
		product.taps = backward_taps * taps * y_items;
		product.m = c * volume;
		product.n = f;
		product.k = bo;
		product.tile_m = true;
		compute.backward_s += device_contraction_s(device, oracle->precision, &product);
	}
	return compute;
}

/* Returns the least seconds per item of a batch normalization in NCHW: few channels keep few multiprocessors busy. */
static double norm_item_s(const struct evaluation *evaluation, const struct layer *layer)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const double unit_share = evaluation->oracle->device.product_rates.unit_share;
	if (!(rules->norm_item_s > 0 && unit_share > 0) || !is_nchw(evaluation) ||
		strcmp(layer->kind, "batch") != 0)
		return 0;
	return rules->norm_item_s * fmax(unit_share, rules->norm_channels / layer->x.channels);
}

/* Returns the least seconds per item of a pass of the layer, with all multiprocessors at work on such kernels. */
static inline double least_item_s(const struct evaluation *evaluation, const struct layer *layer)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const double unit_share = evaluation->oracle->device.product_rates.unit_share;
	if (layer->class_ == LAYER_POOL)
		return rules->pool_item_s * unit_share;
	if (layer->class_ == LAYER_CONCAT)
		return rules->concat_item_s * unit_share;
	return layer->class_ == LAYER_NORM ? norm_item_s(evaluation, layer) : 0;
}

/* Returns seconds per item of a memory-bound pass over `items` items, at the rate of the cache they fit. */
static inline double item_s(const struct evaluation *evaluation, const struct layer *layer, double items)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const double s_per_byte = device_s_per_byte(&oracle->device, items * evaluation->item_bytes);
	const double passes_s = evaluation->item_bytes * s_per_byte * oracle->rules.passes;
	const double least_s = least_item_s(evaluation, layer);
	return passes_s > least_s ? passes_s : least_s;
}

struct layer_compute layer_compute(
	const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct device *device = &oracle->device;
	struct layer_compute compute = {0, 0};
	double part = shard->samples * shard->y_share;
	const double cut_part = part / (shard->filter_pieces * shard->channel_pieces);
	const double peak = device->peak_flop_per_s[oracle->precision];
	if (layer->forward_s > 0 || layer->backward_s > 0) /* custom: measured, whatever the device */
		return (struct layer_compute){cut_part * layer->forward_s, cut_part * layer->backward_s};
	if (oracle->rules.ideal)
		return (struct layer_compute){
			cut_part * layer->forward_flop / peak, cut_part * layer->backward_flop / peak};
	if (layer->kernel_volume > 0) {
		compute = contraction_compute(evaluation, layer, shard);
		part *= part_of(shard->filters, layer->filters, shard->filter_pieces);
	} else if (layer->forward_flop > 0) { /* custom: its own count, at the device's rate */
		const double rate = peak * device->contraction_share[oracle->precision];
		compute.forward_s = cut_part * layer->forward_flop / rate;
		compute.backward_s = cut_part * layer->backward_flop / rate;
	}
	const double forward_items = part * layer->forward_items;
	const double backward_items = part * layer->backward_items;
	compute.forward_s += forward_items * item_s(evaluation, layer, forward_items);
	compute.backward_s += backward_items * item_s(evaluation, layer, backward_items);
	return compute;
}
