/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel time of one layer's shard.
 *
 * A contraction is three products (o = local output positions, b = samples, K' = kernel volume, F/f, C/c local):
 *     forward          (b o) x F/f x C/c K'
 *     backward-data    (b o) x C/c x F/f K'     none where nothing before is trained
 *     backward-weight  C/c K' x F/f x b o
 * as implicit products with the padded channels in the tile dimension: each pays the roofline of device_contraction_s.
 * Where a device lowers convolutions (patches), each pass also moves the matrix of patches, b o x C/c K', K' > 1, and
 * backward-data is the product of which the patches' gradients come: (b o) x C/c K' x F/f.
 * Everything else is bound by memory: items read and written per pass (model.h) over the streaming rate, times the
 * share of these passes that the framework's fused kernels leave.
 *
 * ParaDL's ideal: flop / peak, divided by the degrees; the update is bytes over the memory rate in both.
 */
#include "oracle/layer_times.h"
#include "oracle/oracle.h"

static bool winograd_fits(const struct layer *layer)
{
	return layer->class_ == LAYER_CONVOLUTION && layer->x.dimensions == 2 && layer->kernel[0] == 3 &&
	       layer->kernel[1] == 3 && layer->stride[0] == 1 && layer->stride[1] == 1 &&
	       layer->dilation[0] <= 1;
}

/* A share of filters or channels, without a division where nothing is cut. */
static inline double part_of(double here, double whole, double pieces)
{
	return pieces > 1 ? here / whole : 1;
}

static struct layer_compute contraction_compute(
	const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct device *device = &oracle->machine->device;
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
		.speed_up = winograd_fits(layer) ? device->winograd : 1};
	const bool lowered = device->patches > 0 && volume > 1;
	if (lowered)
		product.patch_bytes = bo * shard->channels * volume * evaluation->item_bytes;
	struct layer_compute compute = {
		.forward_s = device_contraction_s(device, oracle->precision, &product)};
	if (layer->backward_data) {
		product.n = lowered ? c * volume : c;
		product.k = lowered ? f : f * volume;
		compute.backward_s += device_contraction_s(device, oracle->precision, &product);
	}
	if (layer->backward_weight) {
		product.m = c * volume;
		product.n = f;
		product.k = bo;
		product.tile_m = true;
		compute.backward_s += device_contraction_s(device, oracle->precision, &product);
	}
	return compute;
}

/* Of each item of a pass that reads and writes so many. */
static inline double item_s(const struct evaluation *evaluation, double items)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const double s_per_byte = device_s_per_byte(&oracle->machine->device, items * evaluation->item_bytes);
	return evaluation->item_bytes * s_per_byte * oracle->rules.passes;
}

struct layer_compute layer_compute(
	const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct device *device = &oracle->machine->device;
	struct layer_compute compute = {0, 0};
	double part = shard->samples * shard->y_share;
	if (layer->forward_s > 0 || layer->backward_s > 0) { /* custom: measured, whatever the device */
		part /= shard->filter_pieces * shard->channel_pieces;
		return (struct layer_compute){part * layer->forward_s, part * layer->backward_s};
	}
	if (oracle->rules.ideal) {
		const double rate = device->peak_flop_per_s[oracle->precision];
		part /= shard->filter_pieces * shard->channel_pieces;
		return (struct layer_compute){
			part * layer->forward_flop / rate, part * layer->backward_flop / rate};
	}
	if (layer->kernel_volume > 0) {
		compute = contraction_compute(evaluation, layer, shard);
		part *= part_of(shard->filters, layer->filters, shard->filter_pieces);
	} else if (layer->forward_flop > 0) { /* custom: its own count, at the device's rate */
		const double rate = device->peak_flop_per_s[oracle->precision] *
				    device->contraction_share[oracle->precision];
		const double cut = shard->filter_pieces * shard->channel_pieces;
		compute.forward_s = part / cut * layer->forward_flop / rate;
		compute.backward_s = part / cut * layer->backward_flop / rate;
	}
	const double forward_items = part * layer->forward_items;
	const double backward_items = part * layer->backward_items;
	compute.forward_s += forward_items * item_s(evaluation, forward_items);
	compute.backward_s += backward_items * item_s(evaluation, backward_items);
	return compute;
}
