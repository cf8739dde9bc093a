/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a measuring program is made of. A bench is one file that ends in one `const struct bench bench_NAME` and one line
 * X(NAME) in its program's list.def. It lists points, and for each point says how to prepare, run and release it; the
 * harness warms up, repeats until the median is known or time is up, and writes one JSON line for each point.
 */
#ifndef CALIBRATE_BENCH_H
#define CALIBRATE_BENCH_H

#include <stdbool.h>
#include <stddef.h>

enum { PARAMETERS_MAX = 24, POINT_NAME_LENGTH = 160, REASON_LENGTH = 200 };

/* "bytes": 4096, or "precision": "fp32" when `text` is there. Texts outlive the program. */
struct parameter {
	const char *name, *text;
	double number;
};

/* One thing to measure. */
struct point {
	const struct bench *bench;
	char name[POINT_NAME_LENGTH]; /* unique in a program: "allreduce/2/4096"; no quotes, no backslashes */
	struct parameter parameters[PARAMETERS_MAX];
	unsigned parameter_count;
	double flop,
		bytes; /* work of one call; 0: none of that kind. Bytes are moved ones, reads and writes */
};

/* Points of a program, in the order that benches list them. */
struct points {
	struct point *items;
	size_t count, capacity;
	bool failed; /* out of memory, or a name twice or too long */
};

/* A new point, with a name as of printf; never NULL, see `failed`. */
struct point *points_add(struct points *points, const struct bench *bench, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void point_number(struct point *point, const char *name, double number);
void point_text(struct point *point, const char *name, const char *text);
/* Of a point; 0 or NULL when there is no such parameter. */
double point_get(const struct point *point, const char *name);
const char *point_get_text(const struct point *point, const char *name);

enum effort { EFFORT_QUICK, EFFORT_USUAL, EFFORT_FULL };

/* One line of a file of cases, "conv layer=res2/0/a batch=32 ...": what of a network is to be measured. cases.c */
struct case_line {
	const char *kind;
	struct parameter parameters[PARAMETERS_MAX];
	unsigned parameter_count;
};

/* What to list points for. */
struct plan {
	enum effort effort;
	const struct case_line *cases;
	size_t case_count;
	const char *directory; /* for scratch files; NULL: none was given */
	unsigned long long seed;
	unsigned launch;
	void *context; /* the program's own, of struct program */
};

enum ready {
	READY,
	ABSENT, /* what it needs is not here: no error, the reason is recorded */
	FAILED  /* it should have worked */
};

/* Memory of a point between prepare and release. */
struct run {
	const struct point *point;
	void *state;                /* the bench's own */
	void *context;              /* the program's own, of struct program */
	char reason[REASON_LENGTH]; /* of ABSENT and FAILED, a clause */
	const char *flag;           /* set by the bench while running: "throttled", ...; NULL: nothing */
	double until_s; /* of clock_s: when the time of the point is up; preparing, warming up and searching count, too */
	bool lost; /* set by the bench: nothing can be measured any more until the program is started again */
	const char *
		timed; /* what the time of a sample is, where that is not all between two looks at the clock; NULL: it is */
	/* of a GPU, summed up over so many looks at it while samples were taken */
	struct {
		double clock_mhz, watt, celsius;
		unsigned count;
	} seen;
};
/* Seconds that are left of the point's time; 0 when it is up. */
double run_left_s(const struct run *run);

/* Prints into run->reason; returns `ready`, so that `return run_say(run, ABSENT, "...")` can be written. */
enum ready run_say(struct run *run, enum ready ready, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

struct bench {
	const char *name;      /* of the "bench" of its points: "gemm" */
	const char *summary;   /* one line for --benches */
	double least_sample_s; /* a sample repeats calls until it lasts so long; 0: 20 us */
	unsigned most_samples; /* 0: 1000 */
	bool made_up;          /* times are of no clock, so nobody who takes the processors is in them */
	void (*list)(const struct plan *plan, struct points *points);
	enum ready (*prepare)(struct run *run);
	/* Does it `calls` times; the seconds of all calls together, by its own clock. Negative: it failed, reason is set. */
	double (*sample)(struct run *run, unsigned long long calls);
	void (*release)(struct run
			*run); /* NULL: nothing to release. Called after any prepare, also one that failed */
};

/* How fast this machine is at least, roughly: what a long list may take is told by these. 0: nothing is known. */
struct rates {
	double fill_s_per_byte; /* of memory that is filled for the first time */
	double s_per_byte, s_per_flop;
	double s_per_file; /* of a small file that is made and removed */
};

/* Processes that measure together; every one runs the same points. Without them (NULL), this process is alone. */
struct ranks {
	unsigned rank, count;
	double (*agree)(double mine); /* what rank 0 says */
	double (*most)(double mine);  /* the largest of all */
};

struct program {
	const char *name;                   /* "cpu": of launches */
	const char *summary;                /* for --help */
	const struct bench *const *benches; /* NULL-terminated */
	/*
	 * Looks for the hardware and adds to the environment (harness.h: environment_add). READY, or why there is nothing to
	 * measure: the program then says so and exits with 77. May be NULL.
	 */
	enum ready (*begin)(struct run *run);
	void (*end)(void);
	/* Alone, or with all others at work; takes some tenths of a second. NULL: nothing is known. */
	void (*probe)(bool at_work, struct rates *rates);
	const struct ranks *ranks;
};

/* Seconds of a monotonic clock. */
double clock_s(void);

/* Environment of a launch, recorded with it: "library" "OpenBLAS 0.3.21". Both texts are copied. */
void environment_add(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * For a watchdog: records that the point of `run` failed, from another thread, while the one that measures hangs. Only on rank 0;
 * the program must end then.
 */
void calibrate_abandon(const struct run *run, const char *reason);

/* main() of a program: parses options, measures, writes. The exit status. */
int calibrate_main(int argc, char **argv, const struct program *program);

#endif
