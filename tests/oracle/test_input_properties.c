/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for any data set, machine and options. */
#include "input_made_up.h"

#include "input_random.h"
#include "test.h"

enum { CASES = 3000 };

struct chance {
	struct made_up made;
	struct input_load load;
	double busy_s;
};

static bool coin(uint64_t *random)
{
	return random_share(random) < 0.5;
}

static void chance_tiers(struct made_up *made, uint64_t *random)
{
	struct storage_tier *const local = &made->tiers[0], *const shared = &made->tiers[1];
	local->read_bytes_per_s = random_scale(random, 1e8, 1e10);
	local->capacity_bytes = coin(random) ? random_scale(random, 1e9, 1e13) : 0;
	local->random_reads_per_s = coin(random) ? random_scale(random, 1e3, 1e6) : 0;
	shared->read_bytes_per_s = random_scale(random, 1e9, 1e12);
	shared->client_bytes_per_s = coin(random) ? random_scale(random, 1e8, 1e10) : 0;
	shared->opens_per_s = coin(random) ? random_scale(random, 1e3, 1e6) : 0;
	shared->open_s = coin(random) ? random_scale(random, 1e-5, 1e-1) : 0;
	shared->variation = coin(random) ? -1 : random_share(random);
}

static struct chance chance_make(uint64_t *random)
{
	struct chance chance;
	struct made_up *const made = &chance.made;
	made_up_fill(made);
	made->model.dataset.samples = floor(random_scale(random, 1e3, 1e9));
	made->model.dataset.sample_bytes = random_scale(random, 1e3, 1e9);
	made->model.dataset.layout = (int)(3 * random_share(random));
	made->model.dataset.encoding = (int)(ENCODINGS * random_share(random));
	chance_tiers(made, random);
	made->machine.host.memory_bytes = random_scale(random, 1e10, 1e13);
	made->machine.host.memory_bytes_per_s = 1e15; /* faster than any disk */
	made->machine.host.cores = floor(random_scale(random, 1, 256));
	made->options.shuffle = (enum paradl_shuffle)(PARADL_SHUFFLE_COUNT * random_share(random));
	made->options.exchanged = made->options.shuffle >= PARADL_SHUFFLE_PARTIAL ? random_share(random) : 0;
	made->options.cache = (enum paradl_cache)(PARADL_CACHE_COUNT * random_share(random));
	made->options.prefetch = coin(random) ? floor(random_scale(random, 1, 32)) : 0;
	made->options.in_turn = random_share(random) < 0.2;
	chance.load = made_up_load(floor(random_scale(random, 1, 1024)), floor(random_scale(random, 1, 256)));
	chance.busy_s = random_scale(random, 1e-4, 10);
	return chance;
}

static struct paradl_input ask(struct chance *chance)
{
	chance->made.machine.storage = chance->made.tiers; /* of this copy */
	const struct input_setting setting = made_up_setting(&chance->made);
	struct input_rates rates;
	struct paradl_input input;
	input_rates_choose(&setting, &chance->load, chance->busy_s, &rates);
	input_describe(&setting, &rates, &chance->load, chance->busy_s, &input);
	assert_close(input_step(&setting, &rates, &chance->load, chance->busy_s), input.step_s, 1e-12);
	return input;
}

static void sums(void **state)
{
	(void)state;
	uint64_t random = 1;
	for (unsigned i = 0; i < CASES; i++) {
		struct chance chance = chance_make(&random);
		const struct paradl_input input = ask(&chance);
		const double parts[] = {input.stall_fetch_s, input.stall_straggler_s,
			input.stall_preparation_s, input.stall_exchange_s};
		double step_s = chance.busy_s;
		for (unsigned p = 0; p < 4; p++) {
			assert_true(parts[p] >= 0);
			step_s += parts[p];
		}
		assert_close(step_s, input.step_s, 1e-9);
		assert_true(input.step_s >= chance.busy_s);
		assert_true(input.utilisation > 0 && input.utilisation <= 1);
		assert_true(input.first_epoch_s >= input.epoch_s * (1 - 1e-12));
		assert_true(input.binding != input.next);
		for (unsigned r = 0; r < PARADL_RESOURCE_COUNT; r++) {
			assert_true(input.resource_s[r] <= input.resource_s[input.binding]);
			assert_true(
				r == input.binding || input.resource_s[r] <= input.resource_s[input.next]);
			assert_true(input.resource_s[r] <= input.step_s * (1 + 1e-12));
		}
	}
}

