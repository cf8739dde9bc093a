/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Epochs of samplers by hand, and what must hold whatever the numbers. */
#include "oracle/random.h"
#include "study/hide_setting.h"

static void lists_of_steps(void **state)
{
	(void)state;
	double epochs = 0;
	struct paradl_error error = {0};
	struct paradl_steps steps = steps_of("1@0,0.8@30,0.6@60");
	assert_int_equal(steps.count, 3);
	assert_close(steps_at(&steps, 0), 1, 0);
	assert_close(steps_at(&steps, 29), 1, 0);
	assert_close(steps_at(&steps, 30), 0.8, 0);
	assert_close(steps_at(&steps, 1e5), 0.6, 0);
	steps = steps_of("0.55");
	assert_close(steps_at(&steps, 7), 0.55, 0);
	static const char *const wrong[] = {"", ",", "1@0,", "1.1", "1@30", "1@0,0.5", "1@0,0.5@0",
		"1@0,0.5@-1", "1@0;0.5@3", "imagnet", "0.5@0x", "nan", "1,0.5@3 "};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_false(paradl_steps_parse(wrong[i], &steps, &epochs, &error));
		assert_int_equal(error.status, PARADL_USAGE);
		assert_true(*error.hint);
	}
	assert_false(
		paradl_steps_parse("imagenet", &steps, NULL, &error)); /* a name of caps, not of shares */
}

/* Mean caps for F = 0.3, by hand: sums of epochs times alpha. */
static void mean_caps_of_published_schedules(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double epochs, mean;
	} rows[] = {{"imagenet", 90, 0.3 * (30 + 0.8 * 30 + 0.6 * 20 + 0.4 * 10) / 90},
		{"cifar100", 200, 0.222}, {"cords", 300, 0.228}, {"long", 600, 0.24},
		{"fractal", 80, 0.2475}};
	assert_close(rows[0].mean, 0.2333, 1e-3);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct hide_setting setting = plain_setting(2, 0.4);
		struct paradl_error error;
		assert_true(paradl_steps_parse(rows[i].name, &setting.caps, &setting.epochs, &error));
		assert_close(setting.epochs, rows[i].epochs, 0);
		assert_close(training_of(&setting, "kakurenbo").mean_cap, rows[i].mean, 1e-12);
	}
}

/* Epoch 2 of 1,000 samples in 100 steps of 0.25 + 0.5 + 0.25 s: F = 0.2, half of it stays hidden, phi (t_f + t_b) = 0.3 s. */
static void an_epoch_by_hand(void **state)
{
	(void)state;
	struct hide_setting setting = plain_setting(2, 0);
	struct paradl_hide_training training;
	struct paradl_hide_epoch rows[3];
	setting.forward_s = 0.25, setting.backward_s = 0.5, setting.update_s = 0.25, setting.hidden_s = 0.3;
	setting.fraction = 0.2, setting.epochs = 3, setting.warm_up = 2;
	setting.retention.value[0] = 0.5;
	setting.exchange_s[3] = 0.5, setting.order_s = 0.25, setting.candidate_s = 1e-3;
	hide_epochs(&setting, sampler_find("kakurenbo"), &training, rows);
	const struct pair pairs[] = {
		{"time of epoch 1: no losses yet", rows[0].time_s, 100},
		{"candidates of epoch 1", rows[0].candidates, 0},
		{"hidden of epoch 1", rows[0].hidden, 0},
		{"time of epoch 2", rows[1].time_s, 90 * 1.0 + 10 * 0.3 + 0.5 + 0.25 + 200 * 1e-3},
		{"candidates", rows[1].candidates, 200},
		{"hidden", rows[1].hidden, 100},
		{"moved back", rows[1].moved_back, 100},
		{"saved", rows[1].saved_s, 100 - rows[1].time_s},
		{"rate in warm-up", rows[1].rate_factor, 1},
		{"rate after", rows[2].rate_factor, 1.25},
		{"saved in all", training.saved_s, 2 * rows[1].saved_s},
		{"share", training.saved_share, training.saved_s / 300},
		{"memory", training.memory_bytes, 1000 * (24 + 8)},
	};
	assert_pairs(pairs, sizeof pairs / sizeof *pairs, 1e-12);
	setting.scale = 2; /* a measured epoch of 200 s; what is done besides stays as it is */
	setting.exchange_s[3] = setting.order_s = setting.candidate_s = 0;
	const double double_s = training_of(&setting, "kakurenbo").training_s;
	setting.scale = 1;
	assert_close(double_s, 2 * training_of(&setting, "kakurenbo").training_s, 1e-12);
}

