/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shipped networks on shipped machines whose devices get more and more memory: memory [SEED] */
#include <math.h>

#include "oracle/shipped.h"

#include "plan/strategy.h"
#include "search/tasks.h"

enum { CASES = 12, MEMORIES = 6 };

static unsigned seed = 20261128;

struct question {
	const char *model, *machine;
	struct paradl_request request;
};

/* Fills the seconds of the fastest plan of each family on devices with so many times their memory; infinite: none fits. */
static void fastest_fill(
	struct setup *setup, const struct question *question, double times, double fastest_s[FAMILIES])
{
	struct paradl_error *const error = &setup->error;
	const char *const change = arena_printf(setup->arena, "hw.device.memory=x%.6f", times);
	const struct paradl_source source = {
		.path = arena_printf(setup->arena, "hw-profiles/%s.json", question->machine),
		.changes = paradl_changes_parse(setup->arena, &change, 1, error)};
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena, &source, error);
	const struct paradl_options options = {.threads = 1};
	struct paradl_oracle *const oracle =
		machine ? paradl_oracle_create(setup->arena, shipped_model(setup, question->model), machine,
				  NULL, &options, error)
			: NULL;
	struct paradl_ranking ranking;
	if (!oracle ||
		!paradl_advise(oracle, &question->request, PARADL_RANKED_ALL, setup->arena, &ranking, error))
		fail_msg("%s", error->message);
	for (unsigned family = 0; family < FAMILIES; ++family)
		fastest_s[family] = HUGE_VAL;
	for (size_t i = 0; i < ranking.count; ++i)
		fastest_s[plan_axes(&ranking.results[i].plan)] = ranking.results[i].iteration_s;
}

/* Asks again and again, each time with more memory; returns how often some family's best plan is faster than before. */
static unsigned memory_raise(struct setup *setup, struct random *random, const struct question *question)
{
	double before_s[FAMILIES], now_s[FAMILIES], times = random_real(random, 0.3, 1);
	unsigned faster = 0;
	fastest_fill(setup, question, times, before_s);
	for (unsigned k = 0; k < MEMORIES; ++k) {
		times *= random_real(random, 1, 1.3);
		fastest_fill(setup, question, times, now_s);
		for (unsigned family = 0; family < FAMILIES; ++family) {
			if (now_s[family] > before_s[family])
				fail_msg("%s on %u of %s, batch %g, axes %x: %.9g s, with %.3f times the "
					 "memory %.9g s",
					question->model, question->request.devices, question->machine,
					question->request.batch, family, before_s[family], times,
					now_s[family]);
			faster += now_s[family] < before_s[family] && before_s[family] < HUGE_VAL;
			before_s[family] = now_s[family];
		}
	}
	return faster;
}

/* More memory lets more plans run, and none slower: the best of them takes no longer. */
static void more_memory_is_never_slower(void **state)
{
	static const char *const models[] = {
		"llama3-70b", "llama3-8b", "gpt2-xl", "mixtral-8x7b", "bert-large", "resnet50", "vgg16"};
	static const char *const machines[] = {
		"dgx-h100-superpod", "dgx-a100-superpod", "juwels-booster", "gb200-nvl72", "leonardo"};
	struct setup *const setup = *state;
	struct random random = {seed};
	unsigned faster = 0;
	for (unsigned i = 0; i < CASES * (takes_all() ? 4 : 1); ++i) {
		const unsigned devices = 8U << random_between(&random, 0, 6);
		const struct question question = {
			models[random_between(&random, 0, sizeof models / sizeof *models - 1)],
			machines[random_between(&random, 0, sizeof machines / sizeof *machines - 1)],
			{.devices = devices, .batch = devices * (1U << random_between(&random, 0, 2))}};
		faster += memory_raise(setup, &random, &question);
		setup_renew(setup);
	}
	assert_true(faster > 0); /* memory did bind */
}

/* Stages interleaved twice as often gain 0.07 % here, and need less memory than those that were preferred to them. */
static void an_option_that_gains_little_counts(void **state)
{
	const struct question question = {"llama3-70b", "dgx-h100-superpod", {.devices = 512, .batch = 512}};
	double before_s[FAMILIES], now_s[FAMILIES];
	fastest_fill(*state, &question, 1, before_s);
	fastest_fill(*state, &question, 1.2, now_s);
	for (unsigned family = 0; family < FAMILIES; ++family)
		assert_true(now_s[family] <= before_s[family]);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		seed = (unsigned)strtoul(argv[1], NULL, 10);
	const struct CMUnitTest tests[] = {
		setup_test(more_memory_is_never_slower), setup_test(an_option_that_gains_little_counts)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
