/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ways to feed a plan, with round numbers: epochs by hand, inverse questions by asking just before and behind the answer
 * and by closed forms, fixes by making them, sweeps against single questions.
 */
#include "oracle/input/input.h"
#include "oracle/oracle.h"
#include "oracle/shipped.h"
#include "paradl/study.h"

/* 1e6 images of 100 kB in shards, of 1,000 classes; nodes of four devices with 40 cores, all reading 10 GB/s together. */
struct place {
	struct setup *setup;
	struct paradl_model model;
	struct paradl_machine machine;
	struct storage_tier tiers[2];
	struct paradl_oracle *oracle;
};

static void begin(struct place *place, void **state)
{
	place->setup = *state;
	place->model = *shipped_model(place->setup, "resnet50");
	place->model.dataset = (struct dataset){.name = "made up",
		.samples = 1e6,
		.sample_bytes = 1e5,
		.decoded_bytes = 6e5,
		.classes = 1000,
		.files = 100,
		.layout = LAYOUT_SHARDS,
		.encoding = ENCODING_JPEG,
		.preparation_s = 4e-3};
	place->machine = *shipped_machine(place->setup, 1, 1);
	place->tiers[0] = (struct storage_tier){
		.name = "local", .scope = STORAGE_NODE, .read_bytes_per_s = 5e9, .capacity_bytes = 30e9};
	place->tiers[1] = (struct storage_tier){
		.name = "shared", .scope = STORAGE_SYSTEM, .read_bytes_per_s = 1e9, .variation = 0};
	place->machine.storage = place->tiers;
	place->machine.storage_count = 2;
	place->machine.host = (struct host){.cores = 40,
		.memory_bytes = 100e9,
		.cache_share = 0.1,
		.memory_bytes_per_s = 1e12,
		.network_bytes_per_s = 100e9};
	const struct paradl_options options = {.ideal = false};
	place->oracle = paradl_oracle_create(place->setup->arena, &place->model, &place->machine,
		shipped_framework(place->setup, "nccl"), &options, &place->setup->error);
	if (!place->oracle)
		fail_msg("%s", place->setup->error.message);
}

static struct paradl_plan data(unsigned devices)
{
	char text[32];
	snprintf(text, sizeof text, "data=%u", devices);
	return setup_plan(text, 32.0 * devices);
}

static struct paradl_input_table ask(struct place *place, const struct paradl_input_request *request)
{
	struct paradl_input_table table;
	if (!paradl_input_table(place->oracle, request, place->setup->arena, &table, &place->setup->error))
		fail_msg("%s", place->setup->error.message);
	return table;
}

static const struct paradl_input_row *row_of(const struct paradl_input_case *at, enum paradl_store store)
{
	size_t i = 0;
	while (i + 1 < at->row_count && at->rows[i].way.store != store)
		++i;
	assert_int_equal(at->rows[i].way.store, store);
	return &at->rows[i];
}

static double need_of(const struct paradl_input_case *at, const char *name)
{
	for (size_t i = 0; i < at->need_count; ++i)
		if (strcmp(at->needs[i].name, name) == 0)
			return at->needs[i].needs;
	return (double)NAN;
}

static const struct paradl_input_mode only_shared = {PARADL_STORE_SHARED, PARADL_SHUFFLE_GLOBAL, 0, 0};

