/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine made up, to try the whole chain without one. Variables of the environment make trouble:
 *     PARADL_FAKE_NOISE=0.05             standard deviation of the logarithm of samples
 *     PARADL_FAKE_OUTLIERS=0.05          share of samples that take 3 to 10 times as long
 *     PARADL_FAKE_BIMODAL=LAUNCH[:1.6]   half of that launch's samples take so many times as long
 *     PARADL_FAKE_SLOW=LAUNCH[:1.6]      all of them do
 */
#include <math.h>
#include <stdlib.h>

#include "fake.h"

#define X(name) extern const struct bench bench_##name;
#include "list.def"
#undef X

static const struct bench *const benches[] = {
#define X(name) &bench_##name,
#include "list.def"
#undef X
	0,
};

static const double usual_factor = 1.6;

struct trouble trouble = {.bimodal = -1, .slow = -1};

const double memory_bytes_per_s = 1e11, cache_bytes_per_s = 4e11, cache_bytes = 6 << 20,
	     product_flop_per_s = 1e11;

/* Stays as it is without the variable. */
static bool share_read(const char *name, double most, double *share)
{
	const char *text = getenv(name);
	char *end = NULL;
	if (!text || !*text)
		return true;
	*share = strtod(text, &end);
	return !*end && *share >= 0 && *share <= most;
}

/* LAUNCH[:FACTOR] */
static bool launch_read(const char *name, double *launch, double *factor)
{
	const char *text = getenv(name);
	char *end = NULL;
	*factor = usual_factor;
	if (!text || !*text)
		return true;
	*launch = strtod(text, &end);
	if (end == text || !(*launch >= 0) || *launch > floor(*launch))
		return false;
	if (*end == ':')
		*factor = strtod(end + 1, &end);
	return !*end && *factor > 0 && *factor <= 1000;
}

static enum ready begin(struct run *run)
{
	if (!share_read("PARADL_FAKE_NOISE", 1, &trouble.noise) ||
		!share_read("PARADL_FAKE_OUTLIERS", 1, &trouble.outliers))
		return run_say(
			run, FAILED, "PARADL_FAKE_NOISE and PARADL_FAKE_OUTLIERS are numbers from 0 to 1");
	if (!launch_read("PARADL_FAKE_BIMODAL", &trouble.bimodal, &trouble.factor) ||
		!launch_read("PARADL_FAKE_SLOW", &trouble.slow, &trouble.slow_factor))
		return run_say(run, FAILED,
			"PARADL_FAKE_BIMODAL and PARADL_FAKE_SLOW are the number of a launch, or that and a "
			"factor: 2:1.6");
	environment_add("library", "fake 1");
	environment_add("truth/noise", "%.9g", trouble.noise);
	environment_add("truth/outliers", "%.9g", trouble.outliers);
#define X(name) truth_##name();
#include "list.def"
#undef X
	return READY;
}

static const struct program program = {
	.name = "fake",
	.summary = "a machine made up, whose numbers are known",
	.benches = benches,
	.begin = begin,
};

int main(int argc, char **argv)
{
	return calibrate_main(argc, argv, &program);
}
