/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of fused attention.
 *
 * Prompts: queries come in blocks of T (128 where a device file gives none), keys in tiles of 128. What a causal mask or a window
 * hides is skipped, but for what lies within these:
 *     keys of a query   causal: q / 2 + T / 2 + 64; window w: w - w^2 / (2 q) + T / 2 + 64; at most all, in whole tiles
 *     s of a block      T keys (2 widths / (r share) + softmax) S + block,  r: rate of products, S: multiprocessors
 *     s                 blocks / S of these; where there are fewer than S, one that sees all its keys
 *     of a prompt       start + s + copies bytes / memory rate,  else max(s, launch + bytes / memory rate)
 * Where the device has no T, no query is rounded up, tiles of keys waste nothing, and a block takes no time of its own. Backward
 * computes scores again: 2.5 times the work (Dao, 2023).
 *
 * One new token of each sequence reads its cache. A block of threads reads that of one head of keys and values for all heads of
 * its group; in groups of more than 32, which measured kernels (TensorRT-LLM 1.0) leave to an older one, it serves one head:
 *     parts             of the keys of a head, min(S / blocks, keys / split_keys) on idle multiprocessors; 1 in wide groups
 *     s of a block      block + heads in its group x group + cache bytes of a part / rate of a block
 *     s                 start + split (of parts) + max(c, b) + exposed min(c, b), c = blocks parts / S of these, one at least,
 *                       and not less than its flop at the rate of prompts, b = bytes / (memory rate x share)
 * Where the device does not say the rate of a block, and of latent attention (kv_heads 0): launch + max(flop / rate, b).
 */
#include <math.h>

#include "machine/machine.h"

static const double usual_tile = 128, key_tile = 128;

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

/* Returns seconds of the blocks alone, `work` times those of forward, at a share of the rate of products. */
static double blocks_s(
	const struct device *device, const struct attention_call *call, double work, double share)
{
	const struct device_attention *attention = &device->attention;
	const double rate = call->rate_flop_per_s * share, units = device->product.units;
	const double keys = mean_keys(device, call);
	const double flop = 2 * call->queries * keys * call->heads * call->widths;
	if (!(attention->tile > 0) || !(units > 0))
		return work * flop / rate;
	const double tile = attention->tile;
	const double blocks = call->sequences * call->heads * ceil(call->queries / call->sequences / tile);
	const double softmax_s = attention->softmax_per_s > 0 ? 1 / attention->softmax_per_s : 0;
	const double key_s = work * tile * units * (2 * call->widths / rate + softmax_s);
	const bool slides = call->window > 0 && call->window < call->keys;
	const double longest = slides ? least(call->keys, call->window + tile) : most(keys, call->keys);
	return most(
		blocks / units * (keys * key_s + attention->block_s), longest * key_s + attention->block_s);
}

/* Returns the least seconds of a kernel: it starts, and reads and writes for as many heads of keys as of queries. */
static double floor_s(const struct device *device, const struct attention_call *call)
{
	const double bytes = 2 * call->queries * call->heads * call->widths * call->item_bytes;
	return bytes * device->s_per_byte + device->product.launch_s;
}

double device_attention_s(const struct device *device, const struct attention_call *call)
{
	const struct device_attention *attention = &device->attention;
	const double s = blocks_s(device, call, 1, attention->forward);
	if (!call->writes_cache || !(attention->tile > 0))
		return most(s, floor_s(device, call));
	const double bytes = call->queries * (call->heads + call->kv_heads) * call->widths * call->item_bytes;
	return attention->start_s + s + attention->copies * bytes * device_s_per_byte(device, bytes);
}

double device_attention_backward_s(const struct device *device, const struct attention_call *call)
{
	return most(blocks_s(device, call, 2.5, device->attention.backward), 2 * floor_s(device, call));
}

double device_token_attention_s(const struct device *device, const struct token_attention_call *call)
{
	enum { WIDE = 32 };
	const struct device_token_attention *token = &device->attention.token;
	const double units = device->product.units;
	const double memory_s = device_product_memory_s(device, call->bytes);
	const double flop = 2 * call->sequences * call->keys * call->heads * call->widths;
	const double rate = call->rate_flop_per_s * device->attention.forward;
	const double flop_s = rate > 0 ? flop / rate : 0;
	if (!(token->bytes_per_s > 0) || !(units > 0) || !(call->kv_heads > 0))
		return device->product.launch_s + most(flop_s, memory_s);
	const double group = call->heads / call->kv_heads;
	const bool is_wide = group > WIDE;
	const double blocks = call->sequences * (is_wide ? call->heads : call->kv_heads);
	const double parts = is_wide ? 1 : most(1, least(units / blocks, call->keys / token->split_keys));
	const double bytes = call->cache_bytes / (call->sequences * call->kv_heads) / parts;
	const double fixed_s =
		group > 1 && !is_wide ? token->block_s + group * token->group_s : token->single_s;
	const double block_s = fixed_s + bytes / (is_wide ? token->wide_bytes_per_s : token->bytes_per_s);
	const double read_s = most(most(1, blocks * parts / units) * block_s, flop_s);
	return token->start_s + (parts > 1 ? token->split_s : 0) + most(read_s, memory_s) +
	       device->product.exposed * least(read_s, memory_s);
}