/* 100 GB at 1 GB/s are 100 s, whatever the devices do; staging a tenth of that to each of ten nodes takes as long. */
static void epochs_by_hand(void **state)
{
	struct place place;
	begin(&place, state);
	const struct paradl_plan plan = data(40);
	const struct paradl_input_request request = {
		.plans = &plan, .plan_count = 1, .options = {.cache = PARADL_CACHE_NONE}, .epochs = 90};
	const struct paradl_input_table table = ask(&place, &request);
	const struct paradl_input_case *const at = &table.cases[0];
	const struct paradl_input_row *const shared = row_of(at, PARADL_STORE_SHARED);
	const struct paradl_input_row *const pooled = row_of(at, PARADL_STORE_POOLED);
	const struct paradl_input_row *const copy = row_of(at, PARADL_STORE_COPY);
	assert_true(shared->input.binding == PARADL_RESOURCE_SHARED);
	/* processes that load begin anew in each epoch, the slowest of 40 later than the others */
	const double start_s = 7.2 * (1 + 0.1 * sqrt(2 * log(40))), epoch_s = start_s + 100;
	assert_close(shared->input.epoch_start_s, 7.2, 1e-12);
	assert_close(shared->input.epoch_start_s + shared->input.epoch_late_s, start_s, 1e-12);
	assert_close(shared->input.epoch_s, epoch_s, 1e-9);
	assert_close(shared->finish_s, 90 * epoch_s, 1e-9);
	assert_close(pooled->input.staging_s, 100, 1e-9);
	assert_close(pooled->finish_s, 100 + pooled->input.first_epoch_s + 89 * pooled->input.epoch_s, 1e-12);
	assert_close(pooled->break_even_epochs, 100 / (epoch_s - pooled->input.epoch_s), 1e-9);
	assert_close(shared->break_even_epochs, 0, 1e-12);
	assert_false(copy->input.possible); /* 100 GB on disks of 30 GB */
	assert_ptr_equal(copy, &at->rows[at->row_count - 1]);
	assert_ptr_equal(pooled, &at->rows[0]);
}

/* A worker of 40 has 25,000 samples, 25 of each class; of 2,000: 500, and half a one. */
static void risk_and_its_evidence(void **state)
{
	struct place place;
	begin(&place, state);
	const struct paradl_plan plans[] = {data(40), data(2000)};
	const struct paradl_input_mode way = {PARADL_STORE_SHARD, PARADL_SHUFFLE_LOCAL, 0, 0};
	const struct paradl_input_request request = {
		.plans = plans, .plan_count = 2, .ways = &way, .way_count = 1};
	const struct paradl_input_table table = ask(&place, &request);
	assert_int_equal(table.cases[0].rows[0].input.risk, PARADL_RISK_LOW);
	assert_close(table.cases[0].rows[0].samples_per_class, 25, 1e-12);
	assert_int_equal(table.cases[1].rows[0].input.risk, PARADL_RISK_HIGH);
	assert_close(table.cases[1].rows[0].samples_per_reader, 500, 1e-12);
	assert_close(table.cases[1].rows[0].samples_per_class, 0.5, 1e-12);
	assert_close(table.cases[1].rows[0].input.risk_points, 9.2 * log2(1.36 * 2000 * 1000 / 1e6), 1e-9);
	/* 9.2 log2(2.72) exp(-8.5 Q) = 1.5 */
	assert_close(
		need_of(&table.cases[1], "least_exchanged_share"), log(9.2 * log2(2.72) / 1.5) / 8.5, 1e-4);
}

/* Epochs after which caches have been full nearly always. */
static const double long_full = 1e15;

static struct paradl_input shared_with(
	struct place *place, const struct paradl_estimate *estimate, double cache)
{
	const struct paradl_input_options options = {.store = PARADL_STORE_SHARED,
		.cache = PARADL_CACHE_PINNED,
		.cache_bytes = cache,
		.epochs = long_full};
	struct paradl_input input;
	paradl_input(place->oracle, estimate, &options, &input);
	return input;
}

/* A pinned cache of C bytes leaves (S - C) / 1 GB/s of each epoch: as long as devices take with C = S - 1 GB/s * that. */
static void memory_that_is_enough(void **state)
{
	struct place place;
	begin(&place, state);
	const struct paradl_plan plan = data(40);
	const struct paradl_input_request request = {.plans = &plan,
		.plan_count = 1,
		.ways = &only_shared,
		.way_count = 1,
		.epochs = long_full,
		.options = {.cache = PARADL_CACHE_PINNED}};
	place.machine.host.cores = 4000; /* that do not stall */
	const struct paradl_input_table table = ask(&place, &request);
	const struct paradl_input_case *const at = &table.cases[0];
	const double needs = need_of(at, "memory_bytes_per_node");
	const double busy_epoch_s = 1e6 / at->estimate.plan.batch * at->rows[0].input.busy_s;
	assert_close(needs, 100e9 - 1e9 * busy_epoch_s, 1e-4);
	assert_true(shared_with(&place, &at->estimate, needs).stall_fetch_s < 1e-6);
	assert_true(shared_with(&place, &at->estimate, needs * 0.99).stall_fetch_s > 1e-6);
}

