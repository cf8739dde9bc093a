/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/kernels_profile.h"

#include <math.h>

static const double wide = 2; /* bytes of an item of 16 bits */

const char *kernel_kind_name(enum kernel_kind kind)
{
	static const char *const names[KERNEL_KINDS] = {[KERNEL_GEMM] = "gemm",
		[KERNEL_WEIGHTS] = "gemm",
		[KERNEL_GROUPED] = "experts",
		[KERNEL_PROMPT] = "prompt attention",
		[KERNEL_TOKEN] = "token attention",
		[KERNEL_COLLECTIVE] = "collective",
		[KERNEL_DISPATCH] = "dispatch"};
	return names[kind];
}

static bool has_narrow(enum paradl_precision precision)
{
	return precision_wide(precision) != precision;
}

/* Returns the rate of 16-bit products in flop/s; the rate of attention is a share of this rate. */
static double wide_rate(const struct device *device)
{
	return device->peak_flop_per_s[PARADL_BF16] * device->product.sustained[PARADL_BF16];
}

/*
 * Returns the bytes of one expert's product, with n columns and depth k: operands in their formats, results in 16
 * bits.
 */
static double expert_bytes(const struct kernel_row *row, double n, double k)
{
	const double item = precision_stored_bytes(row->precision), m = row->grouped.tokens;
	const double weight = row->weight_bytes > 0 ? row->weight_bytes : item;
	return item * m * k + weight * k * n + wide * m * n;
}

void kernel_experts_work(const struct kernel_row *row, double *flop, double *bytes)
{
	const struct grouped_call *call = &row->grouped;
	*flop = 2 * call->experts * call->tokens * call->hidden * (call->columns + call->inner);
	*bytes = call->experts * (expert_bytes(row, call->columns, call->hidden) +
					 expert_bytes(row, call->hidden, call->inner));
}

/*
 * Returns the share of its bytes that a kernel finds in the device's cache, since it is timed again and again. It
 * finds all where everything fits that is read before the same bytes come again, and a part where that is a little
 * more than the cache. Products take weights in turns from as many places as fill the cache, five at most
 * (AIConfigurator; inferred from L40S, where weights of 24, 32, 48 and 96 MiB are read faster than memory can
 * deliver, and those of 28, 40 and 56 MiB are not).
 */
static double cached_share(const struct device *device, double bytes, double rotated)
{
	const double most_places = 5, spill = 0.06, cache = device->cache.bytes;
	if (!(cache > 0))
		return 0;
	const double places = rotated > 0 ? fmin(most_places, ceil(cache / rotated)) : 0;
	const double touched = bytes + rotated * fmax(0, places - 1);
	return fmin(1, fmax(0, ((1 + spill) * cache - touched) / (spill * cache)));
}

/* Returns the share of its time of reading memory that the cache saves a kernel. */
static double spared_share(const struct device *device, double bytes, double rotated)
{
	const double slower =
		device->memory_bytes_per_s / fmax(device->cache.bytes_per_s, device->memory_bytes_per_s);
	return cached_share(device, bytes, rotated) * (1 - slower);
}

/*
 * Returns the seconds of a layer of experts: two products for each expert with tokens, and moving tokens there and
 * back.
 */
static double grouped_s(const struct device *device, const struct kernel_row *row)
{
	const struct grouped_call *call = &row->grouped;
	const double m = call->tokens;
	const double up = call->experts * expert_bytes(row, call->columns, call->hidden);
	const double down = call->experts * expert_bytes(row, call->hidden, call->inner);
	const double kept = 1 - spared_share(device, up + down, 0);
	return device_experts_s(device, m * call->experts * call->hidden * wide, &call->choice) +
	       device_grouped_s(
		       device, row->precision, m, call->columns, call->hidden, call->experts, kept * up) +
	       device_grouped_s(
		       device, row->precision, m, call->hidden, call->inner, call->experts, kept * down);
}

double kernel_row_quantize_s(const struct device *device, const struct kernel_row *row)
{
	return row->kind == KERNEL_GEMM && has_narrow(row->precision) && !row->is_narrow
		       ? device_quantize_s(device, row->precision, row->m * row->k, 0)
		       : 0;
}

