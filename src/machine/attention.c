/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of fused attention.
 *
 * Prompts: queries come in blocks of T (128 where a device file gives none), keys in tiles of t (16 in kernels for
 * the matrix units of Ampere and Ada, 128 later). Keys that a causal mask or a window hides are skipped, except
 * within a block and a tile. With q keys in a sequence, r the rate of products and S multiprocessors:
 *     keys of a query   causal: (q + T + t) / 2; window w: w - w^2 / (2 q) + (T + t) / 2; at most all, in whole tiles
 *     s of a block      T keys (2 widths / (r share) + softmax) S + block
 *     s                 the longer of blocks / S of these and of one that sees all its keys. Served prompts take their
 *                       sum, as kernels of serving (TensorRT-LLM) may begin the longest when others are through
 *     of a prompt       start + s + copies bytes / memory rate;  else max(s, launch + bytes / memory rate)
 * Where the device has no T, no query is rounded up, tiles of keys waste nothing, and a block takes no time of its
 * own. Backward computes scores again: 2.5 times the work (Dao, 2023). Kernels of serving are made for heads of a
 * power of two, to which others are filled up. In 8 bits r is `narrow` times as much, or what the device file has for
 * caches alone and for other heads than those of 128 to 192, whose blocks have a fixed time of their own.
 *
 * One new token of each sequence reads its cache. A block of threads reads that of one head of keys and values for
 * all heads of its group. It serves one head where there are no groups, or groups of more than 32, which measured
 * kernels (TensorRT-LLM 1.0) leave to an older one:
 *     parts             of the keys of a head, min(4 S / blocks, keys / split_keys), so that S units have up to 4;
 *                       1 in wide groups, and where narrow caches stay whole
 *     W                 blocks parts / S, one at least
 *     c                 W (block + heads in its group x group), of which memory hides all but a share, exposed
 *     s                 start + split (of parts) + max(c + max(W p / r, f), exposed c + b), with
 *                       p = bytes of a part were it in 16 bits, r = rate of a block,
 *                       f = flop at the rate of prompts, b = bytes / memory rate
 * Except in wide groups, r is at least the memory rate for one multiprocessor. Blocks take as long for items of 8
 * bits as for those of 16: they convert them. All else that narrow caches change is in `narrow`. Where the device
 * does not say the rate of a block, and for latent attention (kv_heads 0), the time is launch + max(flop / rate,
 * bytes / (memory rate x share)).
 */
#include <math.h>

#include "machine/machine.h"

static const double usual_tile = 128;

