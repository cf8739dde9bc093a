/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds of federated training against closed forms and published widths. */
#include "base/file.h"
#include "base/json.h"
#include "study/federate_setting.h"

/* ---- widths ------------------------------------------------------------------------------------------------ */

/* V46 of the validation targets: relative parameters of FedDCT's networks. */
static void widths_are_those_of_the_program(void **state)
{
	static const struct {
		double parts, relative;
	} wide[] = {{2, 0.5625}, {4, 0.25}, {8, 0.1406}};
	static const double base16[] = {12, 8, 6, 4, 3}, base64[] = {44, 32, 24};
	struct setting setting = setting_make("wrn-16-8");
	(void)state;
	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
		const double share = narrow_share("WRN-16-8", 16, wide[i].parts);
		const struct paradl_model *const narrow =
			narrow_build(setting.arena, setting.model, wide[i].parts, NULL);
		expect(share * share, wide[i].relative, 1e-3);
		expect(narrow->weight_items / setting.model->weight_items, wide[i].relative, 0.02);
	}
	for (unsigned i = 0; i < 5; i++)
		expect(16 * narrow_share("ResNet-20", 16, 2u << i), base16[i], 1e-12);
	for (unsigned i = 0; i < 3; i++)
		expect(64 * narrow_share("ResNet-18", 64, 2u << i), base64[i], 1e-12);
	for (unsigned width = 1; width < 600; width++)
		for (unsigned parts = 1; parts <= 64; parts *= 2) {
			const double narrow = width * narrow_share("x", width, parts);
			assert_true(narrow >= 1 - 1e-9 && narrow <= fmax(1, 1.5 * width / sqrt(parts)));
		}
	paradl_arena_free(setting.arena);
}

static void wide_network_is_the_published_one(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	(void)state;
	expect(setting.model->weight_items, wide_parameters(8), 0);
	expect(setting.model->weight_items, 11.0e6, 0.005); /* the paper's table */
	for (unsigned parts = 2; parts <= 32; parts *= 2) {
		const struct paradl_model *const narrow =
			narrow_build(setting.arena, setting.model, parts, NULL);
		expect(narrow->weight_items, wide_parameters(8 * narrow_share("WRN-16-8", 16, parts)), 0);
	}
	paradl_arena_free(setting.arena);
}

/* Every width of the file written by hand. */
static const struct paradl_model *rewrite(struct paradl_arena *arena, const char *path)
{
	static const char *const widths[][2] = {{"\"out\": 128", "\"out\":  64"},
		{"\"out\": 256", "\"out\": 128"}, {"\"out\": 512", "\"out\": 256"}};
	struct paradl_error error = {0};
	size_t length;
	char *const text = file_read(arena, path, 1 << 20, &length, &error);
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
		for (char *at = text; (at = strstr(at, widths[i][0])); at += strlen(widths[i][1]))
			memcpy(at, widths[i][1], strlen(widths[i][1]));
	const struct json *const root = json_parse(arena, text, length, path, &error);
	return model_build(arena, root, NULL, &error);
}

static void narrower_network_is_one_written_by_hand(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	const struct paradl_model *const written = rewrite(setting.arena, "models/wrn-16-8.json");
	const struct paradl_model *const narrow = narrow_build(setting.arena, setting.model, 4, NULL);
	struct network_cost by_hand, ours;
	(void)state;
	assert_int_equal(written->order_count, narrow->order_count);
	for (unsigned i = 0; i < written->order_count; i++) {
		const struct layer *const a = &written->layers[written->order[i]];
		const struct layer *const b = &narrow->layers[narrow->order[i]];
		expect(a->weight_items, b->weight_items, 0);
		expect(a->y_items, b->y_items, 0);
		expect(a->kept_items, b->kept_items, 0);
	}
	assert_true(network_cost_fill(oracle_for(setting.oracle, setting.arena, written, NULL, NULL), 50, 1,
		1, setting.arena, &by_hand, NULL));
	assert_true(network_cost_fill(oracle_for(setting.oracle, setting.arena, narrow, NULL, NULL), 50, 1, 1,
		setting.arena, &ours, NULL));
	assert_memory_equal(&by_hand, &ours, sizeof ours);
	paradl_arena_free(setting.arena);
}

