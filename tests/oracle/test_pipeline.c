/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPipe: the closed form of the makespan, and whole estimates, against a simulation that only knows queues. */
#include "model/transformer.h"
#include "oracle/roofline.h"
#include "oracle/schedule.h"

enum { PLACES_MOST = 16, JOBS_MOST = 32 };

/* Jobs pass places (stages and links between them) in order; each place takes one at a time, first come, first served. */
struct simulation {
	unsigned places;
	double times[PLACES_MOST];
	unsigned waiting[PLACES_MOST]; /* jobs in the queue of a place */
	double free_at[PLACES_MOST];   /* when the job in a place leaves it; infinite: empty */
	double now;
};

static void start(struct simulation *simulation)
{
	for (unsigned i = 0; i < simulation->places; ++i)
		if (simulation->waiting[i] && isinf(simulation->free_at[i])) {
			simulation->waiting[i]--;
			simulation->free_at[i] = simulation->now + simulation->times[i];
		}
}

static double simulate(const double *times, unsigned places, unsigned jobs)
{
	struct simulation simulation = {.places = places, .waiting = {jobs}};
	for (unsigned i = 0; i < places; ++i) {
		simulation.times[i] = times[i];
		simulation.free_at[i] = HUGE_VAL;
	}
	for (unsigned done = 0; done < jobs;) {
		unsigned next = 0;
		start(&simulation);
		for (unsigned i = 1; i < places; ++i)
			if (simulation.free_at[i] < simulation.free_at[next])
				next = i;
		simulation.now = simulation.free_at[next];
		simulation.free_at[next] = HUGE_VAL;
		if (next + 1 < places)
			simulation.waiting[next + 1]++;
		else
			done++;
	}
	return simulation.now;
}

static void the_makespan_is_that_of_queues(void **state)
{
	(void)state;
	struct random random = {31};
	for (unsigned i = 0; i < 3000; ++i) {
		const unsigned places = random_between(&random, 1, PLACES_MOST);
		const unsigned jobs = random_between(&random, 1, JOBS_MOST);
		double times[PLACES_MOST], sum = 0, slowest = 0;
		for (unsigned k = 0; k < places; ++k) {
			times[k] = random_between(&random, 0, 4) ? random_real(&random, 0, 10)
								 : random_between(&random, 0, 3);
			sum += times[k];
			slowest = fmax(slowest, times[k]);
		}
		assert_close(gpipe_s(sum, slowest, jobs), simulate(times, places, jobs), 1e-12);
	}
}

static const double link_bytes_per_s = 10e9;

struct search {
	const struct chain *chain;
	unsigned parts, jobs, ends[CHAIN_MAX];
	double batch;
	double balanced_s,
		least_work_s; /* worst cut_s of partitions whose slowest stage takes least, and what it takes */
	double least_s;       /* least cut_s of all */
};

/* Layers [first, end) with one micro-batch. */
static struct roofline stage_of(const struct search *search, unsigned first, unsigned end, double samples)
{
	struct roofline sum = {0, 0};
	for (unsigned l = first; l < end; ++l) {
		const struct roofline layer = roofline_of(&search->chain->layers[l], l == 0, samples);
		sum.forward_s += layer.forward_s;
		sum.backward_s += layer.backward_s;
	}
	return sum;
}

/* Forward through stages and links, and back again: the last stage turns round when its forwards are done. */
static double iteration_of(const struct search *search)
{
	double forward[PLACES_MOST], backward[PLACES_MOST], update = 0;
	unsigned places = 0;
	for (unsigned i = 0, first = 0; i < search->parts; first = search->ends[i++]) {
		const struct roofline stage =
			stage_of(search, first, search->ends[i], search->batch / search->jobs);
		double weights = 0;
		for (unsigned l = first; l < search->ends[i]; ++l)
			weights += search->chain->layers[l].w_items;
		update = fmax(update, weights * 12 / ROOFLINE_RATE);
		forward[places] = stage.forward_s;
		backward[places++] = stage.backward_s;
		if (i + 1 == search->parts)
			break;
		const double y = search->chain->layers[search->ends[i] - 1].y_items;
		forward[places] = backward[places] =
			5e-6 + search->batch / search->jobs * y * ITEM / link_bytes_per_s;
		places++;
	}
	for (unsigned i = 0; i < places / 2; ++i) {
		const double swapped = backward[i];
		backward[i] = backward[places - 1 - i];
		backward[places - 1 - i] = swapped;
	}
	return simulate(forward, places, search->jobs) + simulate(backward, places, search->jobs) + update;
}

