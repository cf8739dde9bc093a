/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One point: calls are repeated until a sample lasts long enough for the clock; warm-up ends when two samples in a row
 * agree within 2 %, or after a second; then samples are taken until the 95 % interval of their median is within 2 %,
 * or the time or the number of samples is used up. Preparing and warming up are within the time of a point. Rank 0 decides for
 * all ranks; a sample is that of the slowest.
 */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "harness.h"

enum {
	SAMPLES_USUAL = 1000,
	SAMPLES_LEAST = 10,
	SAMPLES_OVERTIME = 3,
	CALLS_LEAST = SAMPLES_OVERTIME + 1, /* warmed up once */
	FILES_MADE = 2 /* to warm up, and for a sample that takes longer than its point */
};
static const double least_sample_s = 20e-6, close_enough = 0.02, warm_up_s = 1, stolen_share = 0.05;
/* Of a point's time, what is kept for samples where preparing took long. */
static const double sampled_share = 0.25;
/* Of a process that has its processors alone, kernel threads take one a few times a second; one that must share it, at the end of
 * each slice of some milliseconds. */
enum { SWITCHES_LEAST = 3 };
static const double switches_per_s = 20, waited_share = 0.05;

static volatile sig_atomic_t caught;

static void catch (int signal_number)
{
	caught = signal_number;
}

bool interrupted(void)
{
	return caught != 0;
}

void interrupts_catch(void)
{
	struct sigaction action = {.sa_handler = catch};
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN); /* whoever reads our progress may go; the samples still count */
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is as a full disk: write says so */
}

double clock_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool samples_create(struct samples *samples)
{
	*samples = (struct samples){.capacity = SAMPLES_USUAL};
	samples->seconds = malloc(SAMPLES_USUAL * sizeof(double));
	samples->sorted = malloc(SAMPLES_USUAL * sizeof(double));
	return samples->seconds && samples->sorted;
}

void samples_free(struct samples *samples)
{
	free(samples->seconds);
	free(samples->sorted);
}

static double agreed(const struct ranks *ranks, double mine)
{
	return ranks ? ranks->agree(mine) : mine;
}

/* Seconds of all calls together, of the slowest rank; negative: some rank failed. */
static double sample(struct run *run, const struct ranks *ranks, unsigned long long calls)
{
	double s = run->point->bench->sample(run, calls);
	if (ranks)
		s = ranks->most(s < 0 ? HUGE_VAL : s);
	return isfinite(s) ? s : -1;
}

/* Of calls that take `last_s` together, how many make a sample of `wanted_s`. */
static unsigned long long calls_for(double wanted_s, unsigned long long calls, double last_s)
{
	const double grown = last_s > 0 ? wanted_s / last_s * 1.2 : 100;
	const double most = 1e9 / (double)calls;
	const double factor = fmin(fmin(grown, 100), most);
	return factor > 1 ? (unsigned long long)ceil((double)calls * factor) : calls;
}

double point_least_s(const struct point *point, const struct rates *rates)
{
	const double footprint = point_get(point, "footprint");
	const double filled = footprint > 0 ? footprint : point->bytes;
	const double once_s = fmax(point->bytes * rates->s_per_byte, point->flop * rates->s_per_flop);
	const double files_s = FILES_MADE * point_get(point, "files") * rates->s_per_file;
	const double rests_s = CALLS_LEAST * point_get(point, "rest_s");
	return filled * rates->fill_s_per_byte + CALLS_LEAST * once_s + files_s + rests_s;
}

