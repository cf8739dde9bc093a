/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads with clones of one oracle and the oracle itself, each asking in another order: the answers of one fresh oracle. */
#include <pthread.h>

#include "oracle/oracle.h"
#include "oracle/shipped.h"

enum { THREADS = 4, PLANS = 300, DEVICES = 1024 };

struct answer {
	double phase_s[PARADL_PHASE_COUNT], iteration_s, memory_bytes; /* 0: the plan does not run */
};

struct question {
	const struct paradl_model *model;
	const struct paradl_machine *machine;
	struct paradl_plan plans[PLANS];
};

struct worker {
	struct paradl_oracle *oracle;
	const struct question *question;
	unsigned order[PLANS];
	struct answer answers[PLANS];
};

static void *work(void *context)
{
	struct worker *const worker = context;
	for (unsigned i = 0; i < PLANS; ++i) {
		const unsigned place = worker->order[i];
		struct answer *const answer = &worker->answers[place];
		struct paradl_estimate estimate;
		if (!paradl_estimate(worker->oracle, &worker->question->plans[place], &estimate, NULL))
			continue;
		memcpy(answer->phase_s, estimate.phase_s, sizeof answer->phase_s);
		answer->iteration_s = estimate.iteration_s;
		answer->memory_bytes = estimate.memory_bytes;
	}
	return NULL;
}

/* Powers of two that multiply to `devices`, in any order of the axes, and options that ask for all collectives. */
static struct paradl_plan token_plan(struct random *random, unsigned devices, bool experts)
{
	struct paradl_plan plan = setup_plan("serial", devices);
	for (unsigned left = devices; left > 1; left /= 2) {
		const unsigned axis = random_between(random, PARADL_DATA, PARADL_TENSOR);
		plan.degree[axis == PARADL_EXPERT && !experts ? PARADL_DATA : axis] *= 2;
	}
	for (unsigned i = PARADL_AXIS_COUNT - 1; i > 0; --i) {
		const unsigned j = random_between(random, 0, i);
		const unsigned char swapped = plan.order[i];
		plan.order[i] = plan.order[j];
		plan.order[j] = swapped;
	}
	const unsigned replicas = plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT];
	plan.micro = 1;
	plan.zero = replicas > 1 ? random_between(random, 0, 3) : 0;
	plan.sequence = plan.degree[PARADL_TENSOR] > 1 && random_between(random, 0, 1);
	if (plan.degree[PARADL_CONTEXT] > 1)
		plan.context =
			(enum paradl_context_method)random_between(random, 0, PARADL_CONTEXT_COUNT - 1);
	return plan;
}

static void question_fill(
	struct setup *setup, const char *model, const char *machine, struct question *question)
{
	struct random random = {17};
	question->model = shipped_model(setup, model);
	question->machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = arena_printf(setup->arena, "hw-profiles/%s.json", machine)},
		&setup->error);
	assert_non_null(question->machine);
	for (unsigned i = 0; i < PLANS; ++i)
		question->plans[i] = question->model->tokens
					     ? token_plan(&random, i % 4 ? DEVICES : DEVICES / 2, i % 2)
					     : shipped_plan(&random, DEVICES);
}

static void shuffle(struct random *random, unsigned order[PLANS])
{
	for (unsigned i = 0; i < PLANS; ++i) {
		const unsigned j = random_between(random, 0, i);
		order[i] = order[j];
		order[j] = i;
	}
}

static struct paradl_oracle *oracle_fresh(struct setup *setup, const struct question *question)
{
	struct paradl_oracle *const oracle = paradl_oracle_create(
		setup->arena, question->model, question->machine, NULL, NULL, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

static struct worker *worker_create(
	struct setup *setup, const struct question *question, struct paradl_oracle *oracle)
{
	struct worker *const worker = arena_alloc(setup->arena, 1, sizeof *worker);
	assert_non_null(worker);
	worker->oracle = oracle;
	worker->question = question;
	for (unsigned i = 0; i < PLANS; ++i)
		worker->order[i] = i;
	return worker;
}

/* `routed`: devices whose network the clones share; 0: each has its own. */
static void ask_in_threads(
	struct setup *setup, const struct question *question, unsigned routed, const struct worker *want)
{
	struct paradl_oracle *const oracle = oracle_fresh(setup, question);
	struct worker *workers[THREADS];
	pthread_t threads[THREADS];
	struct random random = {routed + 5};
	assert_true(network_prepare(oracle, routed, &setup->error));
	for (unsigned i = 0; i < THREADS; ++i) {
		struct paradl_arena *const arena = i ? arena_create_within(setup->arena) : setup->arena;
		struct paradl_oracle *const own = i ? oracle_clone(oracle, arena, &setup->error) : oracle;
		assert_non_null(own);
		workers[i] = worker_create(setup, question, own);
		shuffle(&random, workers[i]->order);
	}
	for (unsigned i = 0; i < THREADS; ++i)
		assert_int_equal(pthread_create(&threads[i], NULL, work, workers[i]), 0);
	for (unsigned i = 0; i < THREADS; ++i)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	for (unsigned i = 0; i < THREADS; ++i)
		assert_memory_equal(workers[i]->answers, want->answers, sizeof want->answers);
}

static void clones_agree(struct setup *setup, const char *model, const char *machine)
{
	struct question *const question = arena_alloc(setup->arena, 1, sizeof *question);
	assert_non_null(question);
	question_fill(setup, model, machine, question);
	struct worker *const serial = worker_create(setup, question, oracle_fresh(setup, question));
	work(serial);
	unsigned run = 0;
	for (unsigned i = 0; i < PLANS; ++i)
		run += serial->answers[i].iteration_s > 0;
	if (run < PLANS / 10)
		fail_msg("of %d plans of %s only %u run", PLANS, model, run);
	ask_in_threads(setup, question, DEVICES, serial);
	ask_in_threads(setup, question, 0, serial);
}

static void clones_agree_on_tokens(void **state)
{
	clones_agree(*state, "gpt3-175b", "dgx-a100-superpod");
}

static void clones_agree_on_experts(void **state)
{
	clones_agree(*state, "deepseek-v3", "dgx-h100-superpod");
}

static void clones_agree_on_images(void **state)
{
	clones_agree(*state, "resnet50", "abci");
}

int main(void)
{
	const struct CMUnitTest tests[] = {setup_test(clones_agree_on_tokens),
		setup_test(clones_agree_on_experts), setup_test(clones_agree_on_images)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
