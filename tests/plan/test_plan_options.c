/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of plans as text: what they read as, and what is refused and how. */
#include "plan/parse.h"

/* ":1", 63 or 64 times */
#define COLONS_8  ":1:1:1:1:1:1:1:1"
#define COLONS_56 COLONS_8 COLONS_8 COLONS_8 COLONS_8 COLONS_8 COLONS_8 COLONS_8
#define COLONS_63 COLONS_56 ":1:1:1:1:1:1:1"
#define COLONS(n) COLONS_##n
#define COLONS_64 COLONS_56 COLONS_8

static void reads_options(void **state)
{
	(void)state;
	struct paradl_plan plan =
		parse("data=16,expert=2,pipeline=2,context=4:gather,tensor=8,micro=2,"
		      "schedule=interleaved:3,split=1:2:3:4:5:6,zero=2,shard=8,"
		      "recompute=full:7,sequence=on,experts=tensor,offload=optimizer+weights");
	assert_int_equal(plan.degree[PARADL_EXPERT], 2);
	assert_int_equal(plan.degree[PARADL_CONTEXT], 4);
	assert_int_equal(plan.degree[PARADL_TENSOR], 8);
	assert_int_equal(plan.context, PARADL_CONTEXT_GATHER);
	assert_int_equal(plan.schedule, PARADL_INTERLEAVED);
	assert_int_equal(plan.chunks, 3);
	assert_int_equal(plan.split_count, 6);
	for (unsigned i = 0; i < 6; ++i)
		assert_int_equal(plan.split[i], i + 1);
	assert_int_equal(plan.zero * 10 + plan.shard, 28);
	assert_int_equal(plan.recompute, PARADL_RECOMPUTE_FULL);
	assert_int_equal(plan.recompute_blocks, 7);
	assert_true(plan.sequence && plan.expert_tensor);
	assert_int_equal(plan.offload, PARADL_OFFLOAD_OPTIMIZER | PARADL_OFFLOAD_WEIGHTS);
	plan = parse("data=2"); /* all zero is the default */
	assert_int_equal(
		plan.schedule + plan.chunks + plan.zero + plan.shard + plan.recompute + plan.offload, 0);
	assert_false(plan.sequence || plan.expert_tensor || plan.split_count || plan.recompute_blocks);
	static const struct {
		const char *text;
		unsigned schedule;
	} schedules[] = {{"pp=2,schedule=gpipe", PARADL_GPIPE}, {"schedule=1f1b", PARADL_1F1B},
		{"pp=2,schedule=zero-bubble", PARADL_ZERO_BUBBLE},
		{"pp=2,schedule=zero-bubble-2p", PARADL_ZERO_BUBBLE_2P},
		{"schedule=zero-bubble-v,pp=2", PARADL_ZERO_BUBBLE_V}};
	for (size_t i = 0; i < sizeof schedules / sizeof *schedules; ++i)
		assert_int_equal(parse(schedules[i].text).schedule, schedules[i].schedule);
	assert_int_equal(parse("recompute=none").recompute, PARADL_RECOMPUTE_NONE);
	assert_int_equal(parse("recompute=selective").recompute, PARADL_RECOMPUTE_SELECTIVE);
	assert_int_equal(parse("pp=64,split=1" COLONS(63)).split_count, 64);
}

static void reads_overlaps(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned apart;
		const char *formatted;
	} cases[] = {
		{"data=2", 0, "data=2"},
		{"data=2,overlap=all", 0, "data=2"},
		{"data=2,overlap=experts+tensor+gradients", 0, "data=2"},
		{"data=2,overlap=none", 7, "data=2,overlap=none"},
		{"data=2,overlap=gradients", PARADL_OVERLAP_TENSOR | PARADL_OVERLAP_EXPERTS,
			"data=2,overlap=gradients"},
		{"overlap=tensor+gradients,data=2", PARADL_OVERLAP_EXPERTS,
			"data=2,overlap=gradients+tensor"},
		{"data=2,overlap=experts", PARADL_OVERLAP_GRADIENTS | PARADL_OVERLAP_TENSOR,
			"data=2,overlap=experts"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_plan plan = parse(cases[i].text);
		char text[PARADL_PLAN_TEXT];
		assert_int_equal(plan.apart, cases[i].apart);
		paradl_plan_format(&plan, text, sizeof text);
		assert_string_equal(text, cases[i].formatted);
	}
}

