/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timelines of pipelines against their estimates, which come from recurrences and closed forms; and what must hold of any:
 * a device does one thing at a time, in the order that messages allow, all of the work and no other.
 */
#include "test.h"

#include "paradl/oracle.h"

static struct paradl_arena *arena;

static int start(void **state)
{
	(void)state;
	arena = paradl_arena_create();
	return arena ? 0 : -1;
}

static int finish(void **state)
{
	(void)state;
	paradl_arena_free(arena);
	return 0;
}

static struct paradl_oracle *oracle_of(const char *network, const char *hw, bool ideal)
{
	struct paradl_error error;
	const struct paradl_options options = {.ideal = ideal};
	const struct paradl_model *const model =
		paradl_model_load(arena, &(struct paradl_source){.path = network}, &error);
	const struct paradl_machine *const machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = hw}, &error);
	assert_non_null(model);
	assert_non_null(machine);
	struct paradl_oracle *const oracle =
		paradl_oracle_create(arena, model, machine, NULL, &options, &error);
	assert_non_null(oracle);
	return oracle;
}

static struct paradl_timeline timeline_of(
	struct paradl_oracle *oracle, const char *text, double batch, struct paradl_estimate *estimate)
{
	struct paradl_error error;
	struct paradl_plan plan;
	struct paradl_timeline timeline = {.count = 0};
	assert_true(paradl_plan_parse(text, &plan, &error));
	plan.batch = batch;
	if (!paradl_estimate(oracle, &plan, estimate, &error) ||
		!paradl_timeline(oracle, &plan, arena, &timeline, &error))
		fail_msg("%s: %s", text, error.message);
	return timeline;
}

static void near(double actual, double expected, double scale)
{
	if (!(actual <= expected + 1e-9 * scale && actual >= expected - 1e-9 * scale))
		fail_msg("%.17g is not %.17g", actual, expected);
}

static double spent_s(const struct paradl_timeline *timeline, unsigned device, enum paradl_work work)
{
	double sum_s = 0;
	for (size_t i = 0; i < timeline->count; i++)
		if (timeline->events[i].device == device && timeline->events[i].work == work)
			sum_s += timeline->events[i].end_s - timeline->events[i].start_s;
	return sum_s;
}

/* There is exactly one. */
static const struct paradl_event *find(
	const struct paradl_timeline *timeline, unsigned stage, unsigned micro_batch, enum paradl_work work)
{
	const struct paradl_event *found = timeline->events;
	size_t count = 0;
	for (size_t i = 0; i < timeline->count; i++) {
		const struct paradl_event *const event = &timeline->events[i];
		if (event->stage != stage || event->micro_batch != micro_batch || event->work != work)
			continue;
		found = event;
		count++;
	}
	assert_int_equal(count, 1);
	return found;
}

/* One thing at a time, sorted, inside the step. */
static void check_order(const struct paradl_timeline *timeline)
{
	for (size_t i = 0; i < timeline->count; i++) {
		const struct paradl_event *const event = &timeline->events[i];
		assert_true(event->start_s >= 0 && event->end_s > event->start_s);
		assert_true(event->end_s <= timeline->end_s * (1 + 1e-12));
		assert_true(event->stage % timeline->devices == event->device ||
			    event->stage == 2 * timeline->devices - 1 - event->device);
		if (i == 0 || timeline->events[i - 1].device != event->device)
			continue;
		assert_true(timeline->events[i - 1].end_s <= event->start_s + 1e-9 * timeline->end_s);
	}
}

/* Forward down the stages, backward up, once each. */
static void check_messages(const struct paradl_timeline *timeline)
{
	const unsigned stages = timeline->devices * timeline->chunks;
	for (unsigned batch = 0; batch < (unsigned)timeline->micro_batches; batch++) {
		double before_s = 0;
		for (unsigned stage = 0; stage < stages; stage++) {
			const struct paradl_event *const event =
				find(timeline, stage, batch, PARADL_WORK_FORWARD);
			assert_true(event->start_s >= before_s - 1e-9 * timeline->end_s);
			before_s = event->end_s;
		}
		for (unsigned stage = stages; stage-- > 0;) {
			const struct paradl_event *const event =
				find(timeline, stage, batch, PARADL_WORK_BACKWARD);
			assert_true(event->start_s >= before_s - 1e-9 * timeline->end_s);
			before_s = event->end_s;
		}
	}
}