/* Of 4 ms each, at nine tenths of all cores: as many as the samples of a node take in a second. */
static void cores_that_are_enough(void **state)
{
	struct place place;
	begin(&place, state);
	const struct paradl_plan plan = data(8);
	const struct paradl_input_request request = {
		.plans = &plan, .plan_count = 1, .ways = &only_shared, .way_count = 1};
	const struct paradl_input_case *at = &ask(&place, &request).cases[0];
	const double per_device = at->rows[0].input.samples_per_s / 8;
	const double needs = need_of(at, "cores_per_device");
	assert_close(needs, ceil(per_device * 4e-3 / 0.9), 1e-12);
	place.machine.host.cores = 4 * needs;
	assert_true(ask(&place, &request).cases[0].rows[0].input.stall_preparation_s < 1e-9);
	place.machine.host.cores = 4 * (needs - 1);
	assert_true(ask(&place, &request).cases[0].rows[0].input.stall_preparation_s > 1e-9);
}

/* 100 GB on disks of 30 GB: four nodes. 1 GB/s feeds as many devices as take 100 kB at their rate, in whole nodes. */
static void sizes_that_are_enough(void **state)
{
	struct place place;
	begin(&place, state);
	const struct paradl_plan plan = data(4);
	const struct paradl_input_request request = {
		.plans = &plan, .plan_count = 1, .options = {.cache = PARADL_CACHE_NONE}};
	const struct paradl_input_case *const at = &ask(&place, &request).cases[0];
	const double of_device = at->rows[0].input.bytes_per_s / 4;
	assert_close(need_of(at, "pooled_nodes"), 4, 1e-12);
	assert_false(row_of(at, PARADL_STORE_POOLED)->input.possible);
	assert_close(need_of(at, "shared_devices"), 4 * floor(1e9 / (4 * of_device)), 1e-12);
}

static int enough_of(const struct paradl_input_case *at, const char *name)
{
	for (size_t i = 0; i < at->need_count; ++i)
		if (strcmp(at->needs[i].name, name) == 0)
			return at->needs[i].enough;
	return true; /* nothing is needed */
}

/* What is there is enough where, and only where, rows have no such stalls, or room. Shares that change hands are not known of global shuffles. */
static void enough_is_what_rows_say(void **state)
{
	unsigned seen[2][2] = {{0}};
	for (unsigned i = 0; i < 36; i++) {
		struct place place;
		begin(&place, state);
		place.machine.host.cores = (double[]){4, 40, 4000}[i % 3];
		place.tiers[1].read_bytes_per_s = (double[]){1e9, 1e12}[i / 3 % 2];
		place.machine.host.cache_share = (double[]){0.1, 1}[i / 6 % 2];
		const struct paradl_plan plan = data((unsigned[]){4, 16, 40}[i / 12]);
		const struct paradl_input_request request = {
			.plans = &plan, .plan_count = 1, .options = {.cache = PARADL_CACHE_PINNED}};
		const struct paradl_input_case *const at = &ask(&place, &request).cases[0];
		const struct paradl_input *const best = &at->rows[0].input,
						 *const pooled = &row_of(at, PARADL_STORE_POOLED)->input,
						 *const shared = &row_of(at, PARADL_STORE_SHARED)->input;
		const bool reads = best->fetch_s <= best->busy_s,
			   prepares = best->preparation_s <= best->busy_s;
		assert_int_equal(enough_of(at, "memory_bytes_per_node"), reads);
		assert_int_equal(enough_of(at, "cores_per_device"), prepares);
		assert_int_equal(enough_of(at, "pooled_nodes"), pooled->possible);
		assert_int_equal(enough_of(at, "most_exchanged_share"), -1);
		if (!(shared->cached_share > 0)) /* which grows with the number of nodes */
			assert_int_equal(enough_of(at, "shared_devices"), shared->fetch_s <= shared->busy_s);
		seen[0][prepares]++;
		seen[1][pooled->possible]++;
	}
	for (unsigned i = 0; i < 2; i++)
		assert_true(seen[i][0] > 0 && seen[i][1] > 0);
}

