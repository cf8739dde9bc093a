/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of samples with a known truth: noise, wild samples, one launch with two modes. */
#ifndef TESTS_FIT_SYNTHETIC_H
#define TESTS_FIT_SYNTHETIC_H

#include "test.h"

#include <unistd.h>

#include "fit/calibration.h"
#include "fit/random.h"

struct synthetic {
	double noise;            /* standard deviation of log samples */
	double launch_noise;     /* of each point of a launch as a whole */
	double wild_share;       /* of the samples: 3 to 10 times as long */
	unsigned bimodal_launch; /* half of its samples twice as long; UINT_MAX: none */
	unsigned launches, samples;
	uint64_t seed;
};

/* Points of a file; each is written with all its launches' samples. */
struct synthetic_point {
	const char *name, *bench, *parameters; /* members of an object: "\"nodes\":1" */
	double seconds;
};

static inline void synthetic_launch(FILE *file, const struct synthetic *how, unsigned launch,
	const struct synthetic_point *points, size_t count)
{
	struct random random = {how->seed * 1000 + launch};
	fprintf(file,
		"{\"launch\":\"mpi.%u\",\"format\":\"paradl-samples\",\"version\":1,\"program\":\"mpi\","
		"\"number\":%u,"
		"\"seed\":1,\"effort\":\"usual\",\"date\":\"2026-11-22T04:20:00Z\",\"host\":\"n1\","
		"\"environment\":{}}\n",
		launch, launch);
	for (size_t i = 0; i < count; ++i) {
		const double center = points[i].seconds * exp(how->launch_noise * random_normal(&random));
		fprintf(file,
			"{\"launch\":\"mpi.%u\",\"point\":\"%s\",\"bench\":\"%s\",\"parameters\":{%s},"
			"\"flop\":0,"
			"\"bytes\":0,\"calls\":1,\"stopped\":\"count\",\"flags\":[],\"seconds\":[",
			launch, points[i].name, points[i].bench, points[i].parameters);
		for (unsigned n = 0; n < how->samples; ++n) {
			double seconds = center * exp(how->noise * random_normal(&random));
			if (random_uniform(&random) < how->wild_share)
				seconds *= 3 + 7 * random_uniform(&random);
			if (launch == how->bimodal_launch && n % 2)
				seconds *= 2;
			fprintf(file, "%s%.17g", n ? "," : "", seconds);
		}
		fputs("]}\n", file);
	}
}

/* A file of its own for each launch, if `apart`; returns how many paths there are. */
static inline unsigned synthetic_write(const struct synthetic *how, const struct synthetic_point *points,
	size_t count, bool apart, char paths[][64])
{
	unsigned files = 0;
	FILE *file = NULL;
	for (unsigned launch = 0; launch < how->launches; ++launch) {
		if (!file || apart) {
			if (file)
				fclose(file);
			snprintf(paths[files], 64, "/tmp/paradl-samples-%ld-%u.jsonl", (long)getpid(), files);
			file = fopen(paths[files++], "w");
			assert_non_null(file);
		}
		synthetic_launch(file, how, launch, points, count);
	}
	fclose(file);
	return files;
}

static inline void synthetic_fit(struct paradl_arena *arena, char paths[][64], unsigned files, bool backwards,
	const struct paradl_machine *machine, struct paradl_calibration *calibration)
{
	const char *list[64];
	struct paradl_error error = {0};
	for (unsigned i = 0; i < files; ++i)
		list[i] = paths[backwards ? files - 1 - i : i];
	if (!paradl_calibration_fit(arena, list, files, machine, calibration, &error))
		fail_msg("%s:%d: %s", error.path, error.line, error.message);
	for (unsigned i = 0; i < files; ++i)
		remove(paths[i]);
}

static inline const struct paradl_fitted_number *number_of(
	const struct paradl_calibration *calibration, const char *path)
{
	for (size_t i = 0; i < calibration->number_count; ++i)
		if (strcmp(calibration->numbers[i].path, path) == 0)
			return &calibration->numbers[i];
	return NULL;
}

static inline double value_of(const struct paradl_calibration *calibration, const char *path)
{
	const struct paradl_fitted_number *number = number_of(calibration, path);
	return number ? number->value : -1;
}

#endif
