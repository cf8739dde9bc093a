/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A calibration (struct campaign) starts measuring programs (struct part) in turn, launch after launch; all of them
 * write their samples to one file. A program has benches, and a bench has points: what is measured, such as one size.
 */
#ifndef RUNNER_CALIBRATE_H
#define RUNNER_CALIBRATE_H

#include "base/option.h"
#include "runner/measure.h"

enum { PARTS_MAX = 8, BENCHES_MAX = 64 };

/* A bench of a measuring program: a kind of point, such as "allreduce". */
struct part_bench {
	const char *name;
	unsigned lost;   /* points that hung or crashed the program */
	bool is_dropped; /* too many were lost: it is no longer measured */
};

/* A measuring program, its benches and its results so far. */
struct part {
	const char *name;       /* "cpu" */
	struct text_list words; /* its command line, with the options that all launches share */
	struct part_bench benches[BENCHES_MAX];
	size_t bench_count;
	bool is_limited;   /* some benches are not wanted: --only names the others at each start */
	bool is_wanted;    /* asked for by an option, not only measured because it is there */
	bool is_out;       /* not measured, or no more: report.skipped says why */
	bool lacks_option; /* is_out, but an option could make it run (mpirun as root) */
	double start_s;    /* seconds until the program has listed its points; each launch takes them, too */
	double cap_share;  /* of its cap, what a point takes on the average */
	bool is_made_up;   /* it takes no time: its clock is made up */
	double *least_s;   /* for each point, seconds that it takes at least; 0: the program does not say */
	size_t least_count;
	struct report_measured report;
	double sampled_s;    /* total seconds of measured points, from start to result */
	double memory_bytes; /* that a point may need; negative: not known, as always so far */
};

/* Options of a calibration. */
struct calibrate_options {
	const char *storage;                  /* folder whose storage is measured; NULL: none */
	bool cpu, mpi, gpu, fake;             /* programs that are asked for */
	const char *only, *hostfile, *mpirun; /* NULL: not given */
	double ranks, seed, patience_s;       /* 0: not given */
	bool quick, full, dry_run, resume, retry_failed;
};

/* Ways in which a calibration ends. */
enum campaign_end {
	CAMPAIGN_DONE,        /* all is measured, or its time is up */
	CAMPAIGN_BROKEN,      /* samples cannot be kept, or memory ran out */
	CAMPAIGN_INTERRUPTED, /* by a signal */
};

/* A calibration. */
struct campaign {
	struct runner *runner;
	const struct calibrate_options *options;
	struct part parts[PARTS_MAX];
	size_t part_count;
	unsigned launches;
	double cap_s;             /* seconds for each point at most */
	double limit_s, begin_s;  /* limit of all (0: none), and when it began */
	double time_s;            /* planned for all of it */
	double plan_s;            /* seconds that finding the programs and listing their points took */
	const char *file, *cases; /* file of samples, and of layers to measure (NULL: none) */
	int descriptor;           /* of the file, locked; negative: not open */
	bool existed;             /* the file had samples before */
	bool is_full;             /* all launches are done, and more follow while there is time */
	bool is_over;             /* the planned time is up */
	struct text_list dropped; /* benches that are no longer measured: "mpi allreduce" */
	struct text_list lost;    /* points that were measured again after their program was lost */
	long long
		retry_before; /* failures of points within these first bytes of the file do not count; 0: all do */
	const char *stopped;   /* why it ended early; NULL: it goes on */
	enum campaign_end end; /* as far as is known */
};

/* ---- calibrate.c: time, and all launches ---- */