/* What stages are cut by: two micro-batches of one sample for each stage. Fills what the slowest stage takes. */
static double cut_s(const struct search *search, double *slowest_s)
{
	double sum_s = 0, pace_s = 0;
	*slowest_s = 0;
	for (unsigned i = 0, first = 0; i < search->parts; first = search->ends[i++]) {
		const struct roofline stage = stage_of(search, first, search->ends[i], 1);
		const double y = search->chain->layers[search->ends[i] - 1].y_items;
		const double message_s = i + 1 < search->parts ? 2 * y * ITEM / link_bytes_per_s : 0;
		*slowest_s = fmax(*slowest_s, stage.forward_s + stage.backward_s);
		pace_s = fmax(pace_s, message_s);
		sum_s += stage.forward_s + stage.backward_s + message_s;
	}
	return sum_s + (2 * search->parts - 1) * fmax(pace_s, *slowest_s);
}

/* Looks at all partitions. */
static void partitions(struct search *search, unsigned part, unsigned first)
{
	for (unsigned end = first + 1; part + 1 < search->parts && end < search->chain->count; ++end) {
		search->ends[part] = end;
		partitions(search, part + 1, end);
	}
	if (part + 1 < search->parts)
		return;
	search->ends[part] = search->chain->count;
	double slowest_s;
	const double s = cut_s(search, &slowest_s);
	search->least_s = fmin(search->least_s, s);
	if (slowest_s < search->least_work_s * (1 - 1e-12))
		search->balanced_s = 0;
	if (slowest_s <= search->least_work_s * (1 + 1e-12)) {
		search->least_work_s = fmin(search->least_work_s, slowest_s);
		search->balanced_s = fmax(search->balanced_s, s);
	}
}

static double sum_of_phases(const struct paradl_estimate *estimate)
{
	double s = 0;
	for (unsigned i = 0; i < PARADL_PHASE_COUNT; ++i)
		s += estimate->phase_s[i];
	return s;
}

/* What an estimate says of its stages is simulated; they are cut no worse than by work alone, and nearly as well as can be. */
static void estimates_are_simulations(void **state)
{
	enum { NETWORKS = 120 };
	struct random random = {32};
	double lost = 0, slowest_s;
	for (unsigned i = 0; i < NETWORKS; ++i) {
		struct setup *const setup = *state;
		setup_renew(setup);
		const struct chain chain = chain_random(&random, false);
		const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE,
			"{\"name\": \"all\", \"devices\": 64, \"latency\": \"5 us\", \"bandwidth\": \"10 "
			"GB/s\"}");
		struct paradl_oracle *const oracle = setup_oracle(
			setup, chain_model(setup, &chain, "sgd"), machine, setup_framework(setup, ""), false);
		struct search search = {.chain = &chain, .least_s = HUGE_VAL, .least_work_s = HUGE_VAL};
		search.parts = random_between(&random, 2, chain.count < 8 ? chain.count : 8);
		search.jobs = random_between(&random, 1, JOBS_MOST);
		const unsigned micro = random_between(&random, 1, 64);
		search.batch = micro * search.jobs;
		struct paradl_plan plan =
			setup_plan(arena_printf(setup->arena, "pipeline=%u,micro=%u", search.parts, micro),
				search.batch);
		const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
		partitions(&search, 0, 0);
		assert_int_equal(estimate.split_count, search.parts);
		for (unsigned k = 0; k < search.parts; ++k)
			search.ends[k] = estimate.split[k] + (k ? search.ends[k - 1] : 0);
		assert_close(estimate.iteration_s, iteration_of(&search), 1e-12);
		assert_close(sum_of_phases(&estimate), estimate.iteration_s, 1e-12);
		const double s = cut_s(&search, &slowest_s);
		assert_true(s <= search.balanced_s * (1 + 1e-12));
		lost += s / search.least_s - 1;
	}
	assert_true(lost < 0.01 * NETWORKS);
}

