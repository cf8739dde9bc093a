/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two threads with an oracle and an arena each, on one model, machine and framework: the answers of one thread. */
#include <pthread.h>

#include "oracle/shipped.h"

enum { THREADS = 2, PLANS = 3000 };

struct worker {
	const struct paradl_model *model;
	const struct paradl_machine *machine;
	const struct paradl_framework *framework;
	double iteration_s[PLANS], memory_bytes[PLANS]; /* 0: the plan does not run */
	size_t ranked;
	double best_s;
	bool done;
};

static void *work(void *context)
{
	struct worker *const worker = context;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_options options = {0};
	struct random random = {91};
	struct paradl_ranking ranking;
	struct paradl_oracle *const oracle = paradl_oracle_create(
		arena, worker->model, worker->machine, worker->framework, &options, NULL);
	for (unsigned i = 0; oracle && i < PLANS; ++i) {
		const struct paradl_plan plan = shipped_plan(&random, 1024);
		struct paradl_estimate estimate;
		const bool runs = paradl_estimate(oracle, &plan, &estimate, NULL);
		worker->iteration_s[i] = runs ? estimate.iteration_s : 0;
		worker->memory_bytes[i] = runs ? estimate.memory_bytes : 0;
	}
	const struct paradl_request request = {.devices = 64};
	if (oracle && paradl_advise(oracle, &request, PARADL_RANKED_ALL, arena, &ranking, NULL)) {
		worker->ranked = ranking.count;
		worker->best_s = ranking.results[0].iteration_s;
		worker->done = true;
	}
	paradl_arena_free(arena);
	return NULL;
}

/* chainermn-2021 builds further variants of a network while plans are evaluated. */
static void threads_share_what_is_read(void **state)
{
	struct setup *const setup = *state;
	static struct worker workers[THREADS + 1];
	pthread_t threads[THREADS];
	for (unsigned i = 0; i <= THREADS; ++i) {
		workers[i] = (struct worker){
			.model = i ? workers[0].model : shipped_model(setup, "vgg16-chainer"),
			.machine = i ? workers[0].machine : shipped_machine(setup, 1, 1),
			.framework = i ? workers[0].framework : shipped_framework(setup, "chainermn-2021")};
	}
	for (unsigned i = 0; i < THREADS; ++i)
		assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
	for (unsigned i = 0; i < THREADS; ++i)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	work(&workers[THREADS]);
	assert_true(workers[THREADS].done && workers[THREADS].ranked > 5);
	for (unsigned i = 0; i < THREADS; ++i) {
		assert_true(workers[i].done);
		assert_memory_equal(
			workers[i].iteration_s, workers[THREADS].iteration_s, sizeof workers[i].iteration_s);
		assert_memory_equal(workers[i].memory_bytes, workers[THREADS].memory_bytes,
			sizeof workers[i].memory_bytes);
		assert_int_equal(workers[i].ranked, workers[THREADS].ranked);
		assert_close(workers[i].best_s, workers[THREADS].best_s, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {setup_test(threads_share_what_is_read)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
