/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Training steps that are run here: paradl-measure-step under mpirun, each launch of each plan by itself, in shuffled
 * order. The measured times go to a file of measurements that paradl_validate reads.
 */
#ifndef CLI_VALIDATE_RUN_H
#define CLI_VALIDATE_RUN_H

#include "cli/session.h"

enum { RUN_PLANS_MAX = 256, RUN_LAUNCHES_MAX = 1000 };

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
	double batch;
	const char *optimizer;
	unsigned launches;
	struct run_plan plans[RUN_PLANS_MAX];
	size_t plan_count;
	const char *folder;  /* folder of files that are removed at the end */
	const char *samples; /* file of samples */
	const char *csv;     /* file of measurements */
	const char *program; /* paradl-measure-step */
};

/* ---- validate_run_network.c, validate_run_plans.c, validate_run_launch.c ---- */

/* Returns the lines of the network, as calibrate/step/network.h reads them; NULL: error is set. */
const char *run_network_text(struct session *session, const struct paradl_model *model);

/* Adds the plans: one axis at a time, for each number of ranks; false: error is set. */
bool run_plans_list(struct session *session, struct run_campaign *campaign);

/*
 * Runs all launches of all plans. Returns EXIT_ANSWER, or the status to exit with:
 * EXIT_NO_TOOL or EXIT_INTERNAL, for which session->error says why, or 128 and the signal that interrupted a launch.
 */
enum exit_status run_launches(struct session *session, struct run_campaign *campaign);

/* ---- validate_run_rows.c ---- */

/* Writes the file of measurements: a row for each plan that was launched. */
bool run_rows_write(struct session *session, const struct run_campaign *campaign);
/* Fills median, least and most seconds of the launches of each plan, which are shown after the comparison. */
bool run_spread(struct session *session, const struct run_campaign *campaign, struct report_runs *runs);

/*
 * Measures the plans, and names the file of measurements in arguments.measured (validate_run.c). Returns EXIT_ANSWER,
 * or the status to exit with. run_finish removes the files that are not to be kept.
 */
enum exit_status run_measure(
	struct session *session, struct run_campaign *campaign, struct report_runs *runs);
void run_finish(const struct run_campaign *campaign);

#endif
