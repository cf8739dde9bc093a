/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold of rounds of federated training whatever the numbers, and what is refused. */
#include "study/federate_setting.h"

/* ---- properties -------------------------------------------------------------------------------------------- */

static void one_part_is_fedavg(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	(void)state;
	setting.federation.server_bytes_per_s = 1e8;
	setting.federation.participants = 7;
	const struct paradl_federated answer = ask(&setting, "fedavg,feddct:1");
	expect(answer.rounds[1].round_s, answer.rounds[0].round_s, 1e-12);
	expect(answer.rounds[1].server_in_bytes, answer.rounds[0].server_in_bytes, 1e-12);
	expect(answer.rounds[1].lan_bytes, 0, 0);
	expect(answer.rounds[1].joule, answer.rounds[0].joule, 1e-12);
	expect(answer.rounds[1].clients->memory_bytes, answer.rounds[0].clients->memory_bytes, 1e-12);
	paradl_arena_free(setting.arena);
}

static void more_is_never_worse(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	static const char schemes[] = "fedavg,fedprox,cadis,model-exchange,splitfed,feddct:2,feddct:4";
	(void)state;
	setting.federation.server_bytes_per_s = 20e6;
	const struct paradl_federated base = ask(&setting, schemes);
	for (unsigned change = 0; change < 6; change++) {
		struct setting better = setting;
		better.groups[0].up_bytes_per_s *= change == 0 ? 2 : 1;
		better.groups[0].down_bytes_per_s *= change == 1 ? 2 : 1;
		better.groups[0].lan_bytes_per_s *= change == 2 ? 2 : 1;
		better.federation.server_bytes_per_s *= change == 3 ? 2 : 1;
		better.groups[0].speed = change == 4 ? 2 : 0;
		better.groups[0].samples = change == 5 ? 1250 : 0;
		const struct paradl_federated answer = ask(&better, schemes);
		for (size_t i = 0; i < base.count; i++)
			assert_true(answer.rounds[i].round_s <= base.rounds[i].round_s * (1 + 1e-9));
	}
	paradl_arena_free(setting.arena);
}

static void memory_says_how_many_parts_are_needed(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	const struct paradl_federated roomy = ask(&setting, "fedavg");
	(void)state;
	expect(roomy.fewest_parts, 1, 0);
	for (size_t i = 1; i < 4; i++) {
		assert_true(roomy.divisions[i].memory_bytes < roomy.divisions[i - 1].memory_bytes);
		setting.groups[0].memory_bytes = roomy.divisions[i].memory_bytes * 1.001;
		const struct paradl_federated tight = ask(&setting, "fedavg");
		expect(tight.fewest_parts, roomy.divisions[i].parts, 0);
		assert_false(tight.rounds[0].fits);
	}
	setting.groups[0].memory_bytes = 1e6;
	expect(ask(&setting, "fedavg").fewest_parts, 0, 0);
	paradl_arena_free(setting.arena);
}

/*
 * What networks take falls between what weights and activations fall by: with the square of the width and with the width. With a
 * sample for each step weights decide, and 8 parts take about as much less as is published.
 */
static void networks_shrink_with_their_widths(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	(void)state;
	for (double batch = 1; batch <= 256; batch *= 16) {
		setting.federation.batch = batch;
		const struct paradl_federated answer = ask(&setting, "fedavg");
		const struct paradl_division *const whole = &answer.divisions[0];
		const double fixed = whole->memory_bytes - whole->network_bytes;
		expect(whole->stem_bytes, 0, 0);
		for (size_t i = 1; i < 4; i++) {
			const struct paradl_division *const part = &answer.divisions[i];
			const double once = part->network_bytes - part->stem_bytes;
			assert_true(part->memory_bytes - part->network_bytes <= fixed * (1 + 1e-9));
			expect(part->state_bytes / whole->state_bytes, part->parameters / whole->parameters,
				1e-9);
			assert_true(once > part->share * part->share * whole->network_bytes * 0.95);
			assert_true(once < part->share * whole->network_bytes * 1.05);
		}
		if (batch <= 1)
			assert_true(whole->network_bytes / answer.divisions[3].network_bytes > 4);
	}
	paradl_arena_free(setting.arena);
}

static void measured_times_replace_the_oracle(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	(void)state;
	setting.groups[0].sample_s = 0.01;
	expect(ask(&setting, "fedavg").rounds[0].leg_s[PARADL_LEG_COMPUTE], 25, 1e-9);
	setting.groups[0].sample_s = 0;
	const double laptop_s = ask(&setting, "fedavg").rounds[0].leg_s[PARADL_LEG_COMPUTE];
	setting.groups[0].speed = 0.25;
	expect(ask(&setting, "fedavg").rounds[0].leg_s[PARADL_LEG_COMPUTE], 4 * laptop_s, 1e-9);
	setting.groups[0].speed = 0;
	setting.groups[0].device = "h100-sxm5-80gb";
	assert_true(ask(&setting, "fedavg").rounds[0].leg_s[PARADL_LEG_COMPUTE] < laptop_s);
	paradl_arena_free(setting.arena);
}

static void refuse(struct setting *setting, const char *schemes, const char *message)
{
	struct paradl_error error = {0};
	struct paradl_federated answer;
	setting->federation.clients.groups = setting->groups;
	assert_false(paradl_federate(
		setting->oracle, &setting->federation, schemes, setting->arena, &answer, &error));
	if (!strstr(error.message, message))
		fail_msg("%s", error.message);
	assert_int_equal(error.status, PARADL_USAGE);
}

static void mistakes_are_refused(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	(void)state;
	refuse(&setting, "fedavgg", "unknown scheme");
	refuse(&setting, "feddct:0", "whole number");
	refuse(&setting, "feddct:2.5", "whole number");
	refuse(&setting, "fedavg:2", "takes nothing");
	refuse(&setting, "splitfed:group2b/a", "no place");
	refuse(&setting, "", "empty");
	setting.federation.participants = 21;
	refuse(&setting, "fedavg", "more than there are");
	setting.federation.participants = 0;
	setting.groups[0].up_bytes_per_s = 0;
	refuse(&setting, "fedavg", "moves nothing");
	setting.groups[0].up_bytes_per_s = 1;
	setting.groups[0].count = 2.5;
	refuse(&setting, "fedavg", "no number of clients");
	paradl_arena_free(setting.arena);
}

static void what_cannot_be_says_why(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	(void)state;
	setting.federation.participants = 3;
	struct paradl_federated answer = ask(&setting, "feddct:4");
	assert_false(answer.rounds[0].possible);
	assert_non_null(strstr(answer.rounds[0].reason, "needs 4 clients"));
	setting.federation.participants = 0;
	setting.groups[0].count = 1;
	answer = ask(&setting, "fedavg");
	expect(answer.rounds[0].participants, 1, 0);
	paradl_arena_free(setting.arena);
	struct setting text = setting_make("gpt2-xl");
	text.groups[0].samples = 100;
	text.federation.batch = 1;
	answer = ask(&text, "feddct:4,fedavg");
	assert_false(answer.rounds[0].possible);
	assert_true(answer.rounds[1].possible);
	assert_int_equal(answer.division_count, 0);
	paradl_arena_free(text.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_part_is_fedavg),
		cmocka_unit_test(more_is_never_worse),
		cmocka_unit_test(memory_says_how_many_parts_are_needed),
		cmocka_unit_test(networks_shrink_with_their_widths),
		cmocka_unit_test(measured_times_replace_the_oracle),
		cmocka_unit_test(mistakes_are_refused),
		cmocka_unit_test(what_cannot_be_says_why),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