/* What the text alone shows to be impossible. */
static void refuses_contradictions(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"schedule=interleaved:2", "schedule=interleaved puts several stages on each device of a "
					   "pipeline, and there is no pipeline"},
		{"data=4,schedule=zero-bubble-v", "schedule=zero-bubble-v puts several stages on each device "
						  "of a pipeline, and there is no pipeline"},
		{"split=4", "split names the stages of a pipeline, and there is no pipeline"},
		{"split=4:4", "split names the stages of a pipeline, and there is no pipeline"},
		{"pp=3,split=4:4", "split names 2 stages; the plan has 3"},
		{"pp=2,split=4:4,schedule=interleaved:2", "split names 2 stages; the plan has 4"},
		{"data=8,shard=4", "shard=4 says how far zero goes, and zero is 0"},
		{"data=8,zero=0,shard=4", "shard=4 says how far zero goes, and zero is 0"},
		{"data=8,zero=1,shard=3", "shard=3 does not divide the 8 replicas"},
		{"data=2,expert=3,context=5,tensor=4,zero=1,shard=4",
			"shard=4 does not divide the 30 replicas"},
		{"data=8,fsdp=16", "shard=16 does not divide the 8 replicas"},
		{"data=4,sequence=on",
			"sequence=on cuts what the tensor axis leaves whole, and there is no tensor "
			"axis"},
		{"expert=4,experts=tensor",
			"experts=tensor cuts experts along the tensor axis, and there is none"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
		assert_refused(cases[i][0], cases[i][1]);
	parse("data=2,expert=3,context=5,zero=1,shard=30");
	parse("pp=2,split=1:2:3:4,schedule=zero-bubble-v");
}