/* A share that is exchanged is what is there. */
static void shares_that_are_enough(void **state)
{
	struct place place;
	begin(&place, state);
	const struct paradl_plan plan = data(40);
	for (double share = 0; share < 1; share += 0.3) {
		const struct paradl_input_mode way = {PARADL_STORE_SHARD,
			share > 0 ? PARADL_SHUFFLE_PARTIAL : PARADL_SHUFFLE_LOCAL, share, 0};
		const struct paradl_input_request request = {
			.plans = &plan, .plan_count = 1, .ways = &way, .way_count = 1};
		const struct paradl_input_case *const at = &ask(&place, &request).cases[0];
		assert_int_equal(
			enough_of(at, "most_exchanged_share"), share <= need_of(at, "most_exchanged_share"));
	}
}

/* 1e5 samples to validate are read beside forward passes after each epoch, and staged: 10 s more at 1 GB/s, a tenth. */
static void validation_is_read_and_staged(void **state)
{
	struct place place;
	begin(&place, state);
	const struct paradl_plan plan = data(40);
	const struct paradl_input_request request = {
		.plans = &plan, .plan_count = 1, .options = {.cache = PARADL_CACHE_NONE}, .epochs = 90};
	const struct paradl_input_row without = *row_of(&ask(&place, &request).cases[0], PARADL_STORE_SHARED);
	place.model.dataset.validation_samples = 1e5;
	const struct paradl_input_case *const at = &ask(&place, &request).cases[0];
	const struct paradl_input_row *const shared = row_of(at, PARADL_STORE_SHARED),
					     *const pooled = row_of(at, PARADL_STORE_POOLED);
	assert_close(shared->input.epoch_s, without.input.epoch_s, 1e-12);
	assert_close(shared->input.validation_s, 10, 1e-9);
	assert_close(shared->finish_s - without.finish_s, 90 * 10, 1e-9);
	assert_close(pooled->input.staging_s, 110, 1e-9);
	assert_close(pooled->input.stored_bytes_per_node, 110e9 / 10, 1e-12);
	/* forward passes alone where nothing stalls them */
	assert_close(pooled->input.validation_s,
		1e5 / at->estimate.plan.batch * at->estimate.phase_s[PARADL_FORWARD], 1e-9);
}

/* What a fix says is what the changed question says. */
static void fixes_are_evaluated(void **state)
{
	struct place place;
	begin(&place, state);
	const struct paradl_plan plan = data(40);
	struct paradl_input_request request = {.plans = &plan,
		.plan_count = 1,
		.ways = &only_shared,
		.way_count = 1,
		.options = {.cache = PARADL_CACHE_NONE, .workers = 1, .in_turn = true}};
	const struct paradl_input_case *at = &ask(&place, &request).cases[0];
	assert_true(at->fix_count > 0 && at->fix_count <= 3);
	for (size_t i = 0; i < at->fix_count; ++i) {
		const struct paradl_input_fix *const fix = &at->fixes[i];
		struct paradl_input_options options = request.options;
		struct paradl_input input;
		options.store = PARADL_STORE_SHARED;
		if (strcmp(fix->name, "overlap") == 0)
			options.in_turn = false;
		else if (strcmp(fix->name, "workers") == 0)
			options.workers = 0;
		else if (strcmp(fix->name, "pinned") == 0)
			options.cache = PARADL_CACHE_PINNED;
		else if (strcmp(fix->name, "pooled") == 0)
			options.store = PARADL_STORE_POOLED;
		else
			fail_msg("%s was not expected", fix->name);
		paradl_input(place.oracle, &at->estimate, &options, &input);
		assert_close(fix->step_s, input.step_s, 1e-12);
		assert_close(fix->saved_share, 1 - input.step_s / at->rows[0].input.step_s, 1e-12);
		assert_true(fix->saved_share >= 0.01);
	}
	place.machine.host.cores = 4000;
	place.tiers[1].read_bytes_per_s = 1e12;
	request.options = (struct paradl_input_options){.off = false};
	assert_int_equal(ask(&place, &request).cases[0].fix_count, 0); /* nothing stalls: nothing to mend */
}

