/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a search says besides the best plan, against an estimate of every plan: next ones, fronts, maps, gaps. */
#include "search/brute.h"
#include "search/networks.h"

#include "paradl/oracle.h"
#include <math.h>

#define KEYS ", \"training\": {\"overlap_gradients\": 0.5, \"host_layer\": \"0.1 ms\"}"

enum { COUNTS = 3, BATCH = 12 };
static const unsigned counts[COUNTS] = {2, 4, 6};

/* Several numbers of devices of which small plans do not fit. */
struct question {
	struct paradl_oracle *oracle;
	struct brute brute;
	struct paradl_search_request request;
};

static void question_make(
	struct setup *setup, enum small network, const char *memory, struct question *question)
{
	const struct paradl_options options = {.ideal = false};
	*question = (struct question){.oracle = network_oracle(setup, network, memory, KEYS, &options)};
	for (unsigned i = 0; i < COUNTS; ++i)
		brute_add(question->oracle, counts[i], BATCH, BRUTE_USUAL, &question->brute);
	question->request = (struct paradl_search_request){
		.devices = counts, .device_count = COUNTS, .batch = BATCH, .threads = 1};
}

static struct paradl_search answer(struct setup *setup, const struct question *question)
{
	struct paradl_search search;
	if (!paradl_search(question->oracle, &question->request, setup->arena, &search, &setup->error))
		fail_msg("%s", setup->error.message);
	assert_close(search.plans, (double)question->brute.count, 0);
	return search;
}

static bool same_degrees(const struct paradl_plan *a, const struct paradl_plan *b)
{
	return memcmp(a->degree, b->degree, sizeof a->degree) == 0 &&
	       memcmp(a->spatial, b->spatial, sizeof a->spatial) == 0;
}

static bool counts_row(const struct brute_row *row)
{
	return row->runs && row->fits;
}

