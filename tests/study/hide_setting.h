/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trainings without an oracle: times of a step as numbers. */
#ifndef TESTS_JOB_HIDE_SETTING_H
#define TESTS_JOB_HIDE_SETTING_H

#include "test.h"

#include "study/job/hide.h"

/* What input alone takes of a step. */
static inline double at_least(void *feed, double busy_s)
{
	return fmax(*(const double *)feed, busy_s);
}

static double no_input = 0;

/* 1,000 samples in 100 steps of 1 s: forward 1 / (1 + r) of it, no exchange, nothing on the host. */
static inline struct hide_setting plain_setting(double ratio, double phi)
{
	return (struct hide_setting){.samples = 1000,
		.epochs = 90,
		.iterations = 100,
		.forward_s = 1 / (1 + ratio),
		.backward_s = ratio / (1 + ratio),
		.hidden_s = phi,
		.fed_s = at_least,
		.feed = &no_input,
		.fraction = 0.3,
		.caps = {.count = 1, .value = {1}},
		.retention = {.count = 1, .value = {1}},
		.scale = 1};
}

static inline struct paradl_steps steps_of(const char *text)
{
	struct paradl_steps steps;
	struct paradl_error error = {0};
	double epochs = 0;
	if (!paradl_steps_parse(text, &steps, &epochs, &error))
		fail_msg("%s: %s", text, error.message);
	return steps;
}

static inline struct paradl_hide_training training_of(const struct hide_setting *setting, const char *sampler)
{
	struct paradl_hide_training training;
	hide_epochs(setting, sampler_find(sampler), &training, NULL);
	return training;
}

/* Numbers and what they should be. */
struct pair {
	const char *what;
	double got, want;
};

static inline void assert_pairs(const struct pair *pairs, size_t count, double relative)
{
	for (size_t i = 0; i < count; i++)
		if (!(fabs(pairs[i].got - pairs[i].want) <= relative * fabs(pairs[i].want)))
			fail_msg("%s is %.17g, expected %.17g", pairs[i].what, pairs[i].got, pairs[i].want);
}

#endif
