/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers that change with the epochs. Caps fall in steps (1, 0.8, 0.6, 0.4 of the fraction) at the epochs of
 * KAKURENBO's released configurations: later all samples are learnt, and hiding many of them costs accuracy.
 */
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/quantity.h"
#include "study/job/hide.h"

static const struct {
	const char *name;
	double epochs, from[3];
} schedules[] = {
	{"imagenet", 90, {30, 60, 80}},
	{"cifar100", 200, {60, 120, 160}},
	{"cords", 300, {90, 180, 270}},
	{"long", 600, {200, 400, 600}},
	{"fractal", 80, {30, 60, 80}},
};
enum { SCHEDULES = sizeof schedules / sizeof schedules[0], TEXT_BYTES = 64 };

double steps_at(const struct paradl_steps *steps, double epoch)
{
	double value = steps->count > 0 ? steps->value[0] : 0;
	for (unsigned i = 1; i < steps->count && steps->from[i] <= epoch; i++)
		value = steps->value[i];
	return value;
}

static void take_schedule(size_t index, struct paradl_steps *steps, double *epochs)
{
	*steps = (struct paradl_steps){.count = 4, .value = {1, 0.8, 0.6, 0.4}};
	for (unsigned i = 1; i < steps->count; i++)
		steps->from[i] = schedules[index].from[i - 1];
	*epochs = schedules[index].epochs;
}

static bool wrong(const char *text, bool named, struct paradl_error *error)
{
	const char *names[SCHEDULES];
	char quoted[TEXT_BYTES];
	for (size_t i = 0; i < SCHEDULES; i++)
		names[i] = schedules[i].name;
	const char *const near = named ? suggest(text, names, SCHEDULES) : NULL;
	error_set(error, PARADL_USAGE, "%s is no list of shares by epoch%s%s%s",
		error_quote(quoted, sizeof quoted, text), near ? "; did you mean " : "", near ? near : "",
		near ? "?" : "");
	error_hint(error,
		"write shares from 0 to 1 and the epochs after which they begin: 1@0,0.8@30,0.6@60%s",
		named ? "; or one of imagenet, cifar100, cords, long, fractal" : "");
	return false;
}

/* Reads one step, such as "0.8@30"; the first may leave out its epoch, which is 0. False: it is wrong. */
static bool step_parse(const char **at, struct paradl_steps *steps)
{
	const unsigned i = steps->count;
	if (i == PARADL_STEPS_MAX || !decimal_read(*at, 0, &steps->value[i], at) || !(steps->value[i] <= 1))
		return false;
	steps->from[i] = 0;
	if (**at == '@') {
		++*at;
		if (!decimal_read(*at, 0, &steps->from[i], at) || !(steps->from[i] <= 1e6))
			return false;
	} else if (i > 0) {
		return false;
	}
	steps->count++;
	return i == 0 ? !(steps->from[0] > 0) : steps->from[i] > steps->from[i - 1];
}

bool paradl_steps_parse(
	const char *text, struct paradl_steps *steps, double *epochs, struct paradl_error *error)
{
	const char *at = text;
	for (size_t i = 0; epochs && i < SCHEDULES; i++)
		if (strcmp(text, schedules[i].name) == 0) {
			take_schedule(i, steps, epochs);
			return true;
		}
	for (steps->count = 0; step_parse(&at, steps); at++)
		if (*at != ',')
			return !*at || wrong(text, epochs != NULL, error);
	return wrong(text, epochs != NULL, error);
}