static void says_what_is_wrong_with_options(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"schedul=gpipe", "a plan has no \"schedul\"; did you mean \"schedule\"?"},
		{"zreo=1", "a plan has no \"zreo\"; did you mean \"zero\"?"},
		{"recompte=full", "a plan has no \"recompte\"; did you mean \"recompute\"?"},
		{"schedule", "schedule needs a value: schedule=..."},
		{"data=4,zero", "zero needs a value: zero=..."},
		{"schedule=", "schedule cannot be \"\"; it is one of gpipe, 1f1b, interleaved, zero-bubble, "
			      "zero-bubble-2p, zero-bubble-v"},
		{"schedule=gpie", "schedule cannot be \"gpie\"; did you mean \"gpipe\"?"},
		{"schedule=pipedream",
			"schedule cannot be \"pipedream\"; it is one of gpipe, 1f1b, interleaved, "
			"zero-bubble, zero-bubble-2p, zero-bubble-v"},
		{"schedule=interleaved",
			"schedule=interleaved:N takes a whole number of at least 2, not \"\""},
		{"schedule=interleaved:1",
			"schedule=interleaved:N takes a whole number of at least 2, not \"1\""},
		{"schedule=interleaved:2x",
			"schedule=interleaved:N takes a whole number of at least 2, not \"2x\""},
		{"schedule=1f1b:2",
			"schedule=1f1b takes no number; interleaved does: schedule=interleaved:2"},
		{"schedule=gpipe:",
			"schedule=gpipe takes no number; interleaved does: schedule=interleaved:2"},
		{"zero=4", "zero must be a whole number from 0 to 3, is \"4\""},
		{"zero=-1", "zero must be a whole number from 0 to 3, is \"-1\""},
		{"zero=1.5", "zero must be a whole number, is \"1.5\""},
		{"zero=1,zero=1", "zero is given twice"},
		{"zero=1,fsdp", "zero is given twice"},
		{"data=4,fsdp=2,shard=2", "shard is given twice"},
		{"shard=0", "shard must be a whole number from 1 to 4294967295, is \"0\""},
		{"fsdp=0", "fsdp must be a whole number from 1 to 4294967295, is \"0\""},
		{"recompute=half",
			"recompute cannot be \"half\"; it is one of none, selective, full, modules"},
		{"recompute=ful", "recompute cannot be \"ful\"; did you mean \"full\"?"},
		{"recompute=full:0", "recompute=full:N takes a whole number of at least 1, not \"0\""},
		{"recompute=selective:3", "recompute=selective takes no number; full does: recompute=full:4"},
		{"tp=2,sequence=yes", "sequence cannot be \"yes\"; it is one of off, on"},
		{"tp=2,sp=on:2", "sequence is on or off, not \"on:2\""},
		{"tp=2,sp,sequence=on", "sequence is given twice"},
		{"context=2:rings", "context cannot be \"rings\"; did you mean \"ring\"?"},
		{"context=2:", "context cannot be \"\"; it is one of ring, gather, ulysses"},
		{"context=2:ring:2", "context=2:ring takes nothing after that"},
		{"context=2:ring:", "context=2:ring takes nothing after that"},
		{"data=4,fsdp=", "fsdp= has nothing after the '='"},
		{"data=2:ring", "data must be a whole number, is \"2:ring\""},
		{"tp=2,experts=4", "experts cannot be \"4\"; it is one of whole, tensor"},
		{"tp=2,experts=tensor:", "experts is tensor or whole, not \"tensor:\""},
		{"offload=", "offload cannot be \"\"; it is one of optimizer, weights, activations"},
		{"offload=weight", "offload cannot be \"weight\"; did you mean \"weights\"?"},
		{"offload=weights+", "offload cannot be \"\"; it is one of optimizer, weights, activations"},
		{"offload=weights+weights", "offload names weights twice"},
		{"offload=weights:2", "offload takes names joined by +, not \"weights:2\""},
		{"overlap", "overlap needs a value: overlap=..."},
		{"overlap=", "overlap cannot be \"\"; it is one of gradients, tensor, experts, all, none"},
		{"overlap=gradient", "overlap cannot be \"gradient\"; did you mean \"gradients\"?"},
		{"overlap=tensor+tensor", "overlap names tensor twice"},
		{"overlap=tensor:2", "overlap takes names joined by +, not \"tensor:2\""},
		{"overlap=none+tensor", "overlap is all, none or names joined by +, not \"none+tensor\""},
		{"overlap=all+none", "overlap is all, none or names joined by +, not \"all+none\""},
		{"pp=2,split=", "split takes the blocks of each stage, as in 10:12:12:10, not \"\""},
		{"pp=2,split=4:", "split takes the blocks of each stage, as in 10:12:12:10, not \"4:\""},
		{"pp=2,split=4-4", "split takes the blocks of each stage, as in 10:12:12:10, not \"4-4\""},
		{"pp=2,split=4:65536",
			"split takes the blocks of each stage, as in 10:12:12:10, not \"4:65536\""},
		{"pp=65,split=1" COLONS(64), "split names at most 64 stages"},
		{"data=2,serial",
			"a plan is axis=degree pairs such as data=16,spatial=4, not \"data=2,serial\""},
		{"serial,micro=2,data=2", "a plan is axis=degree pairs such as data=16,spatial=4, not "
					  "\"serial,micro=2,data=2\""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
		assert_refused(cases[i][0], cases[i][1]);
	struct paradl_plan plan;
	char text[32 + sizeof plan.gather];
	snprintf(text, sizeof text, "spatial=2,gather=%0*d", (int)sizeof plan.gather - 1, 0);
	assert_int_equal(strlen(parse(text).gather), sizeof plan.gather - 1);
	snprintf(text, sizeof text, "spatial=2,gather=%0*d", (int)sizeof plan.gather, 0);
	assert_refused(text, "gather takes the name of a layer, with fewer than 64 characters");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_options),
		cmocka_unit_test(reads_overlaps),
		cmocka_unit_test(refuses_contradictions),
		cmocka_unit_test(says_what_is_wrong_with_options),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
