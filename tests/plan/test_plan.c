/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans as text: what is accepted, what is refused and how, and that every plan's text is that plan again. */
#include <limits.h>

#include "oracle/random.h"
#include "plan/parse.h"

static void assert_degrees(const struct paradl_plan *plan, unsigned data, unsigned pipeline, unsigned filter,
	unsigned channel, unsigned spatial)
{
	assert_int_equal(plan->degree[PARADL_DATA], data);
	assert_int_equal(plan->degree[PARADL_PIPELINE], pipeline);
	assert_int_equal(plan->degree[PARADL_FILTER], filter);
	assert_int_equal(plan->degree[PARADL_CHANNEL], channel);
	assert_int_equal(plan->degree[PARADL_SPATIAL], spatial);
	assert_true(plan->batch <= 0);
}

/* The order is a permutation whatever the text leaves out. */
static void assert_permutation(const struct paradl_plan *plan)
{
	unsigned seen = 0;
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i) {
		assert_true(plan->order[i] < PARADL_AXIS_COUNT);
		seen |= 1u << plan->order[i];
	}
	assert_int_equal(seen, (1u << PARADL_AXIS_COUNT) - 1);
}

static void reads_axes_in_their_order(void **state)
{
	(void)state;
	struct paradl_plan plan = parse("spatial=2x3,data=16,pipeline=8,micro=4");
	assert_degrees(&plan, 16, 8, 1, 1, 6);
	assert_int_equal(plan.spatial[0], 2);
	assert_int_equal(plan.spatial[1], 3);
	assert_int_equal(plan.spatial[2], 1);
	assert_int_equal(plan.order[0], PARADL_SPATIAL);
	assert_int_equal(plan.order[1], PARADL_DATA);
	assert_int_equal(plan.order[2], PARADL_PIPELINE);
	assert_permutation(&plan);
	assert_true(plan.micro > 3.5 && plan.micro < 4.5);
	assert_true(paradl_plan_devices(&plan) > 767.5 && paradl_plan_devices(&plan) < 768.5);
	plan = parse("serial");
	assert_degrees(&plan, 1, 1, 1, 1, 1);
	assert_permutation(&plan);
	plan = parse("spatial=1x1x5");
	assert_degrees(&plan, 1, 1, 1, 1, 5);
	assert_int_equal(plan.spatial[2], 5);
	plan = parse("data=4294967295");
	assert_degrees(&plan, UINT_MAX, 1, 1, 1, 1);
}

static void reads_aliases(void **state)
{
	(void)state;
	static const char *const names[][4] = {{"data=6", "dp=6", "d=6", NULL},
		{"pipeline=6", "pp=6", "p=6", NULL}, {"expert=6", "ep=6", NULL, NULL},
		{"context=6", "cp=6", NULL, NULL}, {"tensor=6", "tp=6", NULL, NULL},
		{"filter=6", "f=6", NULL, NULL}, {"channel=6", "c=6", NULL, NULL},
		{"spatial=6", "s=6", NULL, NULL}};
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		for (unsigned i = 0; names[axis][i]; ++i) {
			const struct paradl_plan plan = parse(names[axis][i]);
			for (unsigned other = 0; other < PARADL_AXIS_COUNT; ++other)
				assert_int_equal(plan.degree[other], other == axis ? 6 : 1);
			assert_int_equal(plan.order[0], axis);
		}
	const struct paradl_plan plan = parse("d=2,s=2x2,f=3,c=5,pp=7");
	assert_degrees(&plan, 2, 7, 3, 5, 4);
}