/* ---- closed forms ------------------------------------------------------------------------------------------ */

/* The example of a study's note: 20 clients, 2,500 samples of CIFAR-10, S = 4: 88 MB become 22 MB, and 983 MB in a cluster. */
static void dividing_trades_the_outside_for_the_cluster(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	const struct paradl_federated answer = ask(&setting, "feddct:4,fedavg");
	const struct paradl_round_client *const divided = answer.rounds[0].clients;
	const struct paradl_round_client *const whole = answer.rounds[1].clients;
	(void)state;
	expect(answer.activation_bytes, 16 * 32 * 32 * 4, 0);
	expect(whole->down_bytes + whole->up_bytes, 88e6, 0.01);
	expect(divided->down_bytes + divided->up_bytes, 22e6, 0.01);
	expect(divided->lan_bytes, 983e6, 0.001);
	expect(divided->lan_bytes, 2500 * (2.0 * 3 * 65536 + 4 * (4 + 4 * 10)), 1e-12);
	expect(answer.rounds[0].clusters, 5, 0);
	expect(answer.rounds[0].server_in_bytes, 4 * wide_parameters(4) * CLIENTS, 1e-12);
	expect(answer.rounds[0].lan_bytes, CLIENTS * divided->lan_bytes, 1e-12);
	paradl_arena_free(setting.arena);
}

/* The step of the network alone, by the oracle; 50 steps of 50 are a client's 2,500 samples. */
static struct paradl_estimate step_of(struct setting *setting)
{
	struct paradl_plan plan;
	struct paradl_estimate estimate;
	assert_true(paradl_plan_parse("serial", &plan, NULL));
	plan.batch = setting->federation.batch;
	assert_true(paradl_estimate(setting->oracle, &plan, &estimate, NULL));
	return estimate;
}

static void rounds_are_their_closed_forms(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	const struct paradl_estimate step = step_of(&setting);
	const double weights = 4 * wide_parameters(8), steps = 50;
	const double links_s = weights / 2.5e6 + weights / 12.5e6;
	const struct paradl_federated free = ask(&setting, "fedavg,fedprox,cadis,model-exchange:3");
	(void)state;
	expect(free.rounds[0].round_s, links_s + steps * step.iteration_s, 1e-9);
	expect(free.rounds[1].round_s - free.rounds[0].round_s,
		steps * 4 * weights / setting.machine->device.memory_bytes_per_s, 1e-6);
	expect(free.rounds[1].clients->memory_bytes - free.rounds[0].clients->memory_bytes, weights, 1e-9);
	expect(free.rounds[2].round_s - free.rounds[0].round_s, steps * step.phase_s[PARADL_FORWARD], 1e-6);
	expect(free.rounds[2].server_flop, 200.0 * 4 * (512 + 1) * 10, 1e-12);
	expect(free.rounds[3].round_s, links_s + 4 * steps * step.iteration_s + 3 * weights / 2.5e6, 1e-9);
	expect(free.rounds[3].peer_bytes, CLIENTS * 3 * weights, 1e-12);
	expect(free.rounds[0].server_out_bytes + free.rounds[0].server_in_bytes, 2 * CLIENTS * weights,
		1e-12);
	expect(free.rounds[0].joule, CLIENTS * 90 * steps * step.iteration_s, 1e-9);
	expect(free.rounds[0].clients->memory_bytes, step.memory_bytes, 1e-12);

	/* All at once through a link that is too small for them: K W / B each way. */
	setting.federation.server_bytes_per_s = 10e6;
	const struct paradl_federated bound = ask(&setting, "fedavg");
	expect(bound.rounds[0].round_s, 2 * CLIENTS * weights / 10e6 + steps * step.iteration_s, 1e-9);
	assert_int_equal(bound.rounds[0].binding, PARADL_LEG_SERVER);
	paradl_arena_free(setting.arena);
}

