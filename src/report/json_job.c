/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "run" of a result: a whole training. */
#include "report/json.h"

static void write_checkpoints(struct json_writer *writer, const struct paradl_run *run)
{
	json_begin_object(writer, "checkpoint");
	json_write_number(writer, "bytes", run->checkpoint_bytes);
	json_positive(writer, "write_s", run->checkpoint_s);
	json_positive(writer, "wait_s", run->checkpoint_wait_s);
	json_positive(writer, "interval_s", run->interval_s);
	json_positive(writer, "best_interval_s", run->best_interval_s);
	json_positive(writer, "count", run->checkpoints);
	json_end_object(writer);
}

static void write_failures(struct json_writer *writer, const struct paradl_run *run)
{
	json_begin_object(writer, "failures");
	json_positive(writer, "node_mtbf_s", run->mtbf_s > 0 ? run->node_mtbf_s : -1);
	json_positive(writer, "mtbf_s", run->mtbf_s > 0 ? run->mtbf_s : -1);
	json_write_bool(writer, "assumed", run->mtbf_is_usual);
	json_positive(writer, "count", run->failures);
	json_write_number(writer, "restart_s", run->restart_s);
	json_end_object(writer);
}

void json_run(struct json_writer *writer, const struct report_head *head,
	const struct paradl_run_request *job, const struct paradl_run *run)
{
	if (!job || !run)
		return;
	json_begin_object(writer, "run");
	json_write_number(writer, "samples", run->samples);
	json_positive(writer, "tokens", report_tokens(head, run->samples));
	json_positive(writer, "epochs", run->epochs);
	json_write_number(writer, "iterations", run->iterations);
	json_positive(writer, "limit_s", job->limit_s > 0 ? job->limit_s : -1);
	json_write_bool(writer, "possible", run->possible);
	json_write_bool(writer, "in_time", run->in_time);
	json_write_text(writer, "lacking", run->lacking);
	json_write_number(writer, "work_s", run->work_s);
	json_positive(writer, "time_s", run->possible ? run->time_s : -1);
	json_positive(writer, "checkpoints_s", run->checkpoints_s);
	json_positive(writer, "restarts_s", run->restarts_s);
	json_positive(writer, "lost_s", run->lost_s);
	write_checkpoints(writer, run);
	write_failures(writer, run);
	json_positive(writer, "energy_joule", run->possible ? run->energy_joule : -1);
	json_positive(writer, "cost", run->possible ? run->cost : -1);
	json_write_text(writer, "currency", run->cost < 0 ? NULL : head->machine.currency);
	json_end_object(writer);
}
