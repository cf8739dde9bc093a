/* SPDX-License-Identifier: BSD-3-Clause */
/* What the harness is made of; benches see bench.h only. */
#ifndef CALIBRATE_HARNESS_H
#define CALIBRATE_HARNESS_H

#include <stdio.h>

#include "bench.h"

enum {
	STATUS_DONE,
	STATUS_SOME_FAILED,
	STATUS_USAGE,
	STATUS_CANNOT_WRITE = 5,
	STATUS_AGAIN = 75, /* the device is lost; started again, the program goes on with what is left */
	STATUS_ABSENT = 77,
	STATUS_INTERRUPTED = 130
};

/* options.c */
struct options {
	const char *out, *only, *cases, *directory;
	unsigned launch;
	unsigned long long seed;
	enum effort effort;
	double cap_s;  /* of one point */
	double time_s; /* of all points; 0: what their caps say */
	long long
		retry_before; /* points whose failure is within so many bytes of the file are measured again */
	bool list, benches, help;
};
/* False: what is wrong is on standard error. */
bool options_parse(int argc, char **argv, const struct program *program, struct options *options);
bool options_want(const struct options *options, const char *bench);
void options_help(const struct program *program);

/* points.c */
void points_free(struct points *points);
/* The order of a launch; the same in every process. */
void points_shuffle(struct points *points, unsigned long long seed);

/* cases.c: a file of cases; its texts are those of points, so it stays until they are gone. */
struct cases {
	struct case_line *lines;
	char **texts; /* one for each line */
	size_t count, capacity;
};
bool cases_load(const char *path, struct cases *cases); /* false: what is wrong is on standard error */
void cases_free(struct cases *cases);

/* statistics.c */
void sorted_add(
	double *sorted, unsigned count, double value); /* to `count` sorted values, with room for one more */
double median_of(const double *sorted, unsigned count);
/*
 * Half of the 95 % interval of the median over the median, from order statistics (binomial, normal approximation); values
 * are sorted. HUGE_VAL for fewer than 6, where no order statistics enclose it with that confidence.
 */
double median_half_width(const double *sorted, unsigned count);

/* repeat.c: what one point came to. */
struct samples {
	double *seconds; /* of one call, as measured; of `capacity` */
	double *sorted;
	unsigned count, capacity;
	unsigned long long calls;
	const char *stopped; /* "interval", "time" or "count" */
	double median_s, half_width;
	bool stolen; /* the host took processor time away meanwhile */
	/* of this process while the samples were taken, of the rank that lost most: processor time / time, of all threads; how often
	 * another process took a processor from it; that this was more than a system without other work does */
	double processors, switches;
	bool contended;
};
bool samples_create(struct samples *samples);
void samples_free(struct samples *samples);
/*
 * Warms up and measures until run->until_s; then few samples are enough, of calls that take longer than the point was given
 * (cap_s) one. False: the bench failed; run->reason says why, or was interrupted.
 */
bool repeat(struct run *run, const struct ranks *ranks, double cap_s, struct samples *samples);
/* Returns what a point takes at least, of its operands and of the calls that cannot be left out. */
double point_least_s(const struct point *point, const struct rates *rates);
bool interrupted(void);
void interrupts_catch(void);

/* environment.c */
const char *environment_host(void);
/* {"cpu":"...",...}; NULL: out of memory. */
const char *environment_json(void);
void environment_machine(void); /* adds what is the same for all programs */
void environment_free(void);
void json_text(FILE *file, const char *text); /* quoted and escaped */
/* Processor time that the host took from this machine, in seconds, of all processors; 0 where it does not say. */
double stolen_s(void);
/*
 * What this process has used so far: processor time of all threads, how often others took a processor from it, and how long its threads
 * were ready to run and did not (0 where the system does not say).
 */
struct usage {
	double clock_s, processor_s, switches, waited_s;
};
struct usage usage_now(void);

/* output.c: the file of samples. */
struct output {
	const char *path, *program;
	char launch[64];        /* "cpu.0" */
	int file;               /* -1: not open */
	long long retry_before; /* of struct options */
	char **done;            /* names of points that the file has, sorted */
	size_t done_count, done_capacity;
};
/* Opens or creates it, drops a torn last line, continues or begins the launch. A status; its message is on standard error. */
int output_open(struct output *output, const struct options *options, const struct program *program);
bool output_has(const struct output *output, const char *point);
/* Once these are true, the line is on disk. */
bool output_samples(struct output *output, const struct run *run, const struct samples *samples);
bool output_failed(struct output *output, const struct run *run, bool absent);
void output_close(struct output *output);

#endif
