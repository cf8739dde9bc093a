/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The promised interface, src/paradl.h, by a program that knows nothing else: figures are those that the command answers. */
#include "paradl.h"
#include "test.h"

static const char *const directories[] = {".", NULL};

struct asked {
	struct paradl_arena *arena;
	struct paradl_error error;
	struct paradl_oracle *oracle;
	const char *document; /* what the command answers with --json */
};

static void ask(struct asked *asked, const char *model, const char *hw, const char *plan, double batch,
	const struct paradl_options *options, const char *more)
{
	char text[512];
	size_t length;
	*asked = (struct asked){.arena = paradl_arena_create()};
	const struct paradl_source of_model = {.path = model, .directories = directories};
	const struct paradl_source of_machine = {.path = hw, .directories = directories};
	asked->oracle = paradl_oracle_create(asked->arena,
		paradl_model_load(asked->arena, &of_model, &asked->error),
		paradl_machine_load(asked->arena, &of_machine, &asked->error), NULL, options, &asked->error);
	char sized[48] = "";
	if (batch > 0)
		snprintf(sized, sizeof sized, ", \"batch\": %g", batch);
	snprintf(text, sizeof text,
		"{\"ask\": \"estimate\", \"model\": \"%s\", \"hw\": \"%s\", \"strategy\": \"%s\"%s%s}", model,
		hw, plan, sized, more);
	const struct paradl_question question = {text, strlen(text), directories, 1};
	asked->document = paradl_ask(asked->arena, &question, &length, &asked->error);
	if (!asked->oracle || !asked->document)
		fail_msg("%s", asked->error.message);
}

/* Returns the number behind a key, the first in the document's result. */
static double number(const struct asked *asked, const char *key)
{
	char quoted[64];
	snprintf(quoted, sizeof quoted, "\"%s\": ", key);
	const char *const result = strstr(asked->document, "\"results\""), *const at = strstr(result, quoted);
	if (!at)
		fail_msg("the document has no %s", key);
	const char *const value = at + strlen(quoted);
	return strncmp(value, "null", 4) == 0 ? -1 : strtod(value, NULL);
}

#define SAME(asked, figures, key) assert_close((figures).key, number(asked, #key), 0)

static void compare(const struct asked *asked, const struct paradl_figures *figures)
{
	SAME(asked, *figures, iteration_s);
	SAME(asked, *figures, epoch_s);
	SAME(asked, *figures, batch);
	SAME(asked, *figures, micro_batches);
	SAME(asked, *figures, error_share);
	SAME(asked, *figures, samples_per_s);
	SAME(asked, *figures, mfu);
	SAME(asked, *figures, compute_s);
	SAME(asked, *figures, communication_s);
	SAME(asked, *figures, exposed_communication_s);
	SAME(asked, *figures, waiting_s);
	SAME(asked, *figures, memory_bytes);
	SAME(asked, *figures, memory_capacity_bytes);
	SAME(asked, *figures, weights_bytes);
	SAME(asked, *figures, gradients_bytes);
	SAME(asked, *figures, optimizer_bytes);
	SAME(asked, *figures, activations_bytes);
	SAME(asked, *figures, logits_bytes);
	SAME(asked, *figures, workspace_bytes);
	SAME(asked, *figures, communication_bytes);
	SAME(asked, *figures, context_bytes);
	SAME(asked, *figures, fragmentation_bytes);
	SAME(asked, *figures, power_watt);
	SAME(asked, *figures, cost_per_hour);
	SAME(asked, *figures, energy_joule_per_epoch);
	SAME(asked, *figures, cost_per_epoch);
	assert_close(figures->devices, number(asked, "gpus"), 0);
	assert_close(figures->flop_per_s_per_device, number(asked, "flop_per_s_per_gpu"), 0);
	assert_close(figures->forward_s, number(asked, "forward"), 0);
	assert_close(figures->backward_s, number(asked, "backward"), 0);
	assert_close(figures->recompute_s, number(asked, "recompute"), 0);
	assert_close(figures->weight_update_s, number(asked, "weight_update"), 0);
	assert_close(figures->gradient_exchange_s, number(asked, "gradient_exchange"), 0);
	assert_close(figures->activation_exchange_s, number(asked, "activation_exchange"), 0);
	assert_close(figures->halo_exchange_s, number(asked, "halo_exchange"), 0);
	assert_close(figures->stage_transfer_s, number(asked, "stage_transfer"), 0);
	assert_close(figures->bubble_s, number(asked, "bubble"), 0);
	assert_close(figures->input_s, number(asked, "input"), 0);
	assert_close(figures->limited_share, number(asked, "share"), 0);
}

