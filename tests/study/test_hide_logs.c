/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hidden samples against published runs: tests/data/hiding/README.md says where the logs are from. */
#include "study/hide_setting.h"

#include "base/csv.h"

enum { EPOCHS = 300 };

struct log {
	double epoch_s[EPOCHS], hidden[EPOCHS];
};

static double number(const struct csv *csv, size_t row, const char *column)
{
	return strtod(csv_cell(csv, row, column), NULL);
}

static struct csv load(struct paradl_arena *arena, const char *path)
{
	struct csv csv;
	struct paradl_error error = {0};
	if (!csv_load(arena, path, &csv, &error))
		fail_msg("%s", error.message);
	return csv;
}

static struct log cifar100(void)
{
	struct log log;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct csv csv = load(arena, "tests/data/hiding/cifar100_cords_epochs.csv");
	assert_int_equal(csv.rows, EPOCHS);
	for (size_t i = 0; i < EPOCHS; i++) {
		log.epoch_s[i] = number(&csv, i, "epoch_s");
		log.hidden[i] = number(&csv, i, "hidden_share");
	}
	paradl_arena_free(arena);
	return log;
}

/* Epochs of 31.20 s without hiding; 45,000 samples trained in batches of 20 (the batch plays no part on one GPU). */
static struct hide_setting cords(double phi)
{
	struct hide_setting setting = plain_setting(2, 31.20 / 100 * phi);
	setting.samples = 45000;
	setting.epochs = EPOCHS;
	setting.forward_s = 31.20 / 100 / 3;
	setting.backward_s = 31.20 / 100 * 2 / 3;
	setting.caps = steps_of("cords");
	setting.retention.value[0] = 0.6;
	setting.order_s = hide_order_s * setting.samples * log2(setting.samples);
	setting.candidate_s = hide_candidate_s;
	return setting;
}

/* Mean relative error of the epochs; *total: error of their sum. */
static double error_of(const struct hide_setting *setting, const struct log *log, double *total)
{
	struct paradl_hide_training training;
	struct paradl_hide_epoch rows[EPOCHS];
	double sum = 0, measured_s = 0;
	hide_epochs(setting, sampler_find("kakurenbo"), &training, rows);
	for (size_t i = 0; i < EPOCHS; i++) {
		sum += fabs(rows[i].time_s / log->epoch_s[i] - 1);
		measured_s += log->epoch_s[i];
	}
	*total = training.training_s / measured_s - 1;
	return sum / EPOCHS;
}

/*
 * Calibration (V29): 31.20 s and phi = 0.57 are a line through these very epochs, so that this row checks the form of the
 * model, not its numbers. Errors: 0.6 % with the logged shares.
 */
static void cifar100_with_logged_shares(void **state)
{
	(void)state;
	const struct log log = cifar100();
	struct hide_setting setting = cords(0.57);
	double total;
	setting.hidden = log.hidden;
	setting.hidden_count = EPOCHS;
	assert_true(error_of(&setting, &log, &total) < 0.01);
	assert_true(fabs(total) < 0.01);
}

/*
 * From F, schedule and retention alone: 0.9 % with the calibrated phi, 2.6 % with the one that r = 2 gives (1/3 + 0.1). That of the first
 * epochs, when nothing is learnt yet, is up to 10 %.
 */
static void cifar100_from_the_schedule(void **state)
{
	(void)state;
	const struct log log = cifar100();
	double total;
	struct hide_setting setting = cords(0.57);
	assert_true(error_of(&setting, &log, &total) < 0.015);
	assert_true(fabs(total) < 0.01);
	setting = cords(1.0 / 3 + 0.1);
	assert_true(error_of(&setting, &log, &total) < 0.03);
	assert_true(fabs(total) < 0.03);
}

/*
 * V27, consistency: ResNet-50 on ImageNet saves 10.4 %; a forward pass is a third of a step, and retention 0.67 is what makes it so,
 * which a run with another F could contradict.
 */