/* The least value of plans that have these degrees; of all with NULL. INFINITY: none fits. */
static double least_value(const struct brute *brute, enum paradl_goal goal, const struct paradl_plan *degrees)
{
	double least = HUGE_VAL;
	for (size_t i = 0; i < brute->count; ++i)
		if (counts_row(&brute->rows[i]) && (!degrees || same_degrees(&brute->rows[i].plan, degrees)))
			least = fmin(least, brute->rows[i].value[goal]);
	return least;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* The best of every set of degrees, ascending; how many sets have one. */
static size_t bests_of_degrees(const struct brute *brute, enum paradl_goal goal, double *bests, size_t room)
{
	struct plans seen = {NULL, 0, 0};
	size_t count = 0;
	for (size_t i = 0; i < brute->count; ++i) {
		bool known = false;
		for (size_t k = 0; !known && k < seen.count; ++k)
			known = same_degrees(&seen.items[k], &brute->rows[i].plan);
		if (known)
			continue;
		plans_add(&seen, &brute->rows[i].plan);
		const double least = least_value(brute, goal, &brute->rows[i].plan);
		assert_true(count < room);
		if (least < HUGE_VAL)
			bests[count++] = least;
	}
	plans_free(&seen);
	qsort(bests, count, sizeof *bests, ascending);
	return count;
}

static void check_keep(struct setup *setup, struct question *question, size_t keep)
{
	enum { SETS = 256 };
	double bests[SETS];
	const enum paradl_goal goal = question->request.goal;
	const size_t sets = bests_of_degrees(&question->brute, goal, bests, SETS);
	question->request.keep = keep;
	const struct paradl_search search = answer(setup, question);
	assert_int_equal(search.count, keep < sets ? keep : sets);
	for (size_t i = 0; i < search.count; ++i) {
		const struct paradl_estimate *result = &search.results[i];
		assert_close(paradl_search_value(result, goal), bests[i], 0);
		assert_close(bests[i], least_value(&question->brute, goal, &result->plan), 0);
		for (size_t k = 0; k < i; ++k)
			assert_false(same_degrees(&result->plan, &search.results[k].plan));
	}
	if (search.count > 1)
		assert_close(search.margin, bests[1] / bests[0], 1e-15);
	question->request.keep = 0;
}

static void the_next_best_sets_of_degrees(void **state)
{
	struct setup *setup = *state;
	static const char *const memories[] = {"10 TB", "600 MB", "350 MB"};
	for (unsigned i = 0; i < 3; ++i) {
		struct question question;
		question_make(setup, i ? NETWORK_DENSE : NETWORK_EXPERTS, memories[i], &question);
		for (unsigned goal = PARADL_TIME; goal <= PARADL_ENERGY; ++goal) {
			question.request.goal = (enum paradl_goal)goal;
			check_keep(setup, &question, 2);
			check_keep(setup, &question, 5);
			check_keep(setup, &question, 1000);
		}
		brute_free(&question.brute);
	}
}

/* Is no plan that fits as good in all goals and better in one? */
static bool is_beaten(const struct brute *brute, unsigned goals, const double *value)
{
	for (size_t i = 0; i < brute->count; ++i) {
		const struct brute_row *row = &brute->rows[i];
		bool as_good = counts_row(row), better = false;
		for (unsigned goal = 0; goal < GOAL_COUNT && as_good; ++goal) {
			if (!(goals >> goal & 1))
				continue;
			as_good = row->value[goal] <= value[goal];
			better = better || row->value[goal] < value[goal];
		}
		if (as_good && better)
			return true;
	}
	return false;
}

static bool on_front(const struct paradl_search *search, unsigned goals, const double *value)
{
	for (size_t i = 0; i < search->front_count; ++i) {
		bool same = true;
		for (unsigned goal = 0; goal < GOAL_COUNT; ++goal)
			if (goals >> goal & 1)
				same = same &&
				       !(paradl_search_value(&search->front[i], (enum paradl_goal)goal) <
					       value[goal]) &&
				       !(paradl_search_value(&search->front[i], (enum paradl_goal)goal) >
					       value[goal]);
		if (same)
			return true;
	}
	return false;
}

/* Every point that nothing beats is there, once, and nothing else. */
static void check_front(struct setup *setup, struct question *question, unsigned goals)
{
	question->request.pareto = goals;
	const struct paradl_search search = answer(setup, question);
	for (size_t i = 0; i < question->brute.count; ++i) {
		const struct brute_row *row = &question->brute.rows[i];
		if (counts_row(row) && on_front(&search, goals, row->value) ==
					       is_beaten(&question->brute, goals, row->value))
			fail_msg("plan %zu is wrongly on the front or off it", i);
	}
	for (size_t i = 0; i < search.front_count; ++i) {
		double value[GOAL_COUNT];
		for (unsigned goal = 0; goal < GOAL_COUNT; ++goal)
			value[goal] = paradl_search_value(&search.front[i], (enum paradl_goal)goal);
		assert_true(search.front[i].fits);
		assert_false(is_beaten(&question->brute, goals, value));
		const struct paradl_search rest = {
			.front = search.front + i + 1, .front_count = search.front_count - i - 1};
		assert_false(on_front(&rest, goals, value));
	}
	assert_close(paradl_search_value(search.results, question->request.goal),
		least_value(&question->brute, question->request.goal, NULL), 0);
	question->request.pareto = 0;
}

static void fronts(void **state)
{
	struct setup *setup = *state;
	for (unsigned i = 0; i < 2; ++i) {
		struct question question;
		question_make(setup, i ? NETWORK_DENSE : NETWORK_IMAGES, i ? "600 MB" : "10 TB", &question);
		check_front(setup, &question, 1u << PARADL_TIME | 1u << PARADL_MEMORY);
		check_front(setup, &question, 1u << PARADL_TIME | 1u << PARADL_COST);
		check_front(setup, &question, 1u << PARADL_TIME | 1u << PARADL_MEMORY | 1u << PARADL_ENERGY);
		brute_free(&question.brute);
	}
}

/* What the cell of a map must be: the best of the plans with these degrees. */
static void check_cell(const struct question *question, const struct paradl_map_cell *cell)
{
	double least = HUGE_VAL;
	bool any = false, runs = false;
	for (size_t i = 0; i < question->brute.count; ++i) {
		const struct brute_row *row = &question->brute.rows[i];
		if ((unsigned)paradl_plan_devices(&row->plan) != cell->devices ||
			row->plan.degree[PARADL_PIPELINE] != cell->degree[0] ||
			row->plan.degree[PARADL_TENSOR] != cell->degree[1])
			continue;
		any = true;
		runs = runs || row->runs;
		if (counts_row(row))
			least = fmin(least, row->value[question->request.goal]);
	}
	assert_true(any);
	assert_int_equal(cell->fits, least < HUGE_VAL);
	assert_true(runs || !cell->runs);
	if (cell->fits)
		assert_close(paradl_search_value(&cell->best, question->request.goal), least, 0);
	else if (cell->runs)
		assert_false(cell->best.fits);
}

static void maps(void **state)
{
	struct setup *setup = *state;
	static const char *const memories[] = {"10 TB", "400 MB"};
	for (unsigned i = 0; i < 2; ++i) {
		struct question question;
		question_make(setup, NETWORK_DENSE, memories[i], &question);
		question.request.map = 1u << PARADL_PIPELINE | 1u << PARADL_TENSOR;
		for (unsigned goal = PARADL_TIME; goal <= PARADL_ENERGY; ++goal) {
			question.request.goal = (enum paradl_goal)goal;
			const struct paradl_search search = answer(setup, &question);
			assert_true(search.cell_count > 10);
			for (size_t k = 0; k < search.cell_count; ++k)
				check_cell(&question, &search.cells[k]);
			assert_close(paradl_search_value(search.results, question.request.goal),
				least_value(&question.brute, question.request.goal, NULL), 0);
		}
		brute_free(&question.brute);
	}
}

/* The answer may be worse by the gap, and says what was proved. */
static void gaps(void **state)
{
	struct setup *setup = *state;
	static const double shares[] = {0, 0.001, 0.01, 0.1, 0.5, 1};
	struct question question;
	double evaluated = HUGE_VAL;
	question_make(setup, NETWORK_DENSE, "600 MB", &question);
	for (unsigned goal = PARADL_TIME; goal <= PARADL_ENERGY; ++goal)
		for (unsigned i = 0; i < sizeof shares / sizeof *shares; ++i) {
			question.request.goal = (enum paradl_goal)goal;
			question.request.gap = shares[i];
			const struct paradl_search search = answer(setup, &question);
			const double found = paradl_search_value(search.results, question.request.goal);
			const double optimum = least_value(&question.brute, question.request.goal, NULL);
			assert_true(search.lower_bound <= optimum && optimum <= found);
			assert_true(found <= optimum * (1 + shares[i]));
			assert_true(search.gap <= shares[i] + 1e-12);
			assert_close(search.gap, found / search.lower_bound - 1, 1e-12);
			if (goal == PARADL_TIME) {
				assert_true(search.evaluated <= evaluated);
				evaluated = search.evaluated;
			}
		}
	brute_free(&question.brute);
}

static double closest_value(const struct question *question, const struct paradl_search *search)
{
	for (size_t i = 0; i < question->brute.count; ++i) {
		const struct brute_row *row = &question->brute.rows[i];
		char text[PARADL_PLAN_TEXT];
		paradl_plan_format(&row->plan, text, sizeof text);
		if (counts_row(row) && strcmp(text, search->closest.strategy) == 0)
			return row->value[PARADL_TIME];
	}
	return HUGE_VAL;
}

/* Whether a plan holds a deadline is the same if nobody wants to know what comes closest; else that is the best plan. */
static void what_comes_closest(void **state)
{
	struct setup *setup = *state;
	for (enum small network = NETWORK_DENSE; network <= NETWORK_EXPERTS; ++network) {
		struct question question;
		question_make(setup, network, "600 MB", &question);
		const double optimum = least_value(&question.brute, PARADL_TIME, NULL);
		question.request.samples = 1e6;
		for (unsigned i = 0; i < 4; ++i) {
			const bool holds = i % 2;
			question.request.unexplained = i / 2;
			question.request.deadline_s = (holds ? 1.001 : 0.999) * optimum * 1e6;
			const struct paradl_search search = answer(setup, &question);
			assert_int_equal(search.count, holds);
			if (holds)
				assert_close(paradl_search_value(search.results, PARADL_TIME), optimum, 0);
			else if (!question.request.unexplained)
				assert_close(closest_value(&question, &search), optimum, 0);
		}
		brute_free(&question.brute);
	}
}

static struct paradl_run run_of(
	const struct question *question, const struct paradl_estimate *estimate, double limit_s)
{
	struct paradl_run_request job = *question->request.job;
	struct paradl_run run;
	job.samples = question->request.samples;
	job.limit_s = limit_s;
	paradl_run(question->oracle, estimate, &job, &run);
	return run;
}

/* A deadline is of the job with its failures: of all plans, one holds it exactly if its whole run does. */
static void deadlines_count_failures(void **state)
{
	struct setup *setup = *state;
	struct question question;
	question_make(setup, NETWORK_DENSE, "600 MB", &question);
	const double optimum = least_value(&question.brute, PARADL_TIME, NULL);
	const struct paradl_run_request job = {.checkpoints = PARADL_CHECKPOINTS_NONE,
		.node_mtbf_s = 20e6 * optimum,
		.restart_s = 1e5 * optimum};
	double least_s = HUGE_VAL;
	question.request.samples = 1e6;
	question.request.job = &job;
	for (size_t i = 0; i < question.brute.count; ++i)
		if (counts_row(&question.brute.rows[i])) {
			const struct paradl_estimate estimate =
				setup_estimate(question.oracle, &question.brute.rows[i].plan);
			least_s = fmin(least_s, run_of(&question, &estimate, 0).time_s);
		}
	assert_true(least_s > 1.01 * 1e6 * optimum);
	for (unsigned holds = 0; holds < 2; ++holds) {
		question.request.deadline_s = (holds ? 1.001 : 0.999) * least_s;
		const struct paradl_search search = answer(setup, &question);
		assert_int_equal(search.count, holds);
		if (holds)
			assert_true(run_of(&question, search.results, question.request.deadline_s).in_time);
	}
	brute_free(&question.brute);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(the_next_best_sets_of_degrees),
		setup_test(fronts),
		setup_test(maps),
		setup_test(gaps),
		setup_test(what_comes_closest),
		setup_test(deadlines_count_failures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