static double most(double a, double b)
{
	return a > b ? a : b;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* Returns the keys that a query sees on average. */
static double mean_keys(const struct device *device, const struct attention_call *call)
{
	const bool is_known = device->attention.tile > 0;
	const double tile = is_known ? device->attention.tile : usual_tile;
	const double key_tile = device->attention.key_tile;
	const double partial = is_known ? (tile + key_tile) / 2 : tile / 2;
	const bool slides = call->window > 0 && call->window < call->keys;
	double keys = is_known ? key_tile * ceil(call->keys / key_tile) : call->keys;
	if (call->causal && (is_known || keys > partial))
		keys = least(keys, call->keys / 2 + partial);
	if (slides && is_known)
		keys = least(keys, call->window - call->window * call->window / (2 * call->keys) + partial);
	else if (slides)
		keys = least(keys, call->window);
	return keys;
}

/* Returns whether heads are of a size that 8-bit kernels are made for. */
static bool is_usual_head(double widths)
{
	const double pair = 2, least_head = 128, most_head = 192;
	return widths >= pair * least_head && widths <= pair * most_head;
}

/* Returns how many times as fast the products of a format are as those of 16 bits. */
static double format_gain(
	const struct device_attention *attention, enum attention_format format, double widths)
{
	const double usual = attention->narrow > 0 ? attention->narrow : 1;
	const double own = format == ATTENTION_NARROW_CACHE ? attention->narrow_cache
			   : is_usual_head(widths)          ? 0
							    : attention->narrow_other;
	return format == ATTENTION_WIDE ? 1 : own > 0 ? own : usual;
}

/* Returns the fixed seconds of a block. */
static double block_s(const struct device_attention *attention, const struct attention_call *call)
{
	const bool is_other = call->format == ATTENTION_NARROW && !is_usual_head(call->widths);
	return is_other && attention->narrow_block_s > 0 ? attention->narrow_block_s : attention->block_s;
}

/*
 * Returns the items of keys and values that a block works on. Kernels of serving are made for heads of a power of
 * two.
 */
static double filled_widths(const struct attention_call *call)
{
	const double values = call->values > 0 ? call->values : call->widths / 2;
	return call->writes_cache ? exp2(ceil(log2(call->widths - values))) + exp2(ceil(log2(values)))
				  : call->widths;
}

/* Returns seconds of the blocks alone, `work` times those of forward, at a share of the rate of products. */
static double blocks_s(
	const struct device *device, const struct attention_call *call, double work, double share)
{
	const struct device_attention *attention = &device->attention;
	const double gain = format_gain(attention, call->format, call->widths);
	const double rate = call->rate_flop_per_s * gain * share, units = device->product.units;
	const double keys = mean_keys(device, call);
	const double flop = 2 * call->queries * keys * call->heads * call->widths;
	if (!(attention->tile > 0) || !(units > 0))
		return work * flop / rate;
	const double tile = attention->tile;
	const double blocks = call->sequences * call->heads * ceil(call->queries / call->sequences / tile);
	const double softmax_s = attention->softmax_per_s > 0 ? 1 / attention->softmax_per_s : 0;
	const double key_s = work * tile * units * (2 * filled_widths(call) / rate + softmax_s);
	const bool slides = call->window > 0 && call->window < call->keys;
	const double longest = slides ? least(call->keys, call->window + tile) : most(keys, call->keys);
	const double all_s = blocks / units * (keys * key_s + block_s(attention, call));
	const double longest_s = longest * key_s + block_s(attention, call);
	return call->writes_cache ? all_s + longest_s : most(all_s, longest_s);
}

/*
 * Returns the least seconds of a kernel: it starts, and reads and writes for as many heads of keys as of queries, and
 * as many keys, unless those are another sequence's.
 */
static double floor_s(const struct device *device, const struct attention_call *call)
{
	const double keys = call->sources > 0 ? call->sources : call->queries;
	const double bytes = (call->queries + keys) * call->heads * call->widths * call->item_bytes;
	return bytes * device->s_per_byte + device->product.launch_s;
}

double device_attention_s(const struct device *device, const struct attention_call *call)
{
	const struct device_attention *attention = &device->attention;
	const double s = blocks_s(device, call, 1, attention->forward);
	if (!call->writes_cache || !(attention->tile > 0))
		return most(s, floor_s(device, call));
	const double bytes = call->queries * (call->heads + call->kv_heads) * call->widths * call->item_bytes;
	return attention->start_s + s +
	       (1 - call->spared) * attention->copies * bytes * device_s_per_byte(device, bytes);
}

double device_attention_backward_s(const struct device *device, const struct attention_call *call)
{
	return most(blocks_s(device, call, 2.5, device->attention.backward), 2 * floor_s(device, call));
}

/* Returns how many parts the keys of a head are split into. */
static double token_parts(
	const struct device *device, const struct token_attention_call *call, double blocks, bool is_single)
{
	static const double together = 4; /* blocks that a multiprocessor has at most where keys are split */
	const struct device_token_attention *token = &device->attention.token;
	if (call->format && token->narrow.whole > 0 && !is_single)
		return 1;
	return most(1, least(together * device->product.units / blocks, call->keys / token->split_keys));
}

/* Returns the rate at which a block works through a cache, in bytes that it has in 16 bits. */
static double block_rate(
	const struct device *device, const struct token_attention_call *call, bool is_single, bool is_wide)
{
	const struct device_token_attention *token = &device->attention.token;
	const double wide = call->format ? token->narrow.wide_bytes_per_s : token->wide_bytes_per_s;
	const double own = device->memory_bytes_per_s * (call->format ? 2 : 1) / device->product.units;
	return is_wide ? wide : most(own, is_single ? wide : token->bytes_per_s);
}

double device_token_attention_s(const struct device *device, const struct token_attention_call *call)
{
	enum { WIDE = 32 };
	const struct device_token_attention *token = &device->attention.token;
	const double units = device->product.units;
	const double memory_s = call->bytes * device_s_per_byte(device, call->bytes);
	const double flop = 2 * call->sequences * call->keys * call->heads * call->widths;
	const double rate = call->rate_flop_per_s * device->attention.forward *
			    format_gain(&device->attention, call->format, call->widths);
	const double flop_s = rate > 0 ? flop / rate : 0;
	if (!(token->bytes_per_s > 0) || !(units > 0) || !(call->kv_heads > 0))
		return device->product.launch_s + most(flop_s, device_product_memory_s(device, call->bytes));
	const double group = call->heads / call->kv_heads;
	const bool is_wide = group > WIDE, is_single = is_wide || !(group > 1);
	const double blocks = call->sequences * (is_wide ? call->heads : call->kv_heads);
	const double parts = is_wide ? 1 : token_parts(device, call, blocks, is_single);
	const double bytes = call->cache_bytes * (call->format ? 2 : 1) / (call->sequences * call->kv_heads);
	const double group_s =
		(call->format ? token->narrow.block_s : token->block_s) + group * token->group_s;
	const double single_s = call->format ? token->narrow.single_s : token->single_s;
	const double waves = most(1, blocks * parts / units);
	const double fixed_s = waves * (is_single ? single_s : group_s);
	const double read_s = waves * bytes / parts / block_rate(device, call, is_single, is_wide);
	return token->start_s + (parts > 1 ? token->split_s : 0) +
	       most(fixed_s + most(read_s, flop_s), memory_s + token->exposed * fixed_s);
}