/* A model visits no client twice: H others need H + 1 that take part, in every draw. */
static void visits_need_as_many_clients(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	(void)state;
	for (unsigned participants = 1; participants <= 5; participants++) {
		setting.federation.participants = participants;
		const struct paradl_federated rounds = ask(&setting,
			"model-exchange:1,model-exchange:2,model-exchange:3,model-exchange:4,fedavg");
		for (unsigned hops = 1; hops <= 4; hops++) {
			assert_int_equal(rounds.rounds[hops - 1].possible, participants >= hops + 1);
			assert_true(rounds.rounds[hops - 1].possible || *rounds.rounds[hops - 1].reason);
		}
		assert_true(rounds.rounds[4].possible);
	}
	paradl_arena_free(setting.arena);
}

/* 2 a e D bytes and the weights of the first layer, 27 * 16. */
static void splitting_sends_activations(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	const struct paradl_federated answer = ask(&setting, "splitfed,splitfed:group2b/add1,splitfed:fc");
	const struct paradl_round *const first = &answer.rounds[0];
	const double up = 2500.0 * 65536, weights = 4.0 * 27 * 16;
	(void)state;
	expect(first->clients->up_bytes, up + weights, 1e-12);
	expect(first->leg_s[PARADL_LEG_EXCHANGE], up / 2.5e6 + up / 12.5e6, 1e-9);
	expect(answer.rounds[2].clients->up_bytes, 2500 * 10 * 4 + 4 * wide_parameters(8), 1e-9);
	for (unsigned i = 1; i < 3; i++) { /* later cuts: more memory and compute for clients */
		assert_true(
			answer.rounds[i].clients->memory_bytes > answer.rounds[i - 1].clients->memory_bytes);
		assert_true(answer.rounds[i].leg_s[PARADL_LEG_COMPUTE] >
			    answer.rounds[i - 1].leg_s[PARADL_LEG_COMPUTE]);
	}
	/* One device for all trains twenty times as long. */
	const double before_s = first->leg_s[PARADL_LEG_SERVER];
	setting.federation.server_devices = 1;
	expect(ask(&setting, "splitfed").rounds[0].leg_s[PARADL_LEG_SERVER], CLIENTS * before_s, 1e-9);
	paradl_arena_free(setting.arena);
}

/* A cluster of two kinds: turns one after another, each as slow as the slowest, over the slowest link. */
static void mixed_clusters_wait_for_the_slowest(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	(void)state;
	setting.groups[0].count = 1;
	setting.groups[0].samples = 2500;
	setting.groups[1] = setting.groups[0];
	setting.groups[1].name = "slow";
	setting.groups[1].speed = 0.5;
	setting.groups[1].samples = 1000;
	setting.groups[1].lan_bytes_per_s = 50e6;
	setting.federation.clients.count = 2;
	const struct paradl_federated answer = ask(&setting, "feddct:2");
	const struct paradl_model *const narrow = narrow_build(setting.arena, setting.model, 2, NULL);
	struct network_cost cost;
	assert_true(network_cost_fill(oracle_for(setting.oracle, setting.arena, narrow, NULL, NULL), 50, 1, 1,
		setting.arena, &cost, NULL));
	const double rest_s = 2 * (cost.step_s - cost.head_s), bytes = 2.0 * 65536 + 2 * (4 + 40);
	expect(answer.rounds[0].leg_s[PARADL_LEG_COMPUTE],
		50 * (2 * cost.head_s + rest_s) + 20 * (2 * 2 * cost.head_s + rest_s), 1e-9);
	expect(answer.rounds[0].leg_s[PARADL_LEG_CLUSTER], 3500 * bytes / 50e6, 1e-9);
	assert_string_equal(answer.rounds[0].slowest, "all"); /* it has most to do */
	paradl_arena_free(setting.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths_are_those_of_the_program),
		cmocka_unit_test(wide_network_is_the_published_one),
		cmocka_unit_test(narrower_network_is_one_written_by_hand),
		cmocka_unit_test(dividing_trades_the_outside_for_the_cluster),
		cmocka_unit_test(rounds_are_their_closed_forms),
		cmocka_unit_test(visits_need_as_many_clients),
		cmocka_unit_test(splitting_sends_activations),
		cmocka_unit_test(mixed_clusters_wait_for_the_slowest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
