/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of fused attention against values worked out by hand, and what must hold for all. */
#include "test.h"

#include "machine/machine.h"

/* 100 units that share 100 Tflop/s, of which attention reaches half: a block of 64 queries of heads of 64 takes 32.768 ns a key. */
static struct device simple(void)
{
	struct device device = {.memory_bytes_per_s = 1e12,
		.efficiency = 0.7,
		.tile = 1,
		.depth_tile = 1,
		.product = {.units = 100,
			.half_tile = 0.9,
			.memory_share = 0.5,
			.launch_s = 2e-6,
			.exposed = 0.25},
		.attention = {.forward = 0.5, .backward = 0.25, .key_tile = 128}};
	device_derive(&device);
	return device;
}

static struct attention_call prompt(double sequences, double tokens, double heads)
{
	return (struct attention_call){.sequences = sequences,
		.queries = sequences * tokens,
		.keys = tokens,
		.heads = heads,
		.kv_heads = heads,
		.widths = 128,
		.rate_flop_per_s = 100e12,
		.causal = true,
		.writes_cache = true};
}

static void without_blocks_work_is_all(void **state)
{
	(void)state;
	const struct device device = simple();
	struct attention_call call = prompt(2, 4096, 8);
	const double pairs = 2 * 4096.0 * (2048 + 64);
	assert_close(device_attention_s(&device, &call), pairs * 8 * 256 / 50e12, 1e-12);
	assert_close(device_attention_backward_s(&device, &call), 2.5 * pairs * 8 * 256 / 25e12, 1e-12);
	call.window = 100;
	assert_close(device_attention_s(&device, &call), 2 * 4096.0 * 100 * 8 * 256 / 50e12, 1e-12);
	call.item_bytes = 1e9 / (2 * 8192 * 8 * 128.0); /* 1 ms: memory is slower */
	assert_close(device_attention_s(&device, &call), 1.002e-3, 1e-12);
	assert_close(device_attention_backward_s(&device, &call), 2.004e-3, 1e-12);
}

static void blocks_are_whole_and_take_their_time(void **state)
{
	(void)state;
	struct device device = simple();
	device.attention.tile = 64;
	device.attention.block_s = 1e-6;
	const double key_s = 64 * 256.0 / 0.5e12;
	struct attention_call call = prompt(
		10, 1, 100); /* 1,000 blocks of one query, each of half a key, block and tile; and one more */
	assert_close(device_attention_s(&device, &call), 11 * ((0.5 + 96) * key_s + 1e-6), 1e-12);
	call = prompt(10, 64, 100); /* as many; no more than a whole tile of 128 keys */
	assert_close(device_attention_s(&device, &call), 11 * (128 * key_s + 1e-6), 1e-12);
	call = prompt(1, 64 * 100, 1); /* one round of 100 blocks, and one that sees all keys */
	assert_close(device_attention_s(&device, &call), (3296 + 6400) * key_s + 2e-6, 1e-12);
	call.writes_cache = false; /* of training: the longest alone */
	assert_close(device_attention_s(&device, &call), 6400 * key_s + 1e-6, 1e-12);
	call = prompt(1, 64 * 100, 10); /* ten rounds */
	call.writes_cache = false;      /* the mean counts */
	assert_close(device_attention_s(&device, &call), 10 * ((3200 + 96) * key_s + 1e-6), 1e-12);
	call.window = 640;
	assert_close(device_attention_s(&device, &call), 10 * ((640 - 32 + 96) * key_s + 1e-6), 1e-12);
	call.writes_cache = true;
	assert_close(device_attention_s(&device, &call), 11 * ((640 - 32 + 96) * key_s + 1e-6), 1e-12);
}

static void keys_come_in_tiles_of_their_own(void **state)
{
	(void)state;
	struct device device = simple();
	device.attention.tile = 64;
	device.attention.key_tile = 16;
	const double key_s = 64 * 256.0 / 0.5e12;
	struct attention_call call =
		prompt(10, 1, 100); /* one tile of keys, not half a block and half of it more */
	assert_close(device_attention_s(&device, &call), 11 * 16 * key_s, 1e-12);
	call = prompt(10, 64, 100);
	assert_close(device_attention_s(&device, &call), (10 * 64 + 64) * key_s, 1e-12);
	call = prompt(10, 640,
		100); /* ten blocks of each: half of the keys, and half of both tiles; the longest sees all */
	assert_close(device_attention_s(&device, &call), (100 * (320 + 40) + 640) * key_s, 1e-12);
}

