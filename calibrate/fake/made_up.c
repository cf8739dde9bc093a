/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples with a known median: log-normal noise, wild ones, one launch with two modes or slow as a whole. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fake.h"

static const double turn = 6.283185307179586; /* 2 pi */

static unsigned long long seed;
static unsigned number; /* of the launch */

struct state {
	double seconds;
	unsigned long long random;
};

double protocols_s(const struct protocol *protocols, double bytes)
{
	unsigned i = 0;
	while (i + 1 < PROTOCOLS && bytes > protocols[i].upto_bytes)
		++i;
	return protocols[i].start_s + protocols[i].s_per_byte * bytes;
}

void protocols_tell(const char *where, const struct protocol *protocols)
{
	char name[80], text[200];
	int length = 0;
	snprintf(name, sizeof name, "truth/%s/alpha_s", where);
	environment_add(name, "%.9g", protocols[0].start_s);
	snprintf(name, sizeof name, "truth/%s/bytes_per_s", where);
	environment_add(name, "%.9g", 1 / protocols[PROTOCOLS - 1].s_per_byte);
	for (unsigned i = 0; i < PROTOCOLS; ++i)
		length += snprintf(text + length, sizeof text - (size_t)length, "%s%.9g:%.9g@%.9g",
			i ? " " : "", protocols[i].start_s, 1 / protocols[i].s_per_byte,
			protocols[i].upto_bytes);
	snprintf(name, sizeof name, "truth/%s/protocols", where);
	environment_add(name, "%s", text);
}

double size_next(const struct plan *plan, double bytes, double most)
{
	const double next = bytes > 0 ? bytes * (plan->effort == EFFORT_QUICK ? 4 : 2) : 8;
	return next > most ? 0 : next;
}

/* SplitMix64 (Steele, Lea, Flood, OOPSLA'14); in (0, 1). */
static double uniform(unsigned long long *state)
{
	unsigned long long z = *state += 0x9e3779b97f4a7c15ULL;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

/* Box and Muller. */
static double normal(unsigned long long *state)
{
	const double distance = sqrt(-2 * log(uniform(state)));
	return distance * cos(turn * uniform(state));
}

void fake_plan(const struct plan *plan)
{
	seed = plan->seed;
	number = plan->launch;
}

/* Of the seed, the launch and the point's name alone (FNV-1a), so that neither order nor resuming changes samples. */
static unsigned long long random_begin(const char *name)
{
	unsigned long long hash = 0xcbf29ce484222325ULL;
	for (; *name; ++name)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3ULL;
	return hash ^ (seed * 1000003 + number) * 0x9e3779b97f4a7c15ULL;
}

enum ready fake_prepare(struct run *run, double seconds)
{
	struct state *state = malloc(sizeof *state);
	if (!state)
		return run_say(run, FAILED, "out of memory");
	*state = (struct state){.seconds = seconds, .random = random_begin(run->point->name)};
	run->state = state;
	return READY;
}

double fake_sample(struct run *run, unsigned long long calls)
{
	struct state *state = run->state;
	const double launch = number;
	double seconds = state->seconds * exp(trouble.noise * normal(&state->random));
	if (uniform(&state->random) < trouble.outliers)
		seconds *= 3 + 7 * uniform(&state->random);
	if (uniform(&state->random) < 0.5 && fabs(launch - trouble.bimodal) < 0.5)
		seconds *= trouble.factor;
	if (fabs(launch - trouble.slow) < 0.5)
		seconds *= trouble.slow_factor;
	return seconds * (double)calls;
}

void fake_release(struct run *run)
{
	free(run->state);
	run->state = NULL;
}
