/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What parts take: together it is the estimate, and with the plan of comparison everywhere there is no difference. */
#include "oracle/shipped.h"

#include "oracle/oracle.h"

static double row_s(const struct paradl_layered_row *row)
{
	return row->forward_s + row->backward_s + row->update_s + row->exchange_s + row->halo_s +
	       row->gradient_s;
}

static struct paradl_oracle *oracle_of(struct setup *setup, const char *model, const char *framework)
{
	setup_renew(setup);
	return setup_oracle(setup, shipped_model(setup, model), shipped_machine(setup, 1, 1),
		shipped_framework(setup, framework), false);
}

/* Two parts, before and from `cut`; 0: one part. */
struct halves {
	struct paradl_layered_part parts[2];
	struct paradl_layered layered;
	struct paradl_estimate estimate;
	struct paradl_layered_explanation explanation;
};

static void halves_ask(struct halves *halves, struct setup *setup, struct paradl_oracle *oracle, unsigned cut,
	const char *const plans[2], double batch, const char *instead)
{
	const unsigned layers = (unsigned)paradl_model_info(oracle->model).layer_count;
	const struct paradl_plan other = setup_plan(instead, batch);
	struct paradl_error error = {0};
	halves->parts[0] =
		(struct paradl_layered_part){0, cut ? cut : layers, 1, setup_plan(plans[0], batch)};
	halves->parts[1] = (struct paradl_layered_part){cut, layers, 1, setup_plan(plans[1], batch)};
	halves->layered = (struct paradl_layered){
		.devices = (unsigned)paradl_plan_devices(&halves->parts[0].plan),
		.stages = 1,
		.batch = batch,
		.parts = halves->parts,
		.part_count = cut ? 2 : 1,
	};
	if (!paradl_estimate_layered(oracle, &halves->layered, &halves->estimate, &error) ||
		!paradl_explain_layered(
			oracle, &halves->layered, &other, 1, setup->arena, &halves->explanation, &error))
		fail_msg("%s (%s)", error.message, error.hint);
	assert_int_equal(halves->explanation.row_count, halves->layered.part_count);
}

/* A framework that hides nothing: phases without the waiting are the rows. */
static void one_part_takes_what_the_estimate_says(void **state)
{
	static const char *const plans[] = {
		"data=64", "data=16,spatial=2x2", "data=8,filter=8", "data=16,channel=4"};
	struct setup *const setup = *state;
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		const char *const both[] = {plans[i], plans[i]};
		struct halves halves;
		struct paradl_oracle *const oracle = oracle_of(setup, "vgg16-chainer", "chainermn");
		halves_ask(&halves, setup, oracle, 0, both, 256, plans[i]);
		const struct paradl_layered_row *const row = halves.explanation.rows;
		const double *const phase = halves.estimate.phase_s;
		assert_close(row->forward_s, phase[PARADL_FORWARD], 1e-9);
		assert_close(row->backward_s, phase[PARADL_BACKWARD], 1e-9);
		assert_close(row->update_s, phase[PARADL_WEIGHT_UPDATE], 1e-9);
		assert_close(row_s(row), halves.estimate.iteration_quiet_s, 1e-9);
		assert_close(halves.explanation.other_s[0], row_s(row), 1e-12);
		assert_int_equal(halves.explanation.move_count, 0);
	}
}

/* Layer-wise exchanges are those of the rows and of what is dealt out again. */
static void what_is_dealt_out_again_is_in_the_estimate(void **state)
{
	static const char *const plans[] = {"data=16,spatial=2x2", "data=64"};
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "vgg16-chainer", "chainermn");
	struct halves halves;
	double exchanges_s = 0, halos_s = 0;
	halves_ask(&halves, setup, oracle, 10, plans, 256, "data=64");
	const struct paradl_layered_explanation *const found = &halves.explanation;
	for (size_t i = 0; i < 2; ++i) {
		exchanges_s += found->rows[i].exchange_s;
		halos_s += found->rows[i].halo_s;
	}
	assert_int_equal(found->move_count, 1);
	assert_int_equal(found->moves[0].from, 9);
	assert_int_equal(found->moves[0].to, 10);
	assert_int_equal(found->moves[0].devices, 4);
	assert_true(found->moves[0].bytes[0] > 0 && found->moves[0].bytes[1] > 0);
	exchanges_s += found->moves[0].s[0] + found->moves[0].s[1];
	const double waiting_s = halves.estimate.waiting_s - halves.estimate.gradient_waiting_s;
	assert_close(exchanges_s + halos_s + waiting_s,
		halves.estimate.phase_s[PARADL_ACTIVATION_EXCHANGE] +
			halves.estimate.phase_s[PARADL_HALO_EXCHANGE],
		1e-9);
	assert_true(fabs(found->other_s[0] - row_s(&found->rows[0])) > 1e-3 * row_s(&found->rows[0]));
}

/* 128 filters in the first layers are too many. */
static void a_plan_that_a_part_cannot_have_says_so(void **state)
{
	static const char *const plans[] = {"data=128", "data=128"};
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "vgg16-chainer", "chainermn");
	struct halves halves;
	halves_ask(&halves, setup, oracle, 10, plans, 256, "filter=128");
	assert_true(halves.explanation.other_s[0] < 0);
	assert_true(halves.explanation.other_s[1] > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(one_part_takes_what_the_estimate_says),
		setup_test(what_is_dealt_out_again_is_in_the_estimate),
		setup_test(a_plan_that_a_part_cannot_have_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
