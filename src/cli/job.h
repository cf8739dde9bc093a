/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of a whole training: how much it is, and what comes between its steps. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "cli/question.h"

/* Samples of --tokens, --samples or --epochs; 0: none of them was given. */
bool job_samples(struct session *session, const struct paradl_model_info *model, double *samples);

/* What is asked of a run; false: wrong. `asked` is false where no option of it was given. */
bool job_read(
	struct session *session, struct question *question, struct paradl_run_request *job, bool *asked);

/* The runs of the results of these rankings, one after the other; NULL: out of memory. */
const struct paradl_run *job_runs(struct session *session, const struct question *question,
	const struct paradl_run_request *job, const struct paradl_ranking *rankings, size_t count);

/* Is a limit not held? Says so. */
bool job_is_late(struct session *session, const struct paradl_run_request *job, const struct paradl_run *run);

#endif
