/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A calibration: measuring programs that are started in turn, launch after launch, and all write to one file. */
#ifndef CLI_CALIBRATE_H
#define CLI_CALIBRATE_H

#include "cli/measure.h"

enum { PARTS_MAX = 8, BENCHES_MAX = 64 };

struct part_bench {
	const char *name;
	unsigned lost;   /* points that hung or crashed the program */
	bool is_dropped; /* too many */
};

/* A measuring program and what has become of it. */
struct part {
	const char *name;       /* "cpu" */
	struct text_list words; /* that start it, options that all launches share included */
	struct part_bench benches[BENCHES_MAX];
	size_t bench_count;
	bool is_limited;   /* some benches are not wanted: the others are named when it is started */
	bool is_wanted;    /* by name, not only because it is there */
	bool is_out;       /* report.skipped says why */
	bool lacks_option; /* out, and an option would let it in */
	double start_s;    /* until its program lists its points, as each launch takes, too */
	double *least_s;   /* that a point takes at least, as far as the program knows */
	size_t least_count;
	struct report_measured report;
	double sampled_s;    /* of points that were measured, with all that belongs to them */
	double memory_bytes; /* that a point may need, as far as the program says; negative: it does not */
};

struct campaign {
	struct session *session;
	struct part parts[PARTS_MAX];
	size_t part_count;
	unsigned launches;
	double cap_s;             /* for each point */
	double budget_s, begin_s; /* budget 0: none */
	const char *file, *cases; /* cases NULL: none */
	int descriptor;           /* of the file, locked; negative: not open */
	bool existed;
	struct text_list dropped;
	struct text_list lost; /* points that were measured again after their program was lost */
	long long
		retry_before; /* failures of points that are within so many bytes of the file do not count; 0: all do */
	const char *stopped;     /* NULL: it goes on */
	enum exit_status status; /* so far */
};

double campaign_now_s(void);
/* Returns the seconds that a launch of a part may take at most, with so many for each point. */
double part_most_s(const struct part *part, double cap_s);

/* calibrate_parts.c: which programs there are, how they are started, what they are going to measure */
bool parts_find(struct campaign *campaign);
/* Asks each what it would measure; those that cannot are out. false: error is set. */
bool parts_list(struct campaign *campaign);
void part_leave_out(struct campaign *campaign, struct part *part, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The words of one launch; NULL: out of memory. */
const char *const *part_command(struct campaign *campaign, const struct part *part, unsigned launch);

/* calibrate_benches.c: --only, and benches that are dropped */
bool benches_choose(struct campaign *campaign);
struct part_bench *bench_of_point(struct part *part, const char *point); /* NULL: unknown */
/* "gemm,memory"; "" when none is left. */
const char *benches_wanted(struct campaign *campaign, const struct part *part);

/* calibrate_file.c: the file of samples */
bool samples_claim(struct campaign *campaign);
void samples_release(struct campaign *campaign);
/* Adds that a point failed, after what was torn off by a crash is cut away; `again`: and is going to be measured once more. */
bool samples_add_failed(struct campaign *campaign, const struct part *part, unsigned launch,
	const char *point, const char *bench, const char *why, bool again);

/* calibrate_cases.c: a file with the layers of --layers-of; false: error is set */
bool cases_write(struct campaign *campaign);

/* calibrate_launch.c: one launch of one program, with all that may befall it */
void launch_run(struct campaign *campaign, struct part *part, unsigned launch);

/* calibrate_progress.c */
void progress_point(
	struct campaign *campaign, const struct part *part, unsigned launch, const struct measure_said *said);
void progress_clear(const struct campaign *campaign);

#endif