static void imagenet(void **state)
{
	(void)state;
	struct hide_setting setting = plain_setting(2, 1.0 / 3);
	setting.caps = steps_of("imagenet");
	setting.retention.value[0] = 0.67;
	assert_true(fabs(100 * training_of(&setting, "kakurenbo").saved_share - 10.4) < 1);
}

/*
 * V28, reference only: DeepCAM saves 22.4 %, its F and retention are not published. No explanation, but what it takes: with forward
 * passes of a third of a step, the schedule of ImageNet and retention 0.67 F would have to be 0.65; with all candidates hidden F = 0.43.
 */
static void deepcam_takes(void **state)
{
	(void)state;
	struct hide_setting setting = plain_setting(2, 1.0 / 3);
	setting.caps = steps_of("imagenet");
	setting.retention.value[0] = 0.67;
	setting.fraction = 0.65;
	assert_true(fabs(100 * training_of(&setting, "kakurenbo").saved_share - 22.4) < 0.5);
	setting.retention.value[0] = 1;
	setting.fraction = 0.437;
	assert_true(fabs(100 * training_of(&setting, "kakurenbo").saved_share - 22.4) < 0.5);
}

struct mean {
	double epoch_s, skipped, forward_s, importance_s;
};

/* Over the epochs from the fourth on: the first ones fill caches. */
static struct mean visualatom(const char *run)
{
	struct mean mean = {0, 0, 0, 0};
	double count = 0;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct csv csv = load(arena, "tests/data/hiding/visualatom_epochs.csv");
	for (size_t i = 0; i < csv.rows; i++) {
		if (strcmp(csv_cell(&csv, i, "run"), run) != 0 || number(&csv, i, "epoch") < 3)
			continue;
		mean.epoch_s += number(&csv, i, "epoch_s");
		mean.skipped += number(&csv, i, "skipped_share");
		mean.forward_s += number(&csv, i, "forward_s");
		mean.importance_s += number(&csv, i, "importance_s");
		count++;
	}
	paradl_arena_free(arena);
	assert_true(count > 50);
	return (struct mean){mean.epoch_s / count, mean.skipped / count, mean.forward_s / count,
		mean.importance_s / count};
}

/*
 * DeiT-Tiny on 32 V100. The log has no time of backward passes; with r = 1 the model says 0.75 where 0.763 was measured (r = 2: 0.67),
 * and 1.5 where importance sampling took 1.45.
 */
static void visualatom_samplers(void **state)
{
	(void)state;
	const struct mean all = visualatom("lagfix"), selective = visualatom("sbfix"),
			  importance = visualatom("wrfix");
	const struct pair logged[] = {
		{"share without backward", selective.skipped, 0.497},
		{"selective", selective.epoch_s / all.epoch_s, 0.763},
		{"importance", importance.epoch_s / all.epoch_s, 1.451},
	};
	assert_pairs(logged, sizeof logged / sizeof *logged, 2e-3);
	struct hide_setting setting = plain_setting(1, 0.6);
	setting.fraction = selective.skipped;
	const double plain_s = hide_plain_s(&setting);
	const double half = training_of(&setting, "selective").epoch_s / plain_s;
	const double twice = training_of(&setting, "importance").epoch_s / plain_s;
	assert_close(half, 0.7515, 1e-3); /* 1 - 0.497 / 2 */
	assert_close(half, selective.epoch_s / all.epoch_s, 0.02);
	assert_close(twice, importance.epoch_s / all.epoch_s, 0.05);
	/* Its importance pass took 198 s, half of a plain epoch: that is what r = 1 says of forward passes. */
	assert_close(importance.importance_s / all.epoch_s, 0.5, 0.02);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cifar100_with_logged_shares),
		cmocka_unit_test(cifar100_from_the_schedule),
		cmocka_unit_test(imagenet),
		cmocka_unit_test(deepcam_takes),
		cmocka_unit_test(visualatom_samplers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