/* T = n (f_fwd t_f + f_bwd t_b) + steps t_step, by hand. */
static void other_samplers_by_hand(void **state)
{
	(void)state;
	struct hide_setting setting = plain_setting(2, 0.4);
	setting.forward_s = 0.25, setting.backward_s = 0.5, setting.update_s = 0.25;
	const struct paradl_hide_training selective = training_of(&setting, "selective");
	const struct paradl_hide_training importance = training_of(&setting, "importance");
	const struct paradl_hide_training pruning = training_of(&setting, "pruning");
	const struct pair pairs[] = {
		{"selective", selective.epoch_s, 100 * (0.25 + 0.7 * 0.5 + 0.7 * 0.25)},
		{"its training", selective.training_s, 90 * selective.epoch_s},
		{"it reads", selective.reads, 1},
		{"importance", importance.epoch_s, 100 * (0.25 + 1)},
		{"it reads", importance.reads, 2},
		{"it saves", importance.saved_s, -90 * 25},
		{"pruning", pruning.epoch_s, 70},
		{"its probe", pruning.probe_s, 20 * 100},
		{"its training", pruning.training_s, 20 * 100 + 90 * 70},
		{"it reads", pruning.reads, 0.7},
	};
	assert_pairs(pairs, sizeof pairs / sizeof *pairs, 1e-12);
}

/* F = 0: plain training to the bit, whatever overheads there would be. */
static void nothing_is_hidden(void **state)
{
	(void)state;
	struct hide_setting setting = plain_setting(2, 0.4);
	struct paradl_hide_epoch rows[90];
	struct paradl_hide_training got;
	setting.fraction = 0;
	setting.exchange_s[3] = 1, setting.order_s = 1, setting.candidate_s = 1;
	for (size_t i = 0; samplers[i]; i++) {
		if (!(samplers[i]->fraction > 0))
			continue;
		hide_epochs(&setting, samplers[i], &got, rows);
		assert_true(
			!(got.epoch_s < hide_plain_s(&setting)) && !(got.epoch_s > hide_plain_s(&setting)));
		assert_true(!(fabs(got.saved_s) > 0) && !(got.probe_s > 0) && !(got.exchange_s > 0));
		assert_close(rows[89].time_s, hide_plain_s(&setting), 0);
		assert_close(rows[89].rate_factor, 1, 0);
	}
}

static struct hide_setting random_setting(struct random *random, double *input_s)
{
	struct hide_setting setting = plain_setting(2, 0);
	*input_s = 2 * random_real(random, 0, 1);
	setting.feed = input_s;
	setting.epochs = 2 + floor(30 * random_real(random, 0, 1));
	setting.forward_s = random_real(random, 0, 1), setting.backward_s = 3 * random_real(random, 0, 1),
	setting.update_s = random_real(random, 0, 1);
	setting.hidden_s = random_real(random, 0, 1) * (setting.forward_s + setting.backward_s);
	setting.fraction = 0.9 * random_real(random, 0, 1);
	setting.retention.value[0] = random_real(random, 0, 1);
	setting.caps = steps_of("1@0,0.8@5,0.6@10,0.4@20");
	return setting;
}

/* A saving is never above the share that is hidden; more is saved the more is hidden, and never with input that takes longer. */
static void properties(void **state)
{
	(void)state;
	struct random random = {7};
	for (int round = 0; round < 2000; round++) {
		double input_s;
		struct hide_setting setting = random_setting(&random, &input_s);
		const double plain_s = hide_plain_s(&setting);
		const struct paradl_hide_training got = training_of(&setting, "kakurenbo");
		assert_true(got.saved_share >= -1e-12 && got.saved_share <= got.mean_hidden + 1e-12);
		assert_true(got.mean_hidden <= got.mean_cap);
		assert_close(got.reads, 1, 1e-12); /* what is hidden is read */
		struct hide_setting more = setting;
		more.fraction += 0.1 * random_real(&random, 0, 1);
		assert_true(training_of(&more, "kakurenbo").saved_share >= got.saved_share - 1e-12);
		double slower_s = input_s + random_real(&random, 0, 1);
		more = setting;
		more.feed = &slower_s;
		assert_true(training_of(&more, "kakurenbo").saved_s <= got.saved_s + 1e-9 * plain_s);
		more = setting;
		more.candidate_s = 1e-3, more.exchange_s[3] = 1, more.order_s = 1;
		assert_true(training_of(&more, "kakurenbo").saved_s < got.saved_s);
	}
}

/* Input takes longer than the whole step: whatever is not computed, the samples are read. Pruned ones are not. */
static void input_binds(void **state)
{
	(void)state;
	struct hide_setting setting = plain_setting(2, 0.4);
	double input_s = 1.5;
	setting.feed = &input_s;
	assert_close(hide_plain_s(&setting), 150, 1e-12);
	assert_true(fabs(training_of(&setting, "kakurenbo").saved_share) < 1e-12);
	assert_true(fabs(training_of(&setting, "selective").saved_share) < 1e-12);
	assert_close(training_of(&setting, "importance").epoch_s, 300, 1e-12);
	assert_close(training_of(&setting, "pruning").epoch_s, 105, 1e-12);
	/* Input between both: training does not wait, the pass over hidden samples does. */
	double between_s = 0.7;
	setting.feed = &between_s;
	setting.epochs = 2;
	assert_close(training_of(&setting, "kakurenbo").saved_s, 30 * (1 - 0.7), 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_steps),
		cmocka_unit_test(mean_caps_of_published_schedules),
		cmocka_unit_test(an_epoch_by_hand),
		cmocka_unit_test(other_samplers_by_hand),
		cmocka_unit_test(nothing_is_hidden),
		cmocka_unit_test(properties),
		cmocka_unit_test(input_binds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
