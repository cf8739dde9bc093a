/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_hide() prints training with fewer samples: runs of equal epochs, what is saved, and the samplers compared. */
#include <math.h>
#include <string.h>

#include "report/text.h"

static const char *percent(struct report_sink *sink, double share)
{
	return typeset(sink, "%.1f %%", 100 * share);
}

static const char *seconds(struct report_sink *sink, double value)
{
	const char *const text = typeset_quantity(sink, fabs(value), DIMENSION_TIME);
	return value < 0 ? typeset(sink, "-%s", text) : text;
}

/* ---- epochs ------------------------------------------------------------------------------------------------- */

static bool same(double a, double b)
{
	return !(a < b) && !(a > b);
}

/* Returns whether two epochs are equal except for their number. */
static bool alike(const struct paradl_hide_epoch *a, const struct paradl_hide_epoch *b)
{
	return same(a->cap, b->cap) && same(a->candidates, b->candidates) && same(a->hidden, b->hidden) &&
	       same(a->rate_factor, b->rate_factor) && same(a->time_s, b->time_s);
}

static void print_epochs(struct report_sink *sink, const struct report_hide *report)
{
	enum { EPOCHS, RATE = 6 };
	const struct paradl_hide *const hide = report->hide;
	struct columns columns;
	columns_start(&columns, sink, report, &record_hide_epoch,
		"epochs,cap,candidates,moved_back,hidden,share,rate_factor,time_s,saved_s");
	for (size_t i = 0, end; i < hide->count; i = end) {
		const struct paradl_hide_epoch *const first = &hide->rows[i];
		for (end = i + 1; end < hide->count && alike(first, &hide->rows[end]);)
			end++;
		const char **const cells = columns_row(&columns, first);
		cells[EPOCHS] = end > i + 1
					? typeset(sink, "%.0f-%.0f", first->epoch, hide->rows[end - 1].epoch)
					: typeset(sink, "%.0f", first->epoch);
		cells[RATE] = typeset(sink, "×%.3f", first->rate_factor);
	}
	columns_print(&columns);
}

static void print_samplers(struct report_sink *sink, const struct report_hide *report, bool all)
{
	const struct paradl_hide *const hide = report->hide;
	struct columns columns;
	columns_start(&columns, sink, report, &record_hide_training,
		all ? "sampler,fraction,reads,forward,backward,steps,besides,probe_s,epoch_s,training_s,saved"
		    : "sampler,fraction,reads,forward,backward,steps,epoch_s,training_s,saved");
	const struct paradl_hide_training plain = {.sampler = "all samples",
		.fraction = -1,
		.epoch_s = hide->plain_epoch_s,
		.training_s = hide->plain_training_s};
	const char **const cells = columns_row(&columns, &plain);
	for (size_t i = 2; i < 6; i++)
		cells[i] = "1";
	cells[columns.table.column_count - 1] = "";
	columns_list(&columns, &record_hide, "samplers", NULL);
	columns_print(&columns);
}

/* ---- below the tables --------------------------------------------------------------------------------------- */

static const char *money(struct report_sink *sink, const struct report_hide *report, double saved_s)
{
	const struct paradl_estimate *const estimate = &report->hide->estimate;
	if (estimate->cost_per_epoch < 0 || !(estimate->epoch_s > 0))
		return "";
	return typeset(sink, ", %s less",
		typeset_money(sink, estimate->cost_per_epoch / estimate->epoch_s * saved_s,
			report->head->machine.currency));
}

static bool waits(double fed_s, double busy_s)
{
	return fed_s > busy_s * (1 + 1e-9);
}

static void print_verdict(struct report_sink *sink, const struct report_hide *report)
{
	const struct paradl_hide *const hide = report->hide;
	const struct paradl_hide_training *const training = &hide->trainings[hide->chosen];
	const bool costs = training->saved_share <= -0.001;
	const char *const nothing =
		costs ? typeset(sink, "nothing, and costs %s more:", percent(sink, -training->saved_share))
		      : "nothing:";
	const char *text = "nothing: no sample is spared; this is plain training";
	switch (hide->verdict) {
	case PARADL_HIDE_OFF:
		break;
	case PARADL_HIDE_SAVES:
		text = typeset(sink, "%s of the training: %s for %.0f epochs instead of %s%s%s",
			percent(sink, training->saved_share), seconds(sink, training->training_s),
			hide->epochs, seconds(sink, hide->plain_training_s),
			money(sink, report, training->saved_s),
			training->free_saved_share > training->saved_share + 0.001
				? typeset(sink, "; with input for free it would be %s",
					  percent(sink, training->free_saved_share))
				: "");
		break;
	case PARADL_HIDE_INPUT:
		text = typeset(sink,
			"%s a step waits for %s, and takes %s instead of %s; samples that are spared are "
			"read "
			"and decoded all the same. With input for free it would be %s",
			nothing, paradl_resource_text(hide->input.binding), seconds(sink, hide->fed_step_s),
			seconds(sink, hide->step_s), percent(sink, training->free_saved_share));
		break;
	case PARADL_HIDE_OVERHEADS:
		text = typeset(sink, "%s what it does besides takes longer than what it spares", nothing);
		break;
	}
	typeset_labelled(sink, typeset_ink(sink, INK_BOLD, "saves"), text);
}

