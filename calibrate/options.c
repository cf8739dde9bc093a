/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum {
	OPTION_OUT = 256,
	OPTION_LAUNCH,
	OPTION_SEED,
	OPTION_QUICK,
	OPTION_FULL,
	OPTION_ONLY,
	OPTION_CASES,
	OPTION_DIRECTORY,
	OPTION_CAP,
	OPTION_TIME,
	OPTION_RETRY,
	OPTION_LIST,
	OPTION_BENCHES,
	OPTION_HELP
};

static const struct option long_options[] = {
	{"out", required_argument, NULL, OPTION_OUT},
	{"launch", required_argument, NULL, OPTION_LAUNCH},
	{"seed", required_argument, NULL, OPTION_SEED},
	{"quick", no_argument, NULL, OPTION_QUICK},
	{"full", no_argument, NULL, OPTION_FULL},
	{"only", required_argument, NULL, OPTION_ONLY},
	{"cases", required_argument, NULL, OPTION_CASES},
	{"directory", required_argument, NULL, OPTION_DIRECTORY},
	{"cap", required_argument, NULL, OPTION_CAP},
	{"time", required_argument, NULL, OPTION_TIME},
	{"retry-before", required_argument, NULL, OPTION_RETRY},
	{"list", no_argument, NULL, OPTION_LIST},
	{"benches", no_argument, NULL, OPTION_BENCHES},
	{"help", no_argument, NULL, OPTION_HELP},
	{NULL, 0, NULL, 0},
};

void options_help(const struct program *program)
{
	printf("paradl-measure-%s: %s\n\n"
	       "  --out FILE       samples are appended to it, a line for each point\n"
	       "  --launch N       number of this launch: its finished points in FILE are skipped [0]\n"
	       "  --seed N         of the order of points and of random sizes [1]\n"
	       "  --quick, --full  fewer or more points\n"
	       "  --only LIST      only these benches: see --benches\n"
	       "  --cases FILE     shapes to measure besides\n"
	       "  --directory DIR  for scratch files\n"
	       "  --cap SECONDS    time for each point [2; quick 0.5, full 5]\n"
	       "  --time SECONDS   of all points: caps become shorter where it would not do\n"
	       "  --retry-before N measure points again whose failure is within the first N bytes of FILE\n"
	       "  --list           names of all points, and how long they take at least; measures nothing\n"
	       "  --benches        what there is to measure\n",
		program->name, program->summary);
}

static bool refuse(const struct program *program, const char *option, const char *value, const char *wanted)
{
	fprintf(stderr, "paradl-measure-%s: --%s must be %s, is \"%s\"\n", program->name, option, wanted,
		value);
	return false;
}

static bool number_read(const char *text, double most, double *value)
{
	char *end;
	errno = 0;
	*value = strtod(text, &end);
	return !errno && end != text && !*end && isfinite(*value) && *value >= 0 && *value <= most;
}

/* Each name of the list is a bench. */
static bool only_check(const struct program *program, const char *list)
{
	for (const char *at = list; *at;) {
		const size_t length = strcspn(at, ",");
		const struct bench *const *bench = program->benches;
		while (*bench &&
			(strlen((*bench)->name) != length || strncmp((*bench)->name, at, length) != 0))
			++bench;
		if (!*bench) {
			fprintf(stderr, "paradl-measure-%s: \"%.*s\" is none of its benches; see --benches\n",
				program->name, (int)length, at);
			return false;
		}
		at += length + (at[length] == ',');
	}
	return true;
}

bool options_want(const struct options *options, const char *bench)
{
	const size_t length = strlen(bench);
	for (const char *at = options->only; at && *at;
		at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
		if (strcspn(at, ",") == length && strncmp(at, bench, length) == 0)
			return true;
	return !options->only;
}

static bool option_take(int option, const struct program *program, struct options *options)
{
	double number = 0;
	switch (option) {
	case OPTION_OUT:
		options->out = optarg;
		return true;
	case OPTION_ONLY:
		options->only = optarg;
		return only_check(program, optarg);
	case OPTION_CASES:
		options->cases = optarg;
		return true;
	case OPTION_DIRECTORY:
		options->directory = optarg;
		return true;
	case OPTION_QUICK:
		options->effort = EFFORT_QUICK;
		return true;
	case OPTION_FULL:
		options->effort = EFFORT_FULL;
		return true;
	case OPTION_LIST:
		options->list = true;
		return true;
	case OPTION_BENCHES:
		options->benches = true;
		return true;
	case OPTION_HELP:
		options->help = true;
		return true;
	case OPTION_LAUNCH:
		if (!number_read(optarg, 1e6, &number))
			return refuse(program, "launch", optarg, "a number up to a million");
		options->launch = (unsigned)number;
		return true;
	case OPTION_SEED:
		if (!number_read(optarg, 9e15, &number))
			return refuse(program, "seed", optarg, "a number up to 9e15");
		options->seed = (unsigned long long)number;
		return true;
	case OPTION_CAP:
		if (!number_read(optarg, 86400, &options->cap_s) || !(options->cap_s > 0))
			return refuse(program, "cap", optarg, "seconds, up to a day");
		return true;
	case OPTION_TIME:
		return number_read(optarg, 9e15, &options->time_s) ||
		       refuse(program, "time", optarg, "seconds");
	case OPTION_RETRY:
		if (!number_read(optarg, 9e15, &number))
			return refuse(program, "retry-before", optarg, "bytes, up to 9e15");
		options->retry_before = (long long)number;
		return true;
	default:
		return false; /* getopt has said why */
	}
}

bool options_parse(int argc, char **argv, const struct program *program, struct options *options)
{
	static const double caps_s[] = {[EFFORT_QUICK] = 0.5, [EFFORT_USUAL] = 2, [EFFORT_FULL] = 5};
	int option;
	*options = (struct options){.seed = 1, .effort = EFFORT_USUAL};
	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		if (!option_take(option, program, options))
			return false;
	if (optind < argc) {
		fprintf(stderr, "paradl-measure-%s: \"%s\" is one word too many\n", program->name,
			argv[optind]);
		return false;
	}
	if (!(options->cap_s > 0))
		options->cap_s = caps_s[options->effort];
	if (options->out || options->list || options->benches || options->help)
		return true;
	fprintf(stderr, "paradl-measure-%s: needs --out FILE for the samples\n", program->name);
	return false;
}