/* False: it failed, or was interrupted. */
static bool warm_up(struct run *run, const struct ranks *ranks, struct samples *samples)
{
	const struct bench *bench = run->point->bench;
	const double wanted_s = bench->least_sample_s > 0 ? bench->least_sample_s : least_sample_s;
	const double until_s = clock_s() + fmin(warm_up_s, run_left_s(run) / 2);
	double before_s = -1;
	for (samples->calls = 1;;) {
		const double all_s = sample(run, ranks, samples->calls);
		if (all_s < 0)
			return false;
		const double one_s = all_s / (double)samples->calls;
		const bool steady = before_s > 0 && fabs(one_s - before_s) <= close_enough * one_s;
		const bool enough = all_s >= wanted_s || samples->calls >= 1000000000ULL;
		before_s = one_s;
		double next = 0; /* calls; 0: warm; negative: give up */
		if (interrupted())
			next = -1;
		else if (!enough)
			next = (double)calls_for(wanted_s, samples->calls, all_s);
		else if (!steady && clock_s() < until_s)
			next = (double)samples->calls;
		next = agreed(ranks, next);
		if (next < 0)
			return false;
		if (!(next > 0))
			return true;
		samples->calls = (unsigned long long)next;
	}
}

/* Why measuring ends now; NULL: it goes on. Until `until_s`, with few samples until `late_s`. */
static const char *finished(struct samples *samples, unsigned most, double until_s, double late_s)
{
	const unsigned count = samples->count;
	const double now_s = clock_s();
	if (count >= SAMPLES_LEAST && (count % (count / SAMPLES_LEAST) == 0 || count == most)) {
		samples->half_width = median_half_width(samples->sorted, count);
		if (samples->half_width < close_enough)
			return "interval";
	}
	if (count >= most)
		return "count";
	return now_s > (count >= SAMPLES_OVERTIME ? until_s : late_s) ? "time" : NULL;
}

/* Notes what the samples had of the processors, of the rank that others took one from most often. */
static void usage_fill(struct samples *samples, const struct ranks *ranks, const struct usage *before)
{
	const struct usage now = usage_now();
	const double took_s = now.clock_s - before->clock_s;
	const double processors = took_s > 0 ? (now.processor_s - before->processor_s) / took_s : 0;
	const double switches = now.switches - before->switches;
	samples->switches = ranks ? ranks->most(switches) : switches;
	samples->processors = ranks ? -ranks->most(-processors) : processors;
	const double waited_s = now.waited_s - before->waited_s,
		     most_waited_s = ranks ? ranks->most(waited_s) : waited_s;
	samples->contended =
		(samples->switches >= SWITCHES_LEAST && samples->switches > switches_per_s * took_s) ||
		(samples->switches > 0 && most_waited_s > waited_share * took_s);
}

bool repeat(struct run *run, const struct ranks *ranks, double cap_s, struct samples *samples)
{
	const unsigned wanted = run->point->bench->most_samples;
	const unsigned most = wanted && wanted < samples->capacity ? wanted : samples->capacity;
	samples->count = 0;
	samples->stopped = NULL;
	if (!warm_up(run, ranks, samples))
		return false;
	const double begin_s = clock_s(), stolen_before_s = stolen_s();
	const double until_s = fmax(run->until_s, begin_s + sampled_share * cap_s), late_s = until_s + cap_s;
	const struct usage before = usage_now();
	while (!samples->stopped) {
		const double all_s = sample(run, ranks, samples->calls);
		if (all_s < 0)
			return false;
		const double one_s = all_s / (double)samples->calls;
		sorted_add(samples->sorted, samples->count, one_s);
		samples->seconds[samples->count++] = one_s;
		const char *end = finished(samples, most, until_s, late_s);
		const double go_on = agreed(ranks, interrupted() ? -1 : end == NULL);
		if (go_on < 0)
			return false;
		if (!(go_on > 0))
			samples->stopped = end ? end : "time";
	}
	usage_fill(samples, ranks, &before);
	samples->contended = samples->contended && !run->point->bench->made_up;
	samples->median_s = median_of(samples->sorted, samples->count);
	samples->half_width = median_half_width(samples->sorted, samples->count);
	samples->stolen = stolen_s() - stolen_before_s > stolen_share * (clock_s() - begin_s);
	return true;
}