/* The device that works longest works as long as the phases say; the rest of the schedule is bubble and transfer. */
static void check_sums(const struct paradl_timeline *timeline, const struct paradl_estimate *estimate)
{
	const double *const phase = estimate->phase_s;
	double busiest_s = 0;
	for (unsigned device = 0; device < timeline->devices; device++) {
		const double busy_s = spent_s(timeline, device, PARADL_WORK_FORWARD) +
				      spent_s(timeline, device, PARADL_WORK_BACKWARD) +
				      spent_s(timeline, device, PARADL_WORK_WEIGHTS);
		busiest_s = busy_s > busiest_s ? busy_s : busiest_s;
		near(spent_s(timeline, device, PARADL_WORK_UPDATE), phase[PARADL_WEIGHT_UPDATE],
			timeline->step_s);
		near(spent_s(timeline, device, PARADL_WORK_INPUT), phase[PARADL_INPUT], timeline->step_s);
	}
	near(timeline->schedule_s - busiest_s, phase[PARADL_BUBBLE] + phase[PARADL_STAGE_TRANSFER],
		timeline->step_s);
	near(timeline->step_s, estimate->iteration_s, timeline->step_s);
}

static void check(struct paradl_oracle *oracle, const char *text, double batch, bool early)
{
	struct paradl_estimate estimate;
	const struct paradl_timeline timeline = timeline_of(oracle, text, batch, &estimate);
	check_order(&timeline);
	check_messages(&timeline);
	check_sums(&timeline, &estimate);
	if (!early)
		near(timeline.end_s, estimate.iteration_s, estimate.iteration_s);
}

static void test_tokens(void **state)
{
	(void)state;
	struct paradl_oracle *const oracle =
		oracle_of("models/llama2-7b.json", "hw-profiles/dgx-a100-superpod.json", false);
	check(oracle, "pipeline=4,micro=1", 8, false);
	check(oracle, "data=2,pipeline=8,tensor=2,micro=1", 24, false);
	check(oracle, "pipeline=2,micro=1,schedule=gpipe", 5, false);
	check(oracle, "data=2,pipeline=4,micro=1,schedule=interleaved:2", 16, false);
	check(oracle, "pipeline=4,micro=1,schedule=zero-bubble", 12, true);
	check(oracle, "pipeline=4,micro=1,schedule=zero-bubble-v", 12, true);
	check(oracle, "pipeline=4,micro=1,zero=1,recompute=full", 1, false);
}

static void test_images(void **state)
{
	(void)state;
	struct paradl_oracle *const oracle =
		oracle_of("models/resnet50.json", "hw-profiles/abci.json", false);
	check(oracle, "pipeline=4", 64, false);
	check(oracle, "data=8,pipeline=2", 512, false);
	check(oracle, "data=2,pipeline=8,micro=2", 64, false);
	check(oracle, "data=2,pipeline=2,filter=2", 64, false);
}

/*
 * Table III: p + S - 1 slots each way. As the estimate, the timeline has to come to (p + S - 1)(FW + BW) and the transfers; the
 * slowest stage is every stage.
 */
static void test_ideal(void **state)
{
	(void)state;
	struct paradl_estimate estimate;
	struct paradl_oracle *const oracle = oracle_of("models/resnet50.json", "hw-profiles/abci.json", true);
	const struct paradl_timeline timeline = timeline_of(oracle, "pipeline=4,micro=8", 64, &estimate);
	const double *const phase = estimate.phase_s;
	check_order(&timeline);
	check_messages(&timeline);
	near(timeline.schedule_s,
		phase[PARADL_FORWARD] + phase[PARADL_BACKWARD] + phase[PARADL_BUBBLE] +
			phase[PARADL_STAGE_TRANSFER],
		timeline.step_s);
	for (unsigned device = 0; device < 4; device++) {
		near(spent_s(&timeline, device, PARADL_WORK_FORWARD), phase[PARADL_FORWARD], timeline.step_s);
		near(spent_s(&timeline, device, PARADL_WORK_BACKWARD), phase[PARADL_BACKWARD],
			timeline.step_s);
	}
	near(timeline.end_s, estimate.iteration_s, estimate.iteration_s);
}

static void test_refused(void **state)
{
	(void)state;
	struct paradl_error error;
	struct paradl_plan plan;
	struct paradl_timeline timeline;
	struct paradl_oracle *const oracle =
		oracle_of("models/llama2-7b.json", "hw-profiles/dgx-a100-superpod.json", false);
	assert_true(paradl_plan_parse("data=4,micro=1", &plan, &error));
	plan.batch = 8;
	assert_false(paradl_timeline(oracle, &plan, arena, &timeline, &error));
	assert_int_equal(error.status, PARADL_USAGE);
	assert_true(paradl_plan_parse("pipeline=32,micro=1", &plan, &error));
	plan.batch = 1e5;
	assert_false(paradl_timeline(oracle, &plan, arena, &timeline, &error));
	assert_non_null(strstr(error.message, "too long"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_tokens, start, finish),
		cmocka_unit_test_setup_teardown(test_images, start, finish),
		cmocka_unit_test_setup_teardown(test_ideal, start, finish),
		cmocka_unit_test_setup_teardown(test_refused, start, finish),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