/* Kernels of serving fill heads up to powers of two; training's are made for more sizes. */
static void heads_are_filled_up_where_served(void **state)
{
	(void)state;
	struct device device = simple();
	device.attention.tile = 64;
	struct attention_call call = prompt(10, 640, 100), full = call;
	call.widths = 2 * 96;
	full.widths = 2 * 128;
	assert_close(device_attention_s(&device, &call), device_attention_s(&device, &full), 1e-12);
	call.widths = 192 + 128; /* latent attention: each of both is filled up */
	call.values = 128;
	full.widths = 256 + 128;
	full.values = 128;
	assert_close(device_attention_s(&device, &call), device_attention_s(&device, &full), 1e-12);
	call.widths = 2 * 96;
	full.widths = 2 * 128;
	call.writes_cache = full.writes_cache = false;
	assert_close(device_attention_s(&device, &call), device_attention_s(&device, &full) * 0.75, 1e-12);
}

static void formats_have_their_rates(void **state)
{
	(void)state;
	struct device device = simple();
	struct attention_call call = prompt(10, 640, 100);
	device.attention.tile = 64;
	device.attention.narrow = 2;
	for (int sizes = 0; sizes < 2; ++sizes) {
		call.widths = sizes ? 2 * 64 : 2 * 128;
		call.format = ATTENTION_WIDE;
		const double wide_s = device_attention_s(&device, &call);
		call.format = ATTENTION_NARROW;
		assert_close(device_attention_s(&device, &call), wide_s / 2, 1e-12);
		call.format = ATTENTION_NARROW_CACHE;
		assert_close(device_attention_s(&device, &call), wide_s / 2, 1e-12);
		device.attention.narrow_cache = 1.25;
		assert_close(device_attention_s(&device, &call), wide_s / 1.25, 1e-12);
		device.attention.narrow_cache = 0;
	}
	const double usual_s = device_attention_s(&device, &call) * 2; /* in 16 bits */
	device.attention.narrow_other = 0.5;
	call.format = ATTENTION_NARROW;
	assert_close(device_attention_s(&device, &call), usual_s / 0.5, 1e-12);
	device.attention.narrow_block_s = 1e-6; /* 100 rounds and one block more */
	assert_close(device_attention_s(&device, &call), usual_s / 0.5 + 101e-6, 1e-12);
	call.format = ATTENTION_NARROW_CACHE;
	assert_close(device_attention_s(&device, &call), usual_s / 2, 1e-12);
}

static void exponentials_starts_and_copies_are_added(void **state)
{
	(void)state;
	struct device device = simple();
	struct attention_call call = prompt(1, 6400, 10);
	device.attention.tile = 64;
	call.writes_cache = false;
	const double training_s = device_attention_s(&device, &call);
	call.writes_cache = true;
	const double before_s = device_attention_s(&device, &call);
	device.attention.softmax_per_s = 1e12;
	/* of all blocks, and of 100 units at once that do one block of 64 queries and all keys */
	const double all = 6400 * (3200 + 96) * 10.0, scores = all + 100 * 64 * 6400.0;
	assert_close(device_attention_s(&device, &call), before_s + scores / 1e12, 1e-12);
	device.attention.start_s = 5e-6;
	device.attention.copies = 2;
	call.kv_heads = 2; /* 1 MB of ten heads of queries and outputs and two of keys and values */
	call.item_bytes = 1e6 / (6400 * 12 * 128.0);
	assert_close(device_attention_s(&device, &call), before_s + scores / 1e12 + 5e-6 + 2e-6, 1e-12);
	call.spared = 0.75; /* of the time of copies, by a cache */
	assert_close(device_attention_s(&device, &call), before_s + scores / 1e12 + 5e-6 + 0.5e-6, 1e-12);
	call.writes_cache = false; /* of training */
	assert_close(device_attention_s(&device, &call), training_s + all / 1e12, 1e-12);
}

static struct token_attention_call token(double sequences, double keys, double heads, double kv_heads)
{
	const double cache = sequences * keys * kv_heads * 512; /* heads of 128 in 16 bits */
	return (struct token_attention_call){.sequences = sequences,
		.keys = keys,
		.heads = heads,
		.kv_heads = kv_heads,
		.widths = 256,
		.cache_bytes = cache,
		.bytes = cache};
}

static struct device with_token(void)
{
	struct device device = simple();
	device.attention.token = (struct device_token_attention){.start_s = 10e-6,
		.block_s = 2e-6,
		.group_s = 0.1e-6,
		.single_s = 1e-6,
		.bytes_per_s = 50e9,
		.wide_bytes_per_s = 20e9,
		.split_s = 3e-6,
		.split_keys = 256,
		.exposed = 0.25,
		.narrow = {.block_s = 4e-6, .single_s = 0.5e-6, .wide_bytes_per_s = 40e9}};
	return device;
}