/* Returns the seconds that a launch of `part` is planned to take. */
double part_planned_s(const struct campaign *campaign, const struct part *part);
/* Returns the seconds that the calibration takes, from its begin: as planned for all launches, or its limit where that is less. */
double campaign_planned_s(const struct campaign *campaign);
/* Returns the points of all launches. */
double campaign_points(const struct campaign *campaign);
/* Returns the seconds that are left of those planned; a calibration that goes on with a file has a limit only where it was given one. */
double campaign_left_s(const struct campaign *campaign);
/* Returns the seconds that a launch of `part` may take of those left, so that all launches get their share; 0: as long as it takes. */
double part_launch_s(const struct campaign *campaign, const struct part *part, unsigned launch);
/*
 * Launches all programs in turn. Another one begins each launch, so that none always runs after the same other. What is left of the
 * planned time then, as points end sooner than their cap, goes to more launches; the last of them ends with the time.
 */
void campaign_measure(struct campaign *campaign);

/* ---- calibrate_parts.c ---- */

/* Adds the programs that are asked for, else all that are measured unasked; false: error is set. */
bool parts_find(struct campaign *campaign);
/*
 * Asks each program for its benches and points; those that cannot answer are left out. false: error is set, or
 * campaign->stopped is.
 */
bool parts_list(struct campaign *campaign);
/* A function that gets each line of a list. */
typedef void part_listener(struct campaign *campaign, struct part *part, const char *line);
/*
 * Starts a program with more words, and passes each line that it prints to `tell`. A program that fails
 * or is silent for too long is left out. false: interrupted, or out of memory.
 */
bool part_ask(struct campaign *campaign, struct part *part, const char *const *more, size_t count,
	part_listener *tell);
/* Marks a program as out, for the reason in `format`, without the program's own name in front. */
void part_leave_out(struct campaign *campaign, struct part *part, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Returns the command line of one launch, NULL-terminated; NULL: out of memory. */
const char *const *part_command(struct campaign *campaign, const struct part *part, unsigned launch);

/* ---- calibrate_benches.c ---- */

/* Keeps only the benches that --only names; false: one is unknown, or out of memory (error is set). */
bool benches_choose(struct campaign *campaign);
/* Returns the bench that the name of a point begins with ("allreduce/2/4096"); NULL: none of the program. */
struct part_bench *bench_of_point(struct part *part, const char *point);
/* Returns the benches that are still measured, as --only takes them: "gemm,memory"; "" when none is left. */
const char *benches_wanted(struct campaign *campaign, const struct part *part);

/* ---- calibrate_file.c ---- */

/* Opens and locks the file of samples; false: it cannot be written to, or must not be (error is set). */
bool samples_claim(struct campaign *campaign);
/* Closes the file of samples, and removes the file of layers, and that of samples if it is empty. */
void samples_release(struct campaign *campaign);
/*
 * Adds a line that a point failed, after it cuts away an unfinished last line, which a crash may have left. `again`:
 * the point is going to be measured once more. false: error is set.
 */
bool samples_add_failed(struct campaign *campaign, const struct part *part, unsigned launch,
	const char *point, const char *bench, const char *why, bool again);

/* ---- calibrate_cases.c ---- */

/* A shard of a layer that is measured: the degree of each axis that splits the layer, 1 where it does not. */
struct shard {
	unsigned filter, channel, spatial, tensor;
};
enum { SHARDS_MAX = 32 };
/* Reads "filter=2,spatial=4": shards[0] is the whole layer, and each item is one more shard. false: error is set. */
bool shards_parse(
	const char *text, struct shard shards[SHARDS_MAX], size_t *count, struct paradl_error *error);
/* Writes a file with the layers of a network, at each batch (count 0: usual ones), of each shard; false: error is set. */
bool cases_write(struct campaign *campaign, const struct paradl_model *model,
	const struct option_counts *batches, const struct shard *shards, size_t shard_count);

/* ---- calibrate_launch.c ---- */

/* Runs one launch of one program, in a new process after each hang or crash. */
void launch_run(struct campaign *campaign, struct part *part, unsigned launch);

/* ---- calibrate_progress.c ---- */

/* Prints progress after the program has said something about a point. */
void progress_point(
	struct campaign *campaign, const struct part *part, unsigned launch, const struct measure_said *said);
/* Erases the line of progress, where there is one, so that other lines can be printed. */
void progress_clear(const struct campaign *campaign);

#endif
