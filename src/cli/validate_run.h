/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Training steps run here: paradl-measure-step under mpirun, each launch of each plan by itself, in shuffled order. What is
 * measured goes to a file of measurements that paradl_validate reads.
 */
#ifndef CLI_VALIDATE_RUN_H
#define CLI_VALIDATE_RUN_H

#include "cli/session.h"

enum { RUN_PLANS_MAX = 256, RUN_LAUNCHES_MAX = 1000 };

enum run_phase { RUN_TOTAL, RUN_COMPUTE, RUN_COMMUNICATION, RUN_PHASES };

/* One plan; times by launch that ended well. */
struct run_plan {
	const char *strategy;
	unsigned ranks;
	const char *cases; /* file that says what to run */
	double *seconds[RUN_PHASES];
	unsigned launches;
	const char *trouble; /* of the last launch that did not end well; NULL: all did */
};

struct run_campaign {
	const char *model, *hw; /* as rows of measurements name them */
	double batch;
	const char *optimizer;
	unsigned launches;
	struct run_plan plans[RUN_PLANS_MAX];
	size_t plan_count;
	const char *folder;  /* of what is thrown away at the end */
	const char *samples; /* file of samples */
	const char *csv;     /* file of measurements */
	const char *program; /* paradl-measure-step */
};

/* validate_run_network.c: the lines of the network, as calibrate/step/network.h reads them; NULL: error is set. */
const char *run_network_text(struct session *session, const struct paradl_model *model);

/* validate_run_plans.c: one axis at a time, for each number of ranks; false: error is set. */
bool run_plans_list(struct session *session, struct run_campaign *campaign);

/* validate_run_launch.c: all launches of all plans. EXIT_ANSWER, or the status to exit with: session->error says why. */
enum exit_status run_launches(struct session *session, struct run_campaign *campaign);

/* validate_run_rows.c */
bool run_rows_write(struct session *session, const struct run_campaign *campaign);
/* Of the launches of each plan: what is shown after the comparison. */
bool run_spread(struct session *session, const struct run_campaign *campaign, struct report_runs *runs);

/*
 * validate_run.c: measures, and names the file of measurements in arguments.measured. EXIT_ANSWER, or as run_launches.
 * What is not to be kept is removed by run_finish.
 */
enum exit_status run_measure(
	struct session *session, struct run_campaign *campaign, struct report_runs *runs);
void run_finish(const struct run_campaign *campaign);

#endif
