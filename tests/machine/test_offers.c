/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "offers" of framework files: which plans a program has. */
#include "damage.h"

#include "machine/framework.h"
#include "machine/machine.h"
#include "plan/plan_text.h"

static const char offers[] =
	"{\"format\": \"paradl-framework\", \"version\": 1, \"name\": \"base\", \"summary\": \"s\",\n"
	" \"offers\": { \"axes\": [\"data\", \"pipeline\", \"context\", \"tensor\"],\n"
	" \"schedules\": [\"1f1b\", \"interleaved\"], \"zero\": [0, 1, 3], \"zero_with_pipeline\": [0, 1, "
	"2],\n"
	" \"recomputes\": [\"none\", \"full\"], \"contexts\": [\"gather\"], \"offload\": [\"optimizer\"],\n"
	" \"shard\": false, \"sequence\": false, \"expert_tensor\": false }}";

static void offers_read(struct paradl_arena *arena, const char *text, struct framework_offers *into)
{
	struct paradl_error error = {0};
	const struct json *const root = json_parse(arena, text, strlen(text), "", &error);
	assert_non_null(root);
	if (!framework_offers_read(json_member(root, "offers"), into, &error))
		fail_msg("%s", error.message);
}

static struct paradl_plan plan_of(const char *text)
{
	struct paradl_plan plan;
	struct paradl_error error = {0};
	if (!paradl_plan_parse(text, &plan, &error))
		fail_msg("%s: %s", text, error.message);
	return plan;
}

static void plans_lack_what_is_not_offered(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"data=8,zero=1,recompute=full:2,offload=optimizer", NULL},
		{"data=8,pipeline=4,context=2:gather,tensor=2", NULL},
		{"pipeline=4,schedule=interleaved:2", NULL},
		{"data=2,zero=3,overlap=none", NULL},
		{"schedule=gpipe,data=2", NULL}, /* of no pipeline */
		{"expert=2", "expert parallelism"},
		{"data=2,spatial=2", "spatial parallelism"},
		{"data=2,zero=2", "zero=2"},
		{"data=2,pipeline=2,zero=3", "zero=3 with pipelines"},
		{"data=2,pipeline=2,zero=2", "zero=2"}, /* in one set of two */
		{"pipeline=2,schedule=gpipe", "schedule=gpipe"},
		{"pipeline=2,schedule=zero-bubble-v", "schedule=zero-bubble-v"},
		{"data=4,zero=1,shard=2", "shard=2"},
		{"recompute=selective", "recompute=selective"},
		{"context=4", "context=4:ring"},
		{"context=4:ulysses", "context=4:ulysses"},
		{"tensor=2,sequence=on", "sequence=on"},
		{"tensor=2,experts=tensor", "experts=tensor"},
		{"offload=optimizer+activations", "offload=activations"},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_framework everything = {.name = "all"}, some = {.name = "some"};
	framework_offers_default(&everything.offers);
	framework_offers_default(&some.offers);
	offers_read(arena, offers, &some.offers);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_plan plan = plan_of(cases[i][0]);
		char text[64] = "";
		assert_true(framework_offers_plan(&everything, &plan, text, sizeof text));
		assert_int_equal(framework_offers_plan(&some, &plan, NULL, 0), cases[i][1] == NULL);
		framework_offers_plan(&some, &plan, text, sizeof text);
		assert_string_equal(text, cases[i][1] ? cases[i][1] : "");
	}
	paradl_arena_free(arena);
}

/* The names of a profile are those of plans. */
static void every_value_has_its_name(void **state)
{
	(void)state;
	static const struct {
		const char *key;
		const char *const *names;
		unsigned count;
		size_t offset;
	} lists[] = {
		{"schedules", plan_schedules, PARADL_SCHEDULE_COUNT,
			offsetof(struct framework_offers, schedules)},
		{"recomputes", plan_recomputes, PARADL_RECOMPUTE_COUNT,
			offsetof(struct framework_offers, recomputes)},
		{"contexts", plan_context_ways, PARADL_CONTEXT_COUNT,
			offsetof(struct framework_offers, contexts)},
		{"dispatchers", plan_dispatchers, PARADL_DISPATCHER_COUNT,
			offsetof(struct framework_offers, dispatchers)},
		{"offload", plan_offloads, PLAN_OFFLOADS, offsetof(struct framework_offers, offload)},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
		for (unsigned value = 0; value < lists[i].count; ++value) {
			struct framework_offers read = {0};
			unsigned bits = 0;
			if (!lists[i].names[value])
				continue; /* the default */
			offers_read(arena,
				arena_printf(arena, "{\"offers\": {\"%s\": [\"%s\"]}}", lists[i].key,
					lists[i].names[value]),
				&read);
			memcpy(&bits, (const char *)&read + lists[i].offset, sizeof bits);
			assert_int_equal(bits, 1u << value);
		}
	paradl_arena_free(arena);
}

/* What another file says replaces it, key by key. */
static void files_overlay(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct framework_offers read;
	framework_offers_default(&read);
	offers_read(arena, offers, &read);
	offers_read(arena, "{\"offers\": {\"zero\": [2], \"sequence\": true, \"contexts\": []}}", &read);
	assert_int_equal(read.zero, 1u << 2);
	assert_int_equal(read.contexts, 0);
	assert_int_equal(read.zero_with_pipeline, 7);
	assert_true(read.sequence && !read.shard);
	paradl_arena_free(arena);
}

static void says_what_is_wrong_with_offers(void **state)
{
	(void)state;
	static const struct damage damages[] = {
		{"\"offers\": {", "\"offers\": 1, \"_offers\": {", "2:12: /offers: must be an object, is 1"},
		{"\"schedules\"", "\"schedule\"",
			"3:14: /offers/schedule: unknown key \"schedule\"; did you mean \"schedules\"?"},
		{"\"interleaved\"", "\"interleave\"",
			"3:24: /offers/schedules/1: unknown name \"interleave\"; did you mean "
			"\"interleaved\"?"},
		{"\"none\"", "\"nothing\"", "4:17: /offers/recomputes/0: unknown name \"nothing\""},
		{"[\"gather\"]", "\"gather\"", "4:46: /offers/contexts: must be a list"},
		{"[0, 1, 3]", "[0, 1, 4]", "3:55: /offers/zero/2: must be a whole number from 0 to 3, is 4"},
		{"[0, 1, 2]", "[0, 1, \"2\"]",
			"3:88: /offers/zero_with_pipeline/2: must be a whole number from 0 to 3, is \"2\""},
		{"\"shard\": false", "\"shard\": 0", "5:11: /offers/shard: must be true or false, is 0"},
	};
	assert_damages(framework_check, offers, damages, sizeof damages / sizeof damages[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plans_lack_what_is_not_offered),
		cmocka_unit_test(every_value_has_its_name),
		cmocka_unit_test(files_overlay),
		cmocka_unit_test(says_what_is_wrong_with_offers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