static void says_what_is_wrong(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"", "a plan is axis=degree pairs such as data=16,spatial=4, not \"\""},
		{"data", "a plan is axis=degree pairs such as data=16,spatial=4, not \"data\""},
		{"data=4,", "a plan is axis=degree pairs such as data=16,spatial=4, not \"data=4,\""},
		{",data=4", "a plan is axis=degree pairs such as data=16,spatial=4, not \",data=4\""},
		{"data=4,,spatial=2",
			"a plan is axis=degree pairs such as data=16,spatial=4, not \"data=4,,spatial=2\""},
		{"serial,data=4",
			"a plan is axis=degree pairs such as data=16,spatial=4, not \"serial,data=4\""},
		{"data=", "data must be a whole number from 1 to 4294967295, is \"\""},
		{"data=0", "data must be a whole number from 1 to 4294967295, is \"0\""},
		{"data=-4", "data must be a whole number from 1 to 4294967295, is \"-4\""},
		{"data=+4", "data must be a whole number from 1 to 4294967295, is \"+4\""},
		{"data= 4", "data must be a whole number from 1 to 4294967295, is \" 4\""},
		{"data=four", "data must be a whole number from 1 to 4294967295, is \"four\""},
		{"data=4294967296", "data must be a whole number from 1 to 4294967295, is \"4294967296\""},
		{"data=99999999999999999999999",
			"data must be a whole number from 1 to 4294967295, is \"99999999999999999999999\""},
		{"micro=0", "micro must be a whole number from 1 to 4294967295, is \"0\""},
		{"data=4.5", "data must be a whole number, is \"4.5\""},
		{"data=4x2", "data must be a whole number, is \"4x2\""},
		{"data=4 ", "data must be a whole number, is \"4 \""},
		{"micro=1.5", "micro must be a whole number, is \"1.5\""},
		{"spatial=2x2x2x2", "spatial must be a whole number, is \"2x2x2x2\""},
		{"spatial=2x", "spatial takes one to three whole numbers, as in 2x2, not \"2x\""},
		{"spatial=2x0", "spatial takes one to three whole numbers, as in 2x2, not \"2x0\""},
		{"spatial=65536x65536",
			"spatial takes one to three whole numbers, as in 2x2, not \"65536x65536\""},
		{"data=4,data=2", "data is given twice"},
		{"data=4,dp=2", "data is given twice"},
		{"s=4,spatial=2", "spatial is given twice"},
		{"pipeline=2,micro=4,micro=2", "micro is given twice"},
		{"spacial=4", "a plan has no \"spacial\"; did you mean \"spatial\"?"},
		{"dta=4", "a plan has no \"dta\"; did you mean \"data\"?"},
		{"frequency=4", "a plan has no \"frequency\"; its axes are data, pipeline, expert, context, "
				"tensor, filter, channel and spatial"},
		{"=4", "a plan has no \"\"; its axes are data, pipeline, expert, context, tensor, filter, "
		       "channel and spatial"},
		{"data=65536,filter=65536",
			"the degrees multiply to 4294967296 devices; the most is 4294967295"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
		assert_refused(cases[i][0], cases[i][1]);
}

static void refuses_long_texts(void **state)
{
	(void)state;
	char text[PARADL_PLAN_TEXT + 1];
	struct paradl_plan plan;
	struct paradl_error error = {0};
	memset(text, '0', sizeof text);
	memcpy(text, "data=", 5);
	text[PARADL_PLAN_TEXT - 2] = '4';
	text[PARADL_PLAN_TEXT - 1] = '\0';
	assert_true(paradl_plan_parse(text, &plan, &error)); /* leading zeros and all */
	assert_int_equal(plan.degree[PARADL_DATA], 4);
	text[PARADL_PLAN_TEXT - 1] = '4';
	text[PARADL_PLAN_TEXT] = '\0';
	assert_false(paradl_plan_parse(text, &plan, &error));
	assert_string_equal(error.message, "a plan has fewer than 768 characters");
}

/* Stages of a pipeline: a schedule, and how many blocks each has. */
static void stages_random(struct random *random, struct paradl_plan *plan)
{
	const unsigned stages = plan->degree[PARADL_PIPELINE];
	unsigned chunks = 1;
	plan->schedule = random_between(random, 0, stages > 1 ? PARADL_SCHEDULE_COUNT - 1 : PARADL_1F1B);
	if (plan->schedule == PARADL_INTERLEAVED)
		chunks = plan->chunks = random_between(random, 2, 5);
	if (plan->schedule == PARADL_ZERO_BUBBLE_V)
		chunks = 2;
	if (stages < 2 || stages * chunks > PARADL_SPLIT_MAX || random_true(random))
		return;
	plan->split_count = stages * chunks;
	for (unsigned i = 0; i < plan->split_count; ++i)
		plan->split[i] = (unsigned short)random_between(random, 0, random_true(random) ? 9 : 65535);
}