static void a_token_reads_the_cache(void **state)
{
	(void)state;
	struct device device = simple();
	struct token_attention_call call = token(64, 4096, 64, 8);
	assert_close(device_token_attention_s(&device, &call), 2e-6 + call.bytes / 0.5e12, 1e-12);
	device = with_token(); /* 512 blocks, 5.12 rounds, each 2 + 0.8 us and 2 MiB at 50 GB/s */
	const double fixed_s = 5.12 * 2.8e-6;
	assert_close(
		device_token_attention_s(&device, &call), 10e-6 + call.bytes / 1e12 + 0.25 * fixed_s, 1e-12);
	call.bytes /= 10; /* memory is fast */
	assert_close(
		device_token_attention_s(&device, &call), 10e-6 + fixed_s + 5.12 * 4096 * 512 / 50e9, 1e-12);
	call.rate_flop_per_s = 20e9; /* of which attention reaches half: its flop take 860 ms */
	const double flop_s = 2 * 64 * 4096.0 * 64 * 256 / 10e9;
	assert_close(device_token_attention_s(&device, &call), 10e-6 + fixed_s + flop_s, 1e-12);
	call.bytes *= 10;
	call.rate_flop_per_s = 0;
	call.kv_heads = 0; /* latent attention */
	assert_close(device_token_attention_s(&device, &call), 2e-6 + call.bytes / 0.5e12, 1e-12);
}

static void idle_units_share_the_keys(void **state)
{
	(void)state;
	const struct device device = with_token();
	struct token_attention_call call = token(1, 25600, 1, 1); /* 100 parts of 256 keys */
	assert_close(
		device_token_attention_s(&device, &call), 13e-6 + call.bytes / 1e12 + 0.25 * 1e-6, 1e-12);
	call = token(1, 256000, 1, 1); /* four parts for each unit */
	assert_close(
		device_token_attention_s(&device, &call), 13e-6 + call.bytes / 1e12 + 0.25 * 4e-6, 1e-12);
	call = token(1, 100, 1, 1); /* too few for parts */
	assert_close(device_token_attention_s(&device, &call), 10e-6 + 1e-6 + 100 * 512 / 20e9, 1e-12);
	call = token(1, 25600, 64, 1); /* a wide group: a block for each head, which is not split */
	assert_close(device_token_attention_s(&device, &call), 10e-6 + 1e-6 + 25600 * 512 / 20e9, 1e-12);
}

/* Items of 8 bits are half the bytes, and as much work. */
static void narrow_caches_have_times_of_their_own(void **state)
{
	(void)state;
	struct device device = with_token();
	struct token_attention_call call = token(1, 25600, 8, 1); /* 100 parts of 256 keys */
	call.format = ATTENTION_NARROW_CACHE;
	call.cache_bytes /= 2;
	call.bytes = 0;
	assert_close(device_token_attention_s(&device, &call), 13e-6 + 4.8e-6 + 256 * 512 / 50e9, 1e-12);
	device.attention.token.narrow.whole = 1;
	assert_close(device_token_attention_s(&device, &call), 10e-6 + 4.8e-6 + 25600 * 512 / 50e9, 1e-12);
	call.heads = 64;
	assert_close(device_token_attention_s(&device, &call), 10e-6 + 0.5e-6 + 25600 * 512 / 40e9, 1e-12);
	call.heads = 1; /* is split nevertheless */
	assert_close(device_token_attention_s(&device, &call), 13e-6 + 0.5e-6 + 256 * 512 / 40e9, 1e-12);
}

/* More sequences, tokens or heads never take less time. */
static void more_takes_no_less(void **state)
{
	(void)state;
	struct device device = with_token();
	device.attention.tile = 64;
	device.attention.block_s = 1e-6;
	device.attention.softmax_per_s = 1e13;
	for (double tokens = 1; tokens < 20000; tokens = ceil(tokens * 1.3))
		for (double heads = 1; heads < 200; heads *= 3) {
			const struct attention_call less = prompt(3, tokens, heads),
						    more = prompt(3, tokens + 64, heads),
						    wider = prompt(3, tokens, heads + 1);
			const double s = device_attention_s(&device, &less);
			assert_true(device_attention_s(&device, &more) >= s);
			assert_true(device_attention_s(&device, &wider) >= s);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_blocks_work_is_all),
		cmocka_unit_test(blocks_are_whole_and_take_their_time),
		cmocka_unit_test(keys_come_in_tiles_of_their_own),
		cmocka_unit_test(heads_are_filled_up_where_served),
		cmocka_unit_test(formats_have_their_rates),
		cmocka_unit_test(exponentials_starts_and_copies_are_added),
		cmocka_unit_test(a_token_reads_the_cache),
		cmocka_unit_test(idle_units_share_the_keys),
		cmocka_unit_test(narrow_caches_have_times_of_their_own),
		cmocka_unit_test(more_takes_no_less),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
