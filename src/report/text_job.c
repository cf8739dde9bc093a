/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_job() prints a whole training with one plan in a few lines. */
#include "report/text.h"

static const char *time_text(struct report_sink *sink, double seconds)
{
	return typeset_quantity(sink, seconds, DIMENSION_TIME);
}

const char *text_amount(
	struct report_sink *sink, const struct report_head *head, const struct paradl_run *run)
{
	const double tokens = head->model.generates ? report_tokens(head, run->samples) : -1;
	const char *const amount = tokens > 0
					   ? typeset(sink, "%s tokens", typeset_count(sink, tokens))
					   : typeset(sink, "%s samples", typeset_count(sink, run->samples));
	return run->epochs > 0 ? typeset(sink, "%s (%.3g epoch%s)", amount, run->epochs,
					 run->epochs > 0.9995 && run->epochs < 1.0005 ? "" : "s")
			       : amount;
}

void text_run(struct report_sink *sink, const struct report_head *head, const struct paradl_run_request *job,
	const struct paradl_run *run)
{
	const bool is_open = !(job->samples > 0);
	const char *const amount = text_amount(sink, head, run);
	if (!run->possible) {
		typeset_labelled(sink, typeset_ink(sink, INK_BAD, "run"),
			typeset(sink,
				"%s never end: more fails than is done between two failures; the steps alone "
				"take %s",
				amount, time_text(sink, run->work_s)));
		return;
	}
	const char *text = is_open ? typeset(sink, "%s: %s", time_text(sink, run->time_s), amount)
				   : typeset(sink, "%s: %s", amount, time_text(sink, run->time_s));
	if (run->lacking)
		text = typeset(sink, "%s without checkpoints and failures", text);
	if (run->energy_joule >= 0)
		text = typeset(sink, "%s, %s", text, text_energy(sink, run->energy_joule));
	if (run->cost >= 0)
		text = typeset(sink, "%s, %s (%s)", text,
			typeset_money(sink, run->cost, head->machine.currency),
			price_basis_names[head->machine.owned]);
	typeset_labelled(sink, "run", text);
}

void text_deadline(
	struct report_sink *sink, const struct paradl_run_request *job, const struct paradl_run *run)
{
	if (job->limit_s > 0 && job->samples > 0)
		typeset_labelled(sink, "deadline",
			typeset(sink, "%s: %s", time_text(sink, job->limit_s),
				run->in_time ? "in time" : typeset_ink(sink, INK_BAD, "too late")));
}

const char *text_run_shares(struct report_sink *sink, const struct paradl_run *run)
{
	if (!run->possible || run->lacking)
		return NULL;
	return typeset(sink, "steps %s, checkpoints %s, steps done again %s, restarts %s",
		typeset_percent(sink, run->work_s / run->time_s),
		typeset_percent(sink, run->checkpoints_s / run->time_s),
		typeset_percent(sink, run->lost_s / run->time_s),
		typeset_percent(sink, run->restarts_s / run->time_s));
}

static void print_shares(struct report_sink *sink, const struct paradl_run *run)
{
	const char *const shares = text_run_shares(sink, run);
	if (shares)
		typeset_labelled(sink, "of which", shares);
}

static void print_checkpoints(
	struct report_sink *sink, const struct paradl_run_request *job, const struct paradl_run *run)
{
	const char *text = typeset_quantity(sink, run->checkpoint_bytes, DIMENSION_BYTES);
	if (job->checkpoints == PARADL_CHECKPOINTS_NONE)
		return;
	if (run->checkpoint_s >= 0)
		text = typeset(sink, "%s in %s", text, time_text(sink, run->checkpoint_s));
	if (job->asynchronous && run->checkpoint_wait_s >= 0)
		text = typeset(
			sink, "%s, of which GPUs wait %s", text, time_text(sink, run->checkpoint_wait_s));
	if (run->interval_s >= 0 && run->checkpoints < 1.0005)
		text = typeset(sink, "%s, at the end", text);
	else if (run->interval_s >= 0)
		text = typeset(sink, "%s, %s times: after %s of steps%s", text,
			typeset_whole(sink, run->checkpoints), time_text(sink, run->interval_s),
			job->checkpoints == PARADL_CHECKPOINTS_BEST ? ", which costs least" : "");
	if (job->checkpoints == PARADL_CHECKPOINTS_EVERY && run->best_interval_s > 0)
		text = typeset(sink, "%s; %s would cost least", text, time_text(sink, run->best_interval_s));
	typeset_labelled(sink, "checkpoint", text);
}

static void print_failures(struct report_sink *sink, const struct paradl_run *run)
{
	if (!(run->mtbf_s > 0) || run->lacking)
		return;
	const char *const every = typeset(sink, "one in %s (of a node: %s)", time_text(sink, run->mtbf_s),
		time_text(sink, run->node_mtbf_s));
	if (run->failures >= 0)
		typeset_labelled(sink, "failures",
			typeset(sink, "%s: %s; a restart takes %s", typeset(sink, "%.3g", run->failures),
				every, time_text(sink, run->restart_s)));
	else
		typeset_labelled(sink, "failures", every);
}

void text_job(struct report_sink *sink, const struct report_head *head, const struct paradl_run_request *job,
	const struct paradl_run *run)
{
	text_run(sink, head, job, run);
	print_shares(sink, run);
	print_checkpoints(sink, job, run);
	print_failures(sink, run);
	text_deadline(sink, job, run);
}

const char *text_job_columns(struct report_sink *sink, const struct report_advice *advice)
{
	const struct paradl_run_request *const job = advice->job;
	if (!job)
		return "";
	if (!(job->samples > 0))
		return advice->head->model.sequence > 0 ? "run_tokens," : "run_samples,";
	return typeset(sink, "job_s,%s%s", job->limit_s > 0 ? "run_in_time," : "",
		advice->head->machine.price_per_device_hour > 0 ? "job_cost," : "");
}