static void options_random(struct random *random, struct paradl_plan *plan)
{
	stages_random(random, plan);
	plan->zero = random_between(random, 0, 3);
	if (plan->zero && random_true(random)) /* a divisor of the replicas */
		plan->shard = random_true(random) ? plan->degree[PARADL_DATA] : plan->degree[PARADL_CONTEXT];
	plan->recompute = random_between(random, 0, PARADL_RECOMPUTE_COUNT - 1);
	if (plan->recompute == PARADL_RECOMPUTE_FULL)
		plan->recompute_blocks = random_true(random) ? random_between(random, 1, 200) : 0;
	if (plan->degree[PARADL_TENSOR] > 1) {
		plan->sequence = random_true(random);
		plan->expert_tensor = random_true(random);
	}
	if (plan->degree[PARADL_TENSOR] > 1 || plan->degree[PARADL_EXPERT] > 1)
		plan->dispatcher = random_between(random, 0, PARADL_DISPATCHER_COUNT - 1);
	if (plan->degree[PARADL_CONTEXT] > 1)
		plan->context = random_between(random, 0, PARADL_CONTEXT_COUNT - 1);
	plan->offload = random_between(random, 0, 7);
	plan->apart = random_between(random, 0, 7);
	if (plan->degree[PARADL_SPATIAL] > 1 && random_true(random))
		snprintf(plan->gather, sizeof plan->gather, "res%u/=%u", random_between(random, 0, 99),
			random_between(random, 0, 99));
}

/* Axes in a random order, most of them cut. */
static struct paradl_plan plan_random(struct random *random)
{
	struct paradl_plan plan = {.spatial = {1, 1, 1}};
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i) {
		const unsigned j = random_between(random, 0, i);
		plan.order[i] = plan.order[j];
		plan.order[j] = (unsigned char)i;
		plan.degree[i] = random_between(random, 0, 2) ? random_between(random, 1, 11) : 1;
	}
	for (unsigned k = 0; k < 3; ++k)
		plan.spatial[k] = random_true(random) ? random_between(random, 1, 9) : 1;
	plan.degree[PARADL_SPATIAL] = plan.spatial[0] * plan.spatial[1] * plan.spatial[2];
	plan.micro = random_between(random, 0, 100);
	options_random(random, &plan);
	return plan;
}

/* The axes that are cut, outermost first. */
static unsigned cut_axes(const struct paradl_plan *plan, unsigned char axes[PARADL_AXIS_COUNT])
{
	unsigned count = 0;
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i)
		if (plan->degree[plan->order[i]] > 1)
			axes[count++] = plan->order[i];
	return count;
}

static void assert_same_options(const struct paradl_plan *a, const struct paradl_plan *b)
{
	assert_int_equal(a->schedule, b->schedule);
	assert_int_equal(a->chunks, b->chunks);
	assert_int_equal(a->zero, b->zero);
	assert_int_equal(a->shard, b->shard);
	assert_int_equal(a->recompute, b->recompute);
	assert_int_equal(a->recompute_blocks, b->recompute_blocks);
	assert_int_equal(a->sequence, b->sequence);
	assert_int_equal(a->context, b->context);
	assert_int_equal(a->expert_tensor, b->expert_tensor);
	assert_int_equal(a->dispatcher, b->dispatcher);
	assert_int_equal(a->offload, b->offload);
	assert_int_equal(a->apart, b->apart);
	assert_int_equal(a->split_count, b->split_count);
	assert_memory_equal(a->split, b->split, sizeof a->split);
	assert_string_equal(a->gather, b->gather);
}

