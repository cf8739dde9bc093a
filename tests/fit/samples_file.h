/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of samples with known times, 5 % noise and 5 % of samples 3 to 10 times as long, and the fit of it. */
#ifndef TESTS_FIT_SAMPLES_FILE_H
#define TESTS_FIT_SAMPLES_FILE_H

#include "test.h"

#include <stdarg.h>
#include <unistd.h>

#include "base/arena.h"
#include "fit/random.h"
#include "paradl/fit.h"

enum { FILE_SAMPLES = 30 };

struct samples_file {
	char path[40];
	FILE *file;
	struct random random;
	const char *program;
	unsigned launch;
	double noise;
	struct paradl_arena *arena;
	struct paradl_calibration fit;
	struct paradl_error error;
};

static inline void samples_begin(
	struct samples_file *samples, const char *program, double noise, unsigned seed)
{
	*samples = (struct samples_file){
		.program = program, .noise = noise, .random = {seed}, .arena = paradl_arena_create()};
	strcpy(samples->path, "/tmp/paradl-samples-XXXXXX");
	const int descriptor = mkstemp(samples->path);
	assert_true(descriptor >= 0);
	samples->file = fdopen(descriptor, "w");
	assert_non_null(samples->file);
}

static inline void samples_launch(struct samples_file *samples, unsigned number)
{
	samples->launch = number;
	fprintf(samples->file,
		"{\"launch\":\"%s.%u\",\"format\":\"paradl-samples\",\"version\":1,\"program\":\"%s\","
		"\"number\":%u,\"seed\":7,\"effort\":\"usual\",\"date\":\"2026-11-22T04:2%u:00Z\",\"host\":"
		"\"n1\",\"environment\":{}}\n",
		samples->program, number, samples->program, number, number % 10);
}

/* `parameters` as of printf: "\"m\":%g,\"n\":%g"; also the name of the point. */
__attribute__((format(printf, 6, 7))) static inline void samples_point(struct samples_file *samples,
	const char *bench, double seconds, double flop, double bytes, const char *parameters, ...)
{
	char text[400], name[400];
	va_list list;
	va_start(list, parameters);
	vsnprintf(text, sizeof text, parameters, list);
	va_end(list);
	size_t length = 0;
	for (const char *c = text; *c; ++c)
		if (*c != '"')
			name[length++] = *c;
	name[length] = '\0';
	fprintf(samples->file,
		"{\"launch\":\"%s.%u\",\"point\":\"%s/%s\",\"bench\":\"%s\",\"parameters\":{%s},\"flop\":%."
		"17g,\"bytes\":%.17g,\"calls\":1,\"stopped\":\"interval\",\"flags\":[],\"seconds\":[",
		samples->program, samples->launch, bench, name, bench, text, flop, bytes);
	for (unsigned i = 0; i < FILE_SAMPLES; ++i) {
		double s = seconds * exp(samples->noise * random_normal(&samples->random));
		if (samples->noise > 0 && random_uniform(&samples->random) < 0.05)
			s *= 3 + 7 * random_uniform(&samples->random);
		fprintf(samples->file, "%s%.17g", i ? "," : "", s);
	}
	fprintf(samples->file, "]}\n");
}

static inline void samples_fit(struct samples_file *samples, const struct paradl_machine *machine)
{
	const char *const paths[] = {samples->path};
	assert_int_equal(fclose(samples->file), 0);
	if (!paradl_calibration_fit(samples->arena, paths, 1, machine, &samples->fit, &samples->error))
		fail_msg("%s:%d: %s", samples->error.path, samples->error.line, samples->error.message);
}

static inline void samples_end(struct samples_file *samples)
{
	unlink(samples->path);
	paradl_arena_free(samples->arena);
}

static inline const struct paradl_fitted_number *number_find(
	const struct samples_file *samples, const char *path)
{
	for (size_t i = 0; i < samples->fit.number_count; ++i)
		if (strcmp(samples->fit.numbers[i].path, path) == 0)
			return &samples->fit.numbers[i];
	return NULL;
}

static inline struct paradl_fitted_number number_of(const struct samples_file *samples, const char *path)
{
	const struct paradl_fitted_number *number = number_find(samples, path);
	if (!number) {
		fail_msg("no %s was fitted", path);
		return (struct paradl_fitted_number){.path = NULL};
	}
	return *number;
}

static inline void assert_number(
	const struct samples_file *samples, const char *path, double truth, double tolerance)
{
	const struct paradl_fitted_number number = number_of(samples, path);
	if (!(fabs(number.value - truth) <= tolerance * truth))
		fail_msg("%s is %.6g (%.6g to %.6g), expected %.6g", path, number.value, number.low,
			number.high, truth);
	assert_true(number.low <= number.value && number.value <= number.high);
}

#endif
