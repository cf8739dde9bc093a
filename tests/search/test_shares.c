/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a search knows of a plan, of what it has kept from plans before, against an estimate of that plan by itself, bit for bit. */
#include "search/networks.h"
#include "search/search_state.h"
#include "search/worker.h"

struct subject {
	struct worker *worker;
	struct paradl_oracle *alone; /* that makes estimates */
	unsigned plans, lacking;
};

static bool same(double a, double b)
{
	return !(a < b) && !(a > b);
}

static void plan_check(struct subject *subject, unsigned index)
{
	struct worker *worker = subject->worker;
	struct paradl_estimate alone;
	struct paradl_error error;
	const bool runs = share_time(worker, index);
	const struct paradl_estimate *kept = &worker->estimate;
	assert_int_equal(runs, paradl_estimate(subject->alone, &worker->evaluation.plan, &alone, &error));
	if (!runs) {
		++subject->lacking;
		return;
	}
	share_memory(worker, index);
	++subject->plans;
	if (!same(kept->iteration_s, alone.iteration_s) || !same(kept->memory_bytes, alone.memory_bytes) ||
		!same(kept->phase_s[PARADL_INPUT], alone.phase_s[PARADL_INPUT])) {
		char plan[PARADL_PLAN_TEXT];
		paradl_plan_format(&worker->evaluation.plan, plan, sizeof plan);
		fail_msg("%s: %.17g s, %.17g B; estimate %.17g s, %.17g B", plan, kept->iteration_s,
			kept->memory_bytes, alone.iteration_s, alone.memory_bytes);
	}
}

static void stages_check(struct subject *subject, const struct stage_choice *choice)
{
	struct worker *worker = subject->worker;
	struct evaluation *evaluation = &worker->evaluation;
	if (!stage_choose(worker, choice) || !training_stages(evaluation, &worker->step, worker->error))
		return;
	training_schedule(&worker->evaluation, &worker->step);
	shares_schedule(worker);
	for (unsigned i = 0; i < worker->choices.share_count; ++i)
		plan_check(subject, i);
}

static void task_check(struct subject *subject, struct task *task)
{
	struct worker *worker = subject->worker;
	struct choices *choices = &worker->choices;
	assert_true(branch_bound(worker, task, worker->error));
	if (!task->runs)
		return;
	for (unsigned order = 0; order < choices->orders; ++order) {
		choices_order(choices, order, &worker->evaluation.plan);
		worker->evaluation.plan.zero = choices->shares[0].zero;
		worker->evaluation.plan.shard = choices->shares[0].shard;
		assert_true(evaluation_connect(&worker->evaluation, worker->oracle, worker->error));
		shares_begin(worker);
		for (unsigned i = 0; i < choices->recompute_count; ++i) {
			recompute_enter(worker, choices->recomputes[i]);
			for (unsigned k = 0; k < choices->stage_count; ++k)
				stages_check(subject, &choices->stages[k]);
		}
	}
}

static const char *const keys =
	", " SETUP_SPLIT_ALL ", \"rules\": {\"overlap_gradients\": 0.5, \"overlap_gathers\": 0.4, "
	"\"overlap_shards\": 0.3, \"host_layer\": \"20 us\", \"interference\": 0.1, \"bucket\": \"256 kB\", "
	"\"gradient_passes\": 2, \"gradient_tensor\": \"5 us\", \"stage_blocking\": 0.5}";

/* Every `every`-th task: all its plans, in the order of a search. */
static void network_check(struct setup *setup, enum small network, const char *memory, unsigned every)
{
	const struct paradl_options options = {0};
	static const unsigned devices[] = {8};
	const struct paradl_search_request request = {.devices = devices,
		.device_count = 1,
		.batch = 32,
		.vary = "+offload",
		.exhaustive = true,
		.keep = 1,
		.threads = 1};
	const struct paradl_model *model = network_model(setup, network);
	struct paradl_oracle *oracle = model_oracle(setup, model, memory, keys, &options);
	struct search_state state;
	if (!search_state_open(&state, oracle, &request, 0, &setup->error))
		fail_msg("%s", setup->error.message);
	struct subject subject = {
		.worker = state.workers[0], .alone = model_oracle(setup, model, memory, keys, &options)};
	struct paradl_error error;
	subject.worker->error = &error;
	for (size_t i = 0; i < state.tasks.count; i += every)
		task_check(&subject, &state.tasks.items[i]);
	assert_true(subject.plans > 2000);
	search_state_close(&state);
	setup_renew(setup);
}

static void plans_are_as_alone(void **state)
{
	network_check(*state, NETWORK_DENSE, "8 GB", 5);
	network_check(*state, NETWORK_EXPERTS, "1 GB", 11);
	network_check(*state, NETWORK_IMAGES, "1 GB", 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {setup_test(plans_are_as_alone)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