static void every_text_is_the_plan_again(void **state)
{
	(void)state;
	struct random random = {51};
	for (unsigned i = 0; i < 20000; ++i) {
		const struct paradl_plan plan = plan_random(&random);
		char text[PARADL_PLAN_TEXT], again[PARADL_PLAN_TEXT];
		unsigned char axes[PARADL_AXIS_COUNT], axes_again[PARADL_AXIS_COUNT];
		const int length = paradl_plan_format(&plan, text, sizeof text);
		assert_int_equal(length, strlen(text));
		assert_true(length < PARADL_PLAN_TEXT);
		const struct paradl_plan back = parse(text);
		assert_memory_equal(back.degree, plan.degree, sizeof plan.degree);
		assert_memory_equal(back.spatial, plan.spatial, sizeof plan.spatial);
		assert_close(back.micro, plan.micro, 0);
		assert_same_options(&back, &plan);
		const unsigned count = cut_axes(&plan, axes);
		assert_int_equal(cut_axes(&back, axes_again), count);
		assert_memory_equal(axes, axes_again, count);
		assert_permutation(&back);
		paradl_plan_format(&back, again, sizeof again);
		assert_string_equal(again, text);
		/* Too small a buffer: the length all the same, and a beginning that ends. */
		char small[8];
		assert_int_equal(paradl_plan_format(&plan, small, sizeof small), length);
		assert_int_equal(strncmp(small, text, 7), 0);
		assert_true(strlen(small) < sizeof small);
		assert_int_equal(paradl_plan_format(&plan, NULL, 0), length);
	}
}

static void writes_what_tables_print(void **state)
{
	(void)state;
	static const char *const texts[][2] = {{"serial", "serial"}, {"data=1", "serial"},
		{"d=16,s=4", "data=16,spatial=4"}, {"s=2x2,d=4", "spatial=2x2,data=4"},
		{"spatial=2x1", "spatial=2"}, {"spatial=1x2", "spatial=1x2"},
		{"spatial=2x1x2", "spatial=2x1x2"}, {"spatial=2x2x1", "spatial=2x2"},
		{"data=2,pp=4,micro=8", "data=2,pipeline=4,micro=8"}, {"data=0004", "data=4"},
		{"micro=2,data=4", "data=4,micro=2"}, {"micro=2", "serial,micro=2"},
		{"serial,recompute=full", "serial,recompute=full"}, {"zero=0,data=4", "data=4"},
		{"data=4,fsdp", "data=4,zero=3"}, {"data=8,fsdp=4", "data=8,zero=3,shard=4"},
		{"tp=2,sp", "tensor=2,sequence=on"}, {"tp=2,sp=on", "tensor=2,sequence=on"},
		{"tp=2,sequence=off", "tensor=2"}, {"cp=2:ring", "context=2"},
		{"cp=2:ulysses", "context=2:ulysses"}, {"cp=1:ulysses", "serial"},
		{"tp=2,experts=whole", "tensor=2"},
		{"offload=activations+optimizer", "serial,offload=optimizer+activations"},
		{"pp=4,tp=8,dp=2,split=10:12:12:10", "pipeline=4,tensor=8,data=2,split=10:12:12:10"},
		{"data=16,pipeline=8,tensor=8,micro=1,schedule=interleaved:2,zero=1,recompute=selective,"
		 "sequence=on",
			"data=16,pipeline=8,tensor=8,micro=1,schedule=interleaved:2,zero=1,recompute="
			"selective,"
			"sequence=on"}};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
		char text[PARADL_PLAN_TEXT];
		const struct paradl_plan plan = parse(texts[i][0]);
		paradl_plan_format(&plan, text, sizeof text);
		assert_string_equal(text, texts[i][1]);
	}
}

/* The axes in use, in the canonical order whatever the plan's. */
static void families_name_the_axes_in_use(void **state)
{
	(void)state;
	static const char *const texts[][2] = {{"serial", "serial"}, {"data=1,spatial=1x1", "serial"},
		{"spatial=2,data=2", "data+spatial"},
		{"c=2,f=2,p=2,d=2,s=2", "data+pipeline+filter+channel+spatial"}, {"channel=8", "channel"}};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
		char text[64], small[5];
		const struct paradl_plan plan = parse(texts[i][0]);
		assert_int_equal(paradl_plan_family(&plan, text, sizeof text), strlen(texts[i][1]));
		assert_string_equal(text, texts[i][1]);
		assert_int_equal(paradl_plan_family(&plan, small, sizeof small), strlen(texts[i][1]));
		assert_int_equal(strncmp(small, texts[i][1], 4), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_axes_in_their_order),
		cmocka_unit_test(reads_aliases),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(refuses_long_texts),
		cmocka_unit_test(every_text_is_the_plan_again),
		cmocka_unit_test(writes_what_tables_print),
		cmocka_unit_test(families_name_the_axes_in_use),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