static void figures_are_those_of_the_command(void **state)
{
	static const struct {
		const char *model, *hw, *plan;
		double batch;
	} cases[] = {{"resnet50", "abci", "data=16,spatial=4", 1024},
		{"gpt3-175b", "dgx-a100-superpod", "data=8,pipeline=8,tensor=8,micro=1", 1024},
		{"cosmoflow-128", "abci", "data=4,spatial=2x2x1", 16}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct asked asked;
		struct paradl_figures figures = {0};
		ask(&asked, cases[i].model, cases[i].hw, cases[i].plan, cases[i].batch, NULL, "");
		const struct paradl_plan *const plan =
			paradl_plan_create(asked.arena, cases[i].plan, cases[i].batch, &asked.error);
		assert_true(paradl_figures(asked.oracle, plan, &figures, &asked.error));
		compare(&asked, &figures);
		assert_true(figures.token_s < 0 && figures.prompts_s < 0);
		paradl_arena_free(asked.arena);
	}
}

static void inference_has_its_figures(void **state)
{
	struct asked asked;
	struct paradl_figures figures = {0};
	(void)state;
	ask(&asked, "llama3-8b", "aws-p5", "tensor=4", 16, &(struct paradl_options){.inference = true},
		", \"inference\": true");
	const struct paradl_plan *const plan = paradl_plan_create(asked.arena, "tensor=4", 16, &asked.error);
	assert_true(paradl_figures(asked.oracle, plan, &figures, &asked.error));
	compare(&asked, &figures);
	SAME(&asked, figures, token_s);
	SAME(&asked, figures, prompts_s);
	SAME(&asked, figures, tokens_per_s);
	SAME(&asked, figures, cache_bytes);
	paradl_arena_free(asked.arena);
}

/* Without a batch a plan has that which the command gives it. */
static void usual_batches_are_those_of_the_command(void **state)
{
	static const struct {
		const char *model, *hw, *plan, *more;
	} cases[] = {{"resnet50", "abci", "data=12", ""}, {"gpt2-xl", "aws-p5", "data=3,pipeline=4", ""},
		{"llama3-8b", "aws-p5", "data=3,tensor=2", ", \"inference\": true"},
		{"resnet50", "abci", "data=4", ", \"inference\": true"}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct asked asked;
		struct paradl_figures figures = {0};
		const struct paradl_options options = {.inference = *cases[i].more != '\0'};
		ask(&asked, cases[i].model, cases[i].hw, cases[i].plan, 0, &options, cases[i].more);
		const struct paradl_plan *const plan =
			paradl_plan_create(asked.arena, cases[i].plan, 0, &asked.error);
		assert_true(paradl_figures(asked.oracle, plan, &figures, &asked.error));
		SAME(&asked, figures, batch);
		SAME(&asked, figures, iteration_s);
		paradl_arena_free(asked.arena);
	}
}

/* A program of an older version has less room; one of a newer version may not set what is not known here. */
static void sizes_say_which_members_there_are(void **state)
{
	struct asked asked;
	struct {
		struct paradl_options options;
		double later;
	} newer = {.options = {.size = sizeof newer}};
	struct paradl_figures figures = {.size = offsetof(struct paradl_figures, epoch_s), .epoch_s = 123};
	(void)state;
	ask(&asked, "resnet50", "abci", "data=16", 512, &newer.options, "");
	const struct paradl_plan *const plan = paradl_plan_create(asked.arena, "data=16", 512, &asked.error);
	assert_true(paradl_figures(asked.oracle, plan, &figures, &asked.error));
	assert_close(figures.iteration_s, number(&asked, "iteration_s"), 0);
	assert_close(figures.epoch_s, 123, 0);
	newer.later = 1;
	const struct paradl_source of_model = {.path = "resnet50", .directories = directories};
	const struct paradl_source of_machine = {.path = "abci", .directories = directories};
	assert_null(paradl_oracle_create(asked.arena, paradl_model_load(asked.arena, &of_model, &asked.error),
		paradl_machine_load(asked.arena, &of_machine, &asked.error), NULL, &newer.options,
		&asked.error));
	assert_int_equal(asked.error.status, PARADL_USAGE);
	paradl_arena_free(asked.arena);
}

static const struct paradl_model *built(
	struct paradl_arena *arena, double kernel, const char *shape, struct paradl_error *error)
{
	struct paradl_layers *const layers = paradl_layers_begin(arena, "built \"here\"", error);
	paradl_layers_set(layers, "input",
		(struct paradl_member[]){{"channels", .number = 3}, {"shape", .json = shape}, {0}});
	for (unsigned i = 0; i < 20; ++i)
		paradl_layers_add(layers, "conv",
			(struct paradl_member[]){{"out", .number = 32}, {"kernel", .number = kernel},
				{"pad", .text = "same"}, {0}});
	paradl_layers_add(layers, "act", (struct paradl_member[]){{"kind", .text = "relu"}, {0}});
	return paradl_layers_end(layers, error);
}

