/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Training steps that are run here: paradl-measure-step under mpirun, or paradl-measure-step-torch on one device, each
 * launch of each plan by itself, in shuffled order. The measured times go to a file of measurements that
 * paradl_validate reads.
 */
#ifndef RUNNER_STEPS_H
#define RUNNER_STEPS_H

#include "runner/measure.h"

enum { RUN_PLANS_MAX = 256 };

enum run_phase { RUN_TOTAL, RUN_COMPUTE, RUN_COMMUNICATION, RUN_PHASES };

/* One plan, with times by launch that ended well. */
struct run_plan {
	const char *strategy;
	unsigned ranks;
	const char *cases; /* file that says what to run */
	double *seconds[RUN_PHASES];
	unsigned launches;
	const char *trouble; /* reason of the last launch that did not end well; NULL: all did */
};

struct run_campaign {
	const char *model, *hw; /* names as rows of measurements have them */
	const char *model_path; /* file of the model */
	double batch;
	const char *optimizer;
	unsigned launches;
	struct run_plan plans[RUN_PLANS_MAX];
	size_t plan_count;
	const char *folder;  /* folder of files that are removed at the end */
	const char *samples; /* file of samples */
	const char *csv;     /* file of measurements */
	const char *program; /* paradl-measure-step, or -step-torch */
	const char *mpirun;  /* words that start it; NULL: it runs alone, on one device */
	const char *steps;   /* program whose steps run: "pytorch-nhwc"; NULL: those under MPI */
	const char *framework, *precision; /* as rows have them; framework: "" where that is said elsewhere */
	unsigned tokens;                   /* tokens of a sample; 0: as the model says */
	bool quick;
	void (*progress)(void *context, double done, double all); /* called before each launch */
	void *progress_context;
};

/* Returns the lines of the network, as calibrate/step/network.h reads them; NULL: error is set. */
const char *run_network_text(struct runner *runner, const struct paradl_model *model);

/*
 * Runs all launches of all plans; *caught becomes the signal that interrupted a launch, 0 where none did. False: the
 * error is set.
 */
bool run_launches(struct runner *runner, struct run_campaign *campaign, int *caught);

/* Writes the file of measurements: a row for each plan that was launched. */
bool run_rows_write(struct runner *runner, const struct run_campaign *campaign);
/* Fills median, least and most seconds of the launches of each plan, which are shown after the comparison. */
bool run_spread(struct runner *runner, const struct run_campaign *campaign, struct report_runs *runs);

#endif
