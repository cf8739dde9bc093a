/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sample hiding asked of an oracle: how a step is divided, what an epoch is, what is exchanged. */
#include "oracle/fed.h"
#include "study/hide_setting.h"

static const struct paradl_model *model_of(struct setup *setup, bool with_samples)
{
	return setup_model(setup,
		with_samples ? "\"input\": {\"channels\": 64, \"shape\": [32, 32]}, \"dataset\": {\"name\": "
			       "\"d\", \"samples\": 48000}"
			     : "\"input\": {\"channels\": 64, \"shape\": [32, 32]}",
		"{\"type\": \"conv\", \"out\": 128, \"kernel\": 3, \"pad\": 1, \"bias\": false}, "
		"{\"type\": \"conv\", \"out\": 128, \"kernel\": 3, \"pad\": 1, \"bias\": false}");
}

static struct paradl_oracle *oracle_of(struct setup *setup, bool with_samples, bool ideal)
{
	const struct paradl_model *const model = model_of(setup, with_samples);
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE,
		"{\"name\": \"all\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"1 GB/s\"}");
	return setup_oracle(setup, model, machine, setup_framework(setup, ""), ideal);
}

static struct paradl_hide hide_of(struct setup *setup, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, const struct paradl_hide_request *request)
{
	struct paradl_hide hide;
	if (!paradl_hide(oracle, plan, request, setup->arena, &hide, &setup->error))
		fail_msg("%s", setup->error.message);
	return hide;
}

/* A plain epoch is the estimate's, and so is one with nothing hidden. */
static void plain_epochs(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, true, false);
	const struct paradl_plan plan = setup_plan("data=8", 64);
	const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
	struct paradl_hide_request request = paradl_hide_usual();
	struct paradl_hide hide = hide_of(setup, oracle, &plan, &request);
	const double iterations = 48000.0 / 64;
	const struct pair pairs[] = {
		{"epochs", hide.epochs, 90},
		{"parts of a step", hide.forward_s + hide.backward_s + hide.update_s, hide.step_s},
		{"plain epoch", hide.plain_epoch_s, iterations * hide.fed_step_s},
		{"ratio", hide.backward_s / hide.forward_s, hide.ratio},
		{"of the estimate", hide.ratio,
			estimate.phase_s[PARADL_BACKWARD] / estimate.phase_s[PARADL_FORWARD]},
		{"hidden", hide.hidden_cost, 1 / (1 + hide.ratio) + 0.1},
		{"needed", hide.hidden_samples_per_s, 64 / hide.hidden_step_s},
		{"exchanged", hide.exchange_bytes, 24 * 48000.0},
	};
	assert_pairs(pairs, sizeof pairs / sizeof *pairs, 1e-12);
	assert_close(hide.step_s, estimate.iteration_s - estimate.phase_s[PARADL_INPUT], 1e-12);
	assert_int_equal(hide.count, 90);
	request.fraction = 0;
	hide = hide_of(setup, oracle, &plan, &request);
	assert_int_equal(hide.verdict, PARADL_HIDE_OFF);
	assert_close(hide.rows[89].time_s, hide.plain_epoch_s, 0);
}

/* Ideal: a ring of 8 moves 24 bytes for each sample, 2 (p - 1) (alpha + bytes / p beta); nothing else besides. */
static void exchange_of_losses(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, true, true);
	const struct paradl_plan plan = setup_plan("data=8", 64);
	struct paradl_hide_request request = paradl_hide_usual();
	request.epochs = 2; /* one of them exchanges */
	const struct paradl_hide hide = hide_of(setup, oracle, &plan, &request);
	const struct paradl_hide_training *const training = &hide.trainings[hide.chosen];
	const double ring_s = 14 * (1e-6 + 24 * 48000.0 / 8 / 1e9);
	assert_close(training->exchange_s, ring_s / 2, 1e-12);
	assert_true(!(training->order_s > 0) && !(training->candidates_s > 0));
	assert_close(hide.trainings[2].exchange_s, 14 * (1e-6 + 8 * 48000.0 / 8 / 1e9), 1e-12);
	/* Distributed: a bit of each sample, and 64 counts; memory of an eighth of the samples, and of the bits. */
	request.distributed = true;
	const struct paradl_hide own = hide_of(setup, oracle, &plan, &request);
	const double bits_s = 14 * (1e-6 + 48000.0 / 8 / 8 / 1e9), count_s = 14 * (1e-6 + 8.0 / 8 / 1e9);
	assert_close(own.trainings[own.chosen].exchange_s, (bits_s + 64 * count_s) / 2, 1e-9);
	assert_close(own.exchange_bytes, 48000.0 / 8, 1e-12);
	assert_close(training->memory_bytes, 32 * 48000.0, 1e-12);
	assert_close(own.trainings[own.chosen].memory_bytes, 32 * 48000.0 / 8 + 48000.0 / 8, 1e-12);
	request.distributed = false;
	const struct paradl_plan alone = setup_plan("serial", 64);
	const struct paradl_hide none = hide_of(setup, oracle, &alone, &request);
	assert_true(!(none.trainings[0].exchange_s > 0));
}

/* A measured epoch scales what is of samples. */
static void measured_epoch(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, true, true);
	const struct paradl_plan plan = setup_plan("serial", 64);
	struct paradl_hide_request request = paradl_hide_usual();
	const struct paradl_hide projected = hide_of(setup, oracle, &plan, &request);
	request.epoch_s = 31.2;
	const struct paradl_hide measured = hide_of(setup, oracle, &plan, &request);
	assert_close(measured.plain_epoch_s, 31.2, 1e-12);
	assert_close(measured.scale, 31.2 / projected.plain_epoch_s, 1e-12);
	assert_close(measured.trainings[0].saved_share, projected.trainings[0].saved_share, 1e-9);
}