static void networks_are_built_in_code(void **state)
{
	struct paradl_error error = {0};
	struct paradl_arena *const arena = paradl_arena_create();
	static const char question[] =
		"{\"ask\": \"estimate\", \"model\": \"built \\\"here\\\".json\", \"hw\": "
		"\"abci\", \"strategy\": \"data=4\", \"batch\": 64}";
	size_t length;
	(void)state;
	const struct paradl_model *const model = built(arena, 3, "[32, 32]", &error);
	assert_non_null(model);
	const struct paradl_source of_machine = {.path = "abci", .directories = directories};
	struct paradl_oracle *const oracle = paradl_oracle_create(
		arena, model, paradl_machine_load(arena, &of_machine, &error), NULL, NULL, &error);
	struct paradl_figures figures = {0};
	assert_true(
		paradl_figures(oracle, paradl_plan_create(arena, "data=4", 64, &error), &figures, &error));
	const struct paradl_question asked = {question, strlen(question), directories, 1};
	const struct asked answer = {.document = paradl_ask(arena, &asked, &length, &error)};
	assert_non_null(answer.document);
	assert_close(figures.iteration_s, number(&answer, "iteration_s"), 0);
	paradl_arena_free(arena);
}

static void wrong_networks_say_where(void **state)
{
	struct paradl_error error = {0};
	struct paradl_arena *const arena = paradl_arena_create();
	(void)state;
	assert_null(built(arena, -3, "[32, 32]", &error));
	assert_int_equal(error.status, PARADL_SCHEMA);
	assert_string_equal(error.pointer, "/layers/0/kernel");
	assert_null(built(arena, 3, "[32, 32}", &error));
	assert_int_equal(error.status, PARADL_SYNTAX);
	assert_non_null(strstr(error.message, "\"shape\" is no JSON value"));
	assert_null(built(arena, 3, "[32], \"tokens\": 5", &error));
	assert_int_equal(error.status, PARADL_SYNTAX);
	struct paradl_layers *const layers = paradl_layers_begin(arena, "empty", &error);
	paradl_layers_add(layers, "nothing", NULL);
	assert_null(paradl_layers_end(layers, &error));
	assert_int_equal(error.status, PARADL_SCHEMA);
	paradl_arena_free(arena);
}

static void the_best_plan_is_at_least_as_good(void **state)
{
	struct asked asked;
	struct paradl_figures ranked = {0}, best = {0};
	const struct paradl_request request = {.devices = 16, .batch = 512};
	const char *strategy = NULL, *needs = NULL;
	(void)state;
	ask(&asked, "resnet50", "abci", "data=16", 512, NULL, "");
	const struct paradl_plans *const plans =
		paradl_rank(asked.oracle, &request, asked.arena, &asked.error);
	const struct paradl_plans *const found =
		paradl_best(asked.oracle, &request, asked.arena, &asked.error);
	assert_non_null(paradl_plans_at(plans, 0, &ranked));
	assert_int_equal(paradl_plans_count(found), 1);
	assert_non_null(paradl_plans_at(found, 0, &best));
	assert_true(best.iteration_s <= ranked.iteration_s);
	assert_null(paradl_plans_at(plans, paradl_plans_count(plans), NULL));
	for (size_t i = 1; i < paradl_plans_count(plans); ++i) {
		struct paradl_figures next = {0};
		paradl_plans_at(plans, i, &next);
		assert_true(next.iteration_s >= ranked.iteration_s || !next.feasible);
		ranked = next;
	}
	const struct paradl_request small = {.devices = 4096, .batch = 8, .strategies = "data"};
	const struct paradl_plans *const none = paradl_rank(asked.oracle, &small, asked.arena, &asked.error);
	assert_int_equal(paradl_plans_count(none), 0);
	assert_non_null(paradl_plans_refused(none, 0, &strategy, &needs));
	assert_non_null(strstr(strategy, "data"));
	paradl_arena_free(asked.arena);
}

static void what_is_missing_is_passed_on(void **state)
{
	struct paradl_error error = {0};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_figures figures = {0};
	(void)state;
	const struct paradl_model *const model =
		paradl_model_load(arena, &(struct paradl_source){.path = "none.json"}, &error);
	struct paradl_oracle *const oracle = paradl_oracle_create(arena, model, NULL, NULL, NULL, &error);
	assert_null(oracle);
	assert_null(paradl_rank(oracle, &(struct paradl_request){.devices = 4}, arena, &error));
	assert_false(paradl_figures(oracle, NULL, &figures, &error));
	assert_int_equal(paradl_plans_count(NULL), 0);
	assert_string_equal(error.path, "none.json");
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_those_of_the_command),
		cmocka_unit_test(inference_has_its_figures),
		cmocka_unit_test(usual_batches_are_those_of_the_command),
		cmocka_unit_test(sizes_say_which_members_there_are),
		cmocka_unit_test(networks_are_built_in_code),
		cmocka_unit_test(wrong_networks_say_where),
		cmocka_unit_test(the_best_plan_is_at_least_as_good),
		cmocka_unit_test(what_is_missing_is_passed_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
