/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of a whole training: its number of samples, its limits, and the checkpoints and failures between its
 * steps.
 */
#ifndef CLI_JOB_OPTIONS_H
#define CLI_JOB_OPTIONS_H

#include "cli/question.h"
#include "paradl/oracle.h"

/* Computes the samples of --tokens, --samples or --epochs, 0 if none of them is given; false: the error is set. */
bool job_samples(struct session *session, const struct paradl_model_info *model, double *samples);

/* Reads the options of a run; `asked` is false where none of them is given. Returns false where the error is set. */
bool job_read(
	struct session *session, struct question *question, struct paradl_run_request *job, bool *asked);

/* Returns a run for each result of these rankings, one ranking after the other; NULL: out of memory. */
const struct paradl_run *job_runs(struct session *session, const struct question *question,
	const struct paradl_run_request *job, const struct paradl_ranking *rankings, size_t count);

/* Returns whether a run never ends, or takes longer than --deadline, and prints which. */
bool job_is_late(struct session *session, const struct paradl_run_request *job, const struct paradl_run *run);

#endif