/* ResNet-50, 110 kB a sample, from a shared file system that delivers so many times what a step of 8 devices reads. */
static struct paradl_hide fed_hide(struct setup *setup, double rate, bool off)
{
	struct fed fed;
	fed_fill(setup, "resnet50", &fed);
	const struct paradl_plan plan = setup_plan("data=8", 512);
	const struct paradl_estimate busy = fed_estimate(setup, &fed, "data=8", 512);
	fed.tiers[1].read_bytes_per_s = rate * 512 * 110e3 / (busy.iteration_s - busy.phase_s[PARADL_INPUT]);
	fed.input.store = PARADL_STORE_SHARED;
	fed.input.off = off;
	const struct paradl_hide_request request = paradl_hide_usual();
	return hide_of(setup, fed_oracle(setup, &fed), &plan, &request);
}

/* Half of what a step reads: it takes twice its time, and so does one without backward; nothing is saved but paid. */
static void input_takes_it_all(void **state)
{
	const struct paradl_hide unfed = fed_hide(*state, 0.5, true), hide = fed_hide(*state, 0.5, false);
	const struct paradl_hide_training *const got = &hide.trainings[hide.chosen];
	const double overhead_s = got->exchange_s + got->order_s + got->candidates_s;
	assert_int_equal(unfed.verdict, PARADL_HIDE_SAVES);
	assert_int_equal(hide.verdict, PARADL_HIDE_INPUT);
	assert_int_equal(hide.input.binding, PARADL_RESOURCE_SHARED);
	const struct pair pairs[] = {
		{"step", hide.fed_step_s, 2 * hide.step_s},
		{"hidden", hide.fed_hidden_step_s, 2 * hide.step_s},
		{"busy", hide.step_s, unfed.step_s},
		{"saved", got->saved_s, -90 * overhead_s},
		{"if free", got->free_saved_share, unfed.trainings[0].saved_share},
		{"pruning still saves", hide.trainings[3].saved_share, unfed.trainings[3].saved_share},
	};
	assert_pairs(pairs, sizeof pairs / sizeof *pairs, 1e-6);
}

/* A quarter more than a step reads: training does not wait, the forward pass over hidden samples takes 0.8 steps. */
static void input_takes_some(void **state)
{
	const struct paradl_hide hide = fed_hide(*state, 1.25, false);
	const struct paradl_hide_training *const got = &hide.trainings[hide.chosen];
	const double overhead_s = got->exchange_s + got->order_s + got->candidates_s;
	const double share = got->mean_hidden * (1 - 0.8) - overhead_s / hide.plain_epoch_s;
	assert_close(hide.fed_step_s, hide.step_s, 1e-9);
	assert_close(hide.fed_hidden_step_s, 0.8 * hide.step_s, 1e-6);
	assert_close(got->saved_share, share, 1e-6);
	assert_true(got->free_saved_share > got->saved_share);
	assert_int_equal(hide.verdict, PARADL_HIDE_SAVES);
}

static void refused(struct setup *setup, struct paradl_oracle *oracle,
	const struct paradl_hide_request *request, const char *word)
{
	struct paradl_hide hide;
	const struct paradl_plan plan = setup_plan("data=8", 64);
	assert_false(paradl_hide(oracle, &plan, request, setup->arena, &hide, &setup->error));
	assert_int_equal(setup->error.status, PARADL_USAGE);
	if (!strstr(setup->error.message, word) && !strstr(setup->error.hint, word))
		fail_msg("%s (%s): nothing of %s", setup->error.message, setup->error.hint, word);
}

static void requests_that_are_wrong(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, false, false);
	struct paradl_hide_request request = paradl_hide_usual();
	refused(setup, oracle, &request, "--epoch-samples");
	request.samples = 1000;
	request.sampler = "kakurembo";
	refused(setup, oracle, &request, "kakurenbo?");
	request.sampler = NULL;
	request.fraction = 1;
	refused(setup, oracle, &request, "nothing to train");
	request.fraction = -1;
	request.epochs = 1e9;
	refused(setup, oracle, &request, "100000");
	request.epochs = 3;
	const struct paradl_plan plan = setup_plan("data=8", 64);
	assert_int_equal(hide_of(setup, oracle, &plan, &request).count, 3);
}

/* Workers that choose among their own samples are as much faster as there are, and more by the logarithm of their order. */
static void selection_is_divided(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, true, false);
	const struct paradl_plan plan = setup_plan("data=8", 64);
	struct paradl_hide_request request = paradl_hide_usual();
	const struct paradl_hide all = hide_of(setup, oracle, &plan, &request);
	request.distributed = true;
	const struct paradl_hide own = hide_of(setup, oracle, &plan, &request);
	const struct paradl_hide_training *const a = &all.trainings[all.chosen],
						 *const o = &own.trainings[own.chosen];
	assert_close(o->candidates_s, a->candidates_s / 8, 1e-12);
	assert_close(o->order_s, a->order_s / 8 * log2(48000.0 / 8) / log2(48000.0), 1e-12);
	assert_close(o->mean_hidden, a->mean_hidden, 0);
	const struct paradl_plan alone = setup_plan("serial", 64);
	const struct paradl_hide one = hide_of(setup, oracle, &alone, &request);
	request.distributed = false;
	const struct paradl_hide same = hide_of(setup, oracle, &alone, &request);
	assert_close(one.rows[5].time_s, same.rows[5].time_s, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(plain_epochs),
		setup_test(exchange_of_losses),
		setup_test(selection_is_divided),
		setup_test(measured_epoch),
		setup_test(input_takes_it_all),
		setup_test(input_takes_some),
		setup_test(requests_that_are_wrong),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