/* Two equal stages of 1x1 convolutions: what is idle is the link twice, and the other stage's work once. */
static void idle_time_is_links_and_bubble(void **state)
{
	struct setup *const setup = *state;
	const char *const conv = "{\"type\": \"conv\", \"out\": 64, \"kernel\": 1, \"bias\": false}";
	const struct paradl_model *const model =
		setup_model(setup, "\"input\": {\"channels\": 64, \"shape\": [64, 64]}",
			arena_printf(setup->arena, "%s, %s", conv, conv));
	static const char *const bandwidths[] = {"100000 GB/s", "1 MB/s"};
	for (unsigned slow = 0; slow < 2; ++slow) {
		const struct paradl_machine *const machine = setup_machine(setup,
			"\"memory\": \"16 GB\", \"memory_rate\": \"1000 TB/s\", \"peak\": {\"fp32\": \"1 "
			"Tflop/s\"}, "
			"\"contraction\": {\"efficiency\": 1}",
			arena_printf(setup->arena,
				"{\"name\": \"all\", \"devices\": 64, \"latency\": \"5 us\", \"bandwidth\": "
				"\"%s\"}",
				bandwidths[slow]));
		const struct paradl_plan plan = setup_plan("pipeline=2,micro=3", 12);
		const struct paradl_estimate got = setup_estimate(
			setup_oracle(setup, model, machine, setup_framework(setup, ""), false), &plan);
		/* Forward one product each; backward one of the first stage, two of the second, which is the slowest. */
		const double product = 3 * 2 * 64 * 64 * 4096 / 1e12, bytes = 3 * 64 * 4096 * ITEM;
		const double link = 5e-6 + bytes / (slow ? 1e6 : 1e14);
		assert_close(got.phase_s[PARADL_FORWARD], 4 * product, 1e-9);
		assert_close(got.phase_s[PARADL_BACKWARD], 4 * 2 * product, 1e-9);
		assert_close(got.phase_s[PARADL_STAGE_TRANSFER],
			2 * link + (slow ? 3 * (link - product) + 3 * (link - 2 * product) : 0), 1e-9);
		assert_close(got.phase_s[PARADL_BUBBLE], 2 * product, 1e-9);
	}
}

/* Micro-batches that nobody asked for: the framework's number, or one for each stage. */
static void the_default_is_the_frameworks(void **state)
{
	struct setup *const setup = *state;
	struct random random = {33};
	const struct chain chain = chain_random(&random, false);
	const struct paradl_model *const model = chain_model(setup, &chain, "sgd");
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE,
		"{\"name\": \"all\", \"devices\": 64, \"latency\": \"5 us\", \"bandwidth\": \"10 GB/s\"}");
	static const struct {
		const char *keys, *plan;
		double micro_batches;
	} cases[] = {{"", "pipeline=2", 2}, {", \"pipeline\": {\"micro_batches\": 5}", "pipeline=2", 5},
		{", \"pipeline\": {\"micro_batches\": 5}", "data=2,pipeline=2", 5},
		{", \"pipeline\": {\"micro_batches\": 5}", "pipeline=2,micro=3", 20},
		{", \"pipeline\": {\"micro_batches\": 5}", "data=2", 1}, {"", "data=2,micro=3", 10}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_oracle *const oracle =
			setup_oracle(setup, model, machine, setup_framework(setup, cases[i].keys), false);
		const struct paradl_plan plan = setup_plan(cases[i].plan, 60);
		assert_close(setup_estimate(oracle, &plan).micro_batches, cases[i].micro_batches, 0);
	}
}

/* Blocks that stages do not share evenly: the first and the last stage have one less, if that is even. */
static void ends_have_one_block_less(void **state)
{
	struct setup *const setup = *state;
	static const struct {
		unsigned blocks;
		const char *plan, *split;
	} cases[] = {{4, "pipeline=2", "2:2"}, {4, "pipeline=3", "1:2:1"}, {7, "pipeline=3", "2:3:2"},
		{6, "pipeline=4", "1:2:2:1"}, {8, "pipeline=5", "1:2:2:2:1"}};
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE,
		"{\"name\": \"all\", \"devices\": 64, \"latency\": \"5 us\", \"bandwidth\": \"10 GB/s\"}");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct transformer_shape shape = {.name = "small",
			.layers = cases[i].blocks,
			.hidden = 256,
			.heads = 4,
			.vocabulary = 50000, /* the last stage has most work */
			.sequence = 256,
			.precision = "fp32",
			.optimizer = "adam"};
		const struct paradl_model *const model =
			transformer_build(setup->arena, &shape, &setup->error);
		assert_non_null(model);
		struct paradl_oracle *const oracle =
			setup_oracle(setup, model, machine, setup_framework(setup, ""), false);
		const struct paradl_plan free = setup_plan(cases[i].plan, 64),
					 given = setup_plan(arena_printf(setup->arena, "%s,split=%s",
								    cases[i].plan, cases[i].split),
						 64);
		const struct paradl_estimate got = setup_estimate(oracle, &free),
					     same = setup_estimate(oracle, &given);
		assert_close(got.iteration_s, same.iteration_s, 0);
		assert_close(got.memory_bytes, same.memory_bytes, 0);
	}
}