static bool same_answer(const struct paradl_input *a, const struct paradl_input *b)
{
	return a->store == b->store && !(fabs(a->step_s - b->step_s) > 0) &&
	       !(fabs(a->staging_s - b->staging_s) > 0) && !(fabs(a->first_epoch_s - b->first_epoch_s) > 0);
}

static void sweeps_are_single_questions(void **state)
{
	struct place place;
	begin(&place, state);
	const struct paradl_plan plans[] = {data(4), data(16), data(64)};
	const struct paradl_input_mode ways[] = {only_shared, {PARADL_STORE_AUTO, PARADL_SHUFFLE_LOCAL, 0, 0},
		{PARADL_STORE_AUTO, PARADL_SHUFFLE_PARTIAL, 0.3, 0},
		{PARADL_STORE_AUTO, PARADL_SHUFFLE_PAIRWISE, 0.3, 0}};
	const struct paradl_input_request all = {
		.plans = plans, .plan_count = 3, .ways = ways, .way_count = 4};
	const struct paradl_input_table table = ask(&place, &all);
	for (size_t k = 0; k < 3; ++k)
		for (size_t i = 0; i < 4; ++i) {
			const struct paradl_input_request one = {
				.plans = &plans[k], .plan_count = 1, .ways = &ways[i], .way_count = 1};
			const struct paradl_input_table single = ask(&place, &one);
			const struct paradl_input *const a = &single.cases[0].rows[0].input;
			bool found = false;
			for (size_t j = 0; j < 4; ++j)
				found |= same_answer(a, &table.cases[k].rows[j].input);
			assert_true(found);
		}
}

/* More shares change hands: no shorter step, no larger risk. Stalls are all there is besides what devices do. */
static void shares_are_monotone(void **state)
{
	struct place place;
	begin(&place, state);
	const struct paradl_plan plan = data(2000);
	double step_s = 0, points = HUGE_VAL;
	for (unsigned i = 0; i <= 10; ++i) {
		const struct paradl_input_mode way = {PARADL_STORE_SHARD,
			i > 0 ? PARADL_SHUFFLE_PARTIAL : PARADL_SHUFFLE_LOCAL, i / 10.0, 0};
		const struct paradl_input_request request = {
			.plans = &plan, .plan_count = 1, .ways = &way, .way_count = 1};
		const struct paradl_input *const input = &ask(&place, &request).cases[0].rows[0].input;
		assert_true(input->step_s >= step_s && input->risk_points <= points);
		assert_close(input->busy_s + input->stall_fetch_s + input->stall_straggler_s +
				     input->stall_preparation_s + input->stall_exchange_s,
			input->step_s, 1e-12);
		step_s = input->step_s;
		points = input->risk_points;
	}
}

static void nothing_known_is_an_error(void **state)
{
	struct place place;
	begin(&place, state);
	const struct paradl_plan plan = data(4);
	const struct paradl_input_request request = {.plans = &plan, .plan_count = 1};
	struct paradl_input_table table;
	place.model.dataset.sample_bytes = 0;
	assert_false(
		paradl_input_table(place.oracle, &request, place.setup->arena, &table, &place.setup->error));
	assert_int_equal(place.setup->error.status, PARADL_USAGE);
	assert_non_null(strstr(place.setup->error.hint, "--dataset"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(epochs_by_hand),
		setup_test(risk_and_its_evidence),
		setup_test(memory_that_is_enough),
		setup_test(cores_that_are_enough),
		setup_test(sizes_that_are_enough),
		setup_test(validation_is_read_and_staged),
		setup_test(enough_is_what_rows_say),
		setup_test(shares_that_are_enough),
		setup_test(fixes_are_evaluated),
		setup_test(sweeps_are_single_questions),
		setup_test(shares_are_monotone),
		setup_test(nothing_known_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