static void print_overheads(struct report_sink *sink, const struct paradl_hide *hide)
{
	const struct paradl_hide_training *const training = &hide->trainings[hide->chosen];
	const double sum_s = training->exchange_s + training->order_s + training->candidates_s;
	if (training->probe_s > 0)
		typeset_labelled(sink, "probe",
			typeset(sink, "%s of plain training before, to know what to leave out",
				seconds(sink, training->probe_s)));
	const char *const summed =
		training->exchange_s > 0
			? typeset(sink, "%s to sum up %s, ", seconds(sink, training->exchange_s),
				  typeset_quantity(sink, hide->exchange_bytes, DIMENSION_BYTES))
			: "";
	if (sum_s > 0)
		typeset_labelled(sink, "overheads",
			typeset(sink, "%s an epoch: %s%s to order samples, %s to look at candidates",
				seconds(sink, sum_s), summed, seconds(sink, training->order_s),
				seconds(sink, training->candidates_s)));
	if (training->memory_bytes > 0)
		typeset_labelled(sink, "memory",
			typeset(sink, "%s more in each process on the host",
				typeset_quantity(sink, training->memory_bytes, DIMENSION_BYTES)));
}

static void print_input(struct report_sink *sink, const struct paradl_hide *hide, bool refreshes)
{
	const char *const need =
		typeset(sink, "training reads %s samples/s%s", typeset_rate(sink, hide->samples_per_s),
			refreshes ? typeset(sink, ", the forward pass over hidden ones %s",
					    typeset_rate(sink, hide->hidden_samples_per_s))
				  : "");
	const double fed_s = refreshes ? hide->fed_hidden_step_s : hide->fed_step_s;
	const char *const which = waits(hide->fed_step_s, hide->step_s)                 ? "both wait"
				  : waits(hide->fed_hidden_step_s, hide->hidden_step_s) ? "the latter waits"
											: NULL;
	if (!hide->input.known)
		typeset_labelled(
			sink, "input", typeset(sink, "taken as free (%s); %s", hide->input.lacking, need));
	else if (!which || (!refreshes && !waits(hide->fed_step_s, hide->step_s)))
		typeset_labelled(sink, "input",
			typeset(sink, "%s, and %s", need, refreshes ? "neither waits" : "does not wait"));
	else
		typeset_labelled(sink, "input",
			typeset(sink, "%s; %s: %s a second come, because of %s", need,
				refreshes ? which : "it waits",
				typeset_rate(sink, hide->estimate.plan.batch / fed_s),
				paradl_resource_text(
					refreshes ? hide->hidden_binding : hide->input.binding)));
}

static void print_closing(struct report_sink *sink, const struct report_hide *report)
{
	const struct paradl_hide *const hide = report->hide;
	const struct paradl_hide_training *const training = &hide->trainings[hide->chosen];
	const bool hides = strcmp(training->sampler, "kakurenbo") == 0;
	putc('\n', sink->file);
	print_verdict(sink, report);
	if (hide->scale < 1 || hide->scale > 1)
		typeset_labelled(sink, "scaled",
			typeset(sink, "an epoch of %s was measured, times are %.3g× the projected ones",
				seconds(sink, hide->plain_epoch_s), hide->scale));
	if (hides && training->fraction > 0)
		typeset_labelled(sink, "hidden",
			typeset(sink,
				"%s of the samples on average, of a cap of %s; one costs %.2f of a trained "
				"one",
				percent(sink, training->mean_hidden), percent(sink, training->mean_cap),
				hide->hidden_cost));
	if (hides && training->fraction > 0)
		typeset_labelled(sink, "rate",
			typeset(sink,
				"learning rate × 1 / (1 - cap) after %.0f epochs of warm-up: by the cap, as "
				"the released "
				"programs do, not by what is hidden",
				hide->warm_up));
	print_overheads(sink, hide);
	print_input(sink, hide, hides);
	text_assumptions(sink, report->head);
}

void text_hide(struct report_sink *sink, const struct report_hide *report)
{
	const struct paradl_hide *const hide = report->hide;
	const struct paradl_estimate *const estimate = &hide->estimate;
	const struct paradl_hide_training *const training = &hide->trainings[hide->chosen];
	if (!sink->style.brief) {
		text_title(sink, report->head,
			typeset(sink, "%s on %s, %s", text_plan(sink, &estimate->plan),
				text_devices(sink, report->head, estimate->devices),
				text_batch(sink, report->head, estimate->plan.batch)));
		typeset_wrapped(sink, 0,
			typeset(sink, "%s: %s (%s)", training->sampler, training->summary, training->source));
		putc('\n', sink->file);
	}
	if (report->compares) {
		print_samplers(sink, report, true);
	} else {
		print_epochs(sink, report);
		putc('\n', sink->file);
		print_samplers(sink, report, false);
	}
	if (!sink->style.brief)
		print_closing(sink, report);
}