/* Stages of a network without blocks are counted in layers: one of the cuts is the usual one, and all layers must be in a stage. */
static void layers_are_counted_without_blocks(void **state)
{
	struct setup *const setup = *state;
	struct random random = {34};
	const struct chain chain = chain_random(&random, false);
	const struct paradl_model *const model = chain_model(setup, &chain, "sgd");
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE,
		"{\"name\": \"all\", \"devices\": 64, \"latency\": \"5 us\", \"bandwidth\": \"10 GB/s\"}");
	struct paradl_oracle *const oracle =
		setup_oracle(setup, model, machine, setup_framework(setup, ""), false);
	const struct paradl_plan usual = setup_plan("pipeline=2", 64);
	const double usual_s = setup_estimate(oracle, &usual).iteration_s;
	unsigned same = 0;
	for (unsigned first = 1; first < model->unit_count; ++first) {
		const struct paradl_plan plan =
			setup_plan(arena_printf(setup->arena, "pipeline=2,split=%u:%u", first,
					   model->unit_count - first),
				64);
		same += fabs(setup_estimate(oracle, &plan).iteration_s - usual_s) <= 0;
	}
	assert_true(same > 0);
	const struct paradl_plan more =
		setup_plan(arena_printf(setup->arena, "pipeline=2,split=1:%u", model->unit_count), 64);
	struct paradl_estimate estimate;
	assert_false(paradl_estimate(oracle, &more, &estimate, &setup->error));
	assert_non_null(strstr(setup->error.message, "layers"));
}

#define MLP       "{\"type\": \"mlp\", \"hidden\": 1024, \"act\": \"gelu\"}"
#define EMBEDDING "{\"type\": \"embedding\", \"rows\": 1000, \"out\": 256}, "
#define REST      "{\"type\": \"head\", \"out\": 1000}, {\"type\": \"loss\", \"kind\": \"cross-entropy\"}"

/* A network may begin with a block: its embedding is in the first group of layers, or before it. */
static void a_first_block_may_have_the_embedding(void **state)
{
	struct setup *const setup = *state;
	static const char *const keys = "\"input\": {\"tokens\": 64}, \"training\": {\"precision\": "
					"\"fp32\", \"optimizer\": \"adam\"}";
	const struct paradl_model *const models[] = {
		setup_model(setup, keys, EMBEDDING "{\"repeat\": 4, \"layers\": [" MLP "]}, " REST),
		setup_model(setup, keys,
			"{\"repeat\": 1, \"layers\": [" EMBEDDING MLP "]}, {\"repeat\": 3, \"layers\": [" MLP
			"]}, " REST)};
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE,
		"{\"name\": \"all\", \"devices\": 64, \"latency\": \"5 us\", \"bandwidth\": \"10 GB/s\"}");
	const struct paradl_plan plan = setup_plan("pipeline=2", 64);
	struct paradl_estimate got[2];
	for (unsigned i = 0; i < 2; ++i)
		got[i] = setup_estimate(
			setup_oracle(setup, models[i], machine, setup_framework(setup, ""), false), &plan);
	assert_close(got[0].iteration_s, got[1].iteration_s, 1e-12);
	assert_close(got[0].memory_bytes, got[1].memory_bytes, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_makespan_is_that_of_queues),
		setup_test(estimates_are_simulations),
		setup_test(idle_time_is_links_and_bubble),
		setup_test(the_default_is_the_frameworks),
		setup_test(ends_have_one_block_less),
		setup_test(layers_are_counted_without_blocks),
		setup_test(a_first_block_may_have_the_embedding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