/* Twice as much of anything never makes a step longer. */
static void monotone(void **state)
{
	(void)state;
	uint64_t random = 2;
	for (unsigned i = 0; i < CASES; i++) {
		struct chance chance = chance_make(&random);
		struct chance better = chance;
		double *const numbers[] = {&better.made.tiers[0].read_bytes_per_s,
			&better.made.tiers[0].random_reads_per_s, &better.made.tiers[1].read_bytes_per_s,
			&better.made.tiers[1].client_bytes_per_s, &better.made.tiers[1].opens_per_s,
			&better.made.machine.host.cores, &better.made.machine.host.memory_bytes,
			&better.made.machine.host.network_bytes_per_s,
			&better.made.machine.device.link.host_bytes_per_s, &better.made.options.prefetch};
		const struct paradl_input input = ask(&chance);
		for (unsigned n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
			*numbers[n] *= 2;
			const double step_s = ask(&better).step_s;
			if (step_s >
				input.step_s *
					(1 + 1e-8)) /* AUTO takes stores with the same time for one another */
				fail_msg("%g s instead of %g with twice number %u", step_s, input.step_s, n);
			*numbers[n] /= 2;
		}
		better.busy_s *= 2;
		assert_true(ask(&better).step_s >= input.step_s * (1 - 1e-12));
	}
}

/* In turn is never faster, and a buffer without end is what no buffer is said to be. */
static void ways(void **state)
{
	(void)state;
	uint64_t random = 3;
	for (unsigned i = 0; i < CASES; i++) {
		struct chance chance = chance_make(&random);
		chance.made.options.in_turn = false;
		chance.made.options.prefetch = 0;
		const double step_s = ask(&chance).step_s;
		chance.made.options.prefetch = 1e9;
		assert_close(ask(&chance).step_s, step_s, 1e-6);
		chance.made.options.in_turn = true;
		assert_true(ask(&chance).step_s >= step_s * (1 - 1e-12));
		chance.made.options.off = true;
		assert_close(ask(&chance).step_s, chance.busy_s, 1e-15);
	}
}

/* What AUTO takes is possible if anything is, and no slower than all that are. */
static void automatic(void **state)
{
	(void)state;
	uint64_t random = 4;
	for (unsigned i = 0; i < CASES; i++) {
		struct chance chance = chance_make(&random);
		chance.made.options.shuffle = PARADL_SHUFFLE_GLOBAL;
		chance.made.options.exchanged = 0;
		const struct paradl_input best = ask(&chance);
		assert_true(best.possible);
		for (unsigned store = PARADL_STORE_SHARED; store <= PARADL_STORE_POOLED; store++) {
			chance.made.options.store = store;
			const struct paradl_input other = ask(&chance);
			if (other.possible)
				assert_true(best.step_s <= other.step_s * (1 + 1e-8));
		}
	}
}

/* One worker has nobody to wait for and nobody to exchange with. */
static void alone(void **state)
{
	(void)state;
	uint64_t random = 5;
	for (unsigned i = 0; i < CASES; i++) {
		struct chance chance = chance_make(&random);
		chance.load = (struct input_load){.nodes = 1,
			.devices = 1,
			.readers = 1,
			.batch = 32,
			.reader_samples = 32,
			.node_samples = 32};
		const struct paradl_input input = ask(&chance);
		assert_true(input.exchange_s <= 0 && input.straggler_s <= 0 && input.stall_exchange_s <= 0);
		assert_true(input.resource_s[PARADL_RESOURCE_PEERS] <= 0);
		assert_int_equal(input.risk, PARADL_RISK_NONE);
	}
}

/* Seconds until the last reader has what a step reads of the shared file system. */
static double read_together_s(struct chance *chance)
{
	const struct input_setting setting = made_up_setting(&chance->made);
	struct input_rates rates;
	struct input_stages stages;
	input_rates_fill(&setting, chance->load.nodes, chance->load.readers, PARADL_STORE_SHARED, &rates);
	input_stages_fill(&setting, &rates, &chance->load, true, &stages);
	return stages.fetch_s + stages.straggler_s;
}

/* More readers of a shared store never read less together, on one node or on many, however much its times vary. */
static void together(void **state)
{
	(void)state;
	uint64_t random = 6;
	for (unsigned i = 0; i < CASES; i++) {
		struct chance chance = chance_make(&random);
		double clients[] = {1, 4, 16, 64}, read[4] = {random_scale(&random, 1e8, 1e10)};
		chance.made.machine.storage = chance.made.tiers;
		struct storage_tier *const shared = &chance.made.tiers[1];
		shared->variation = coin(&random) ? random_scale(&random, 0.01, 100) : shared->variation;
		for (unsigned row = 1; row < 4; row++)
			read[row] = read[row - 1] * (1 + 3 * random_share(&random));
		if (coin(&random))
			shared->by_clients = (struct points){clients, read, 4};
		double before = 0;
		for (unsigned readers = 1; readers <= 4096; readers += 1 + readers / 8) {
			const double nodes = ceil(readers / 4.);
			chance.load = (struct input_load){.nodes = nodes,
				.devices = readers,
				.readers = readers,
				.batch = readers * 32.,
				.reader_samples = 32,
				.node_samples = readers * 32. / nodes};
			const double rate = chance.load.batch / read_together_s(&chance);
			if (rate < before * (1 - 1e-9))
				fail_msg("%u readers have %g samples a second, fewer had %g", readers, rate,
					before);
			before = rate;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums),
		cmocka_unit_test(monotone),
		cmocka_unit_test(ways),
		cmocka_unit_test(automatic),
		cmocka_unit_test(alone),
		cmocka_unit_test(together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