/* Returns the time of a product whose clock has fallen as far as the power limit makes it. */
static double sustained_s(
	const struct device *device, const struct kernel_row *row, double flop, double alone_s)
{
	const double throttled = device->product.throttled[row->precision];
	return alone_s + flop * device->product_rates.s_per_flop[row->precision] * (1 / throttled - 1);
}

static double product_s(const struct device *device, const struct kernel_row *row)
{
	const double spared = row->is_cold ? 0 : spared_share(device, row->bytes, row->rotated);
	const double bytes = row->bytes * (1 - spared), flop = 2 * row->m * row->n * row->k * row->count;
	double (*const alone_s)(const struct device *device, enum paradl_precision precision, double m,
		double n, double k, double count, double bytes) =
		row->kind == KERNEL_WEIGHTS ? device_narrow_weights_s : device_gemm_s;
	const double s = alone_s(device, row->precision, row->m, row->n, row->k, row->count, bytes);
	const double clocked_s = row->is_long ? sustained_s(device, row, flop, s)
					      : device_throttled_s(device, row->precision, flop, s);
	return clocked_s + kernel_row_quantize_s(device, row);
}

static double prompt_s(const struct device *device, const struct kernel_row *row)
{
	struct attention_call call = row->prompt;
	const double items = call.queries * (call.heads + call.kv_heads) * call.widths;
	call.rate_flop_per_s = wide_rate(device);
	call.spared = spared_share(device, items * call.item_bytes, 0);
	return device_attention_s(device, &call);
}

static double token_s(const struct device *device, const struct kernel_row *row)
{
	struct token_attention_call call = row->token;
	call.rate_flop_per_s = wide_rate(device);
	call.bytes *= 1 - spared_share(device, call.bytes, 0);
	return device_token_attention_s(device, &call);
}

double kernel_row_s(const struct device *device, const struct kernel_row *row)
{
	switch (row->kind) {
	case KERNEL_GROUPED:
		return grouped_s(device, row);
	case KERNEL_COLLECTIVE:
		return link_node_s(&device->link, &row->node);
	case KERNEL_DISPATCH:
		return link_dispatch_s(&device->link, row->dispatched);
	case KERNEL_PROMPT:
		return prompt_s(device, row);
	case KERNEL_TOKEN:
		return token_s(device, row);
	case KERNEL_GEMM:
	case KERNEL_WEIGHTS:
	case KERNEL_KINDS:
		break;
	}
	return product_s(device, row);
}

static const char *exchange_size(const struct kernel_row *row)
{
	const double small = 0x1p16, large = 0x1p23;
	if (row->kind == KERNEL_DISPATCH)
		return row->dispatched <= large ? "<= 8 MiB" : "> 8 MiB";
	return row->node.bytes <= small ? "<= 64 KiB" : row->node.bytes <= large ? "<= 8 MiB" : "> 8 MiB";
}

const char *kernel_row_size(const struct kernel_row *row)
{
	const double few_tokens = 64, cached = 64e6;
	if (row->kind == KERNEL_GEMM || row->kind == KERNEL_WEIGHTS)
		return row->m < few_tokens                          ? "m < 64"
		       : row->n < few_tokens || row->k < few_tokens ? "n or k < 64"
								    : "m, n, k >= 64";
	if (row->kind == KERNEL_GROUPED)
		return row->grouped.tokens < few_tokens ? "tokens < 64" : "tokens >= 64";
	if (row->kind == KERNEL_PROMPT)
		return row->prompt.queries < 4096 ? "< 4096 tokens" : ">= 4096 tokens";
	if (row->kind == KERNEL_DISPATCH || row->kind == KERNEL_COLLECTIVE)
		return exchange_size(row);
	return row->token.cache_bytes < cached ? "cache < 64 MB" : "cache >= 64 MB";
}

const char *kernel_row_precision(const struct kernel_row *row)
{
	static const char *const names[PARADL_PRECISION_COUNT] = {
		[PARADL_FP8_MIXED] = "fp8", [PARADL_MXFP8_MIXED] = "mxfp8", [PARADL_FP4_MIXED] = "fp4"};
	const char *name = !(row->weight_bytes > 0) ? names[row->precision]
			   : row->weight_bytes < 1  ? "int4"
						    : "int8";
	return name ? name : paradl_precision_name(row->precision);
}
