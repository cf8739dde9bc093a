/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text_diagnosis() prints measured phases beside projected ones, the causes as sentences, and the layers with the
 * largest gaps.
 */
#include <math.h>

#include "report/text.h"

static const double nothing_share = 0.0005; /* share of measured time; smaller gaps have no note */

/* ---- phases ---- */

static const char *why(struct report_sink *sink, const struct paradl_diagnosis *diagnosis,
	const struct paradl_diagnosis_row *row)
{
	if (row->cause >= 0)
		return diagnosis->causes[row->cause].name;
	if (fabs(row->measured_s - row->projected_s) <= row->tolerance_s)
		return fabs(row->gap_s) > nothing_share * row->measured_s
			       ? typeset_ink(sink, INK_DIM, "within the model's error")
			       : "";
	if (row->part == PARADL_PART_TOTAL && diagnosis->row_count > 1)
		return typeset_ink(sink, INK_DIM, "the gaps above");
	return fabs(row->measured_s - row->explained_s) <= row->tolerance_s
		       ? typeset_ink(sink, INK_DIM, "follows from the others")
		       : "no cause explains it";
}

static void print_phases(struct report_sink *sink, const struct report_diagnosis *report)
{
	enum { CAUSE = 6 };
	const struct paradl_diagnosis *const diagnosis = report->diagnosis;
	struct columns columns;
	columns_start(&columns, sink, report, &record_diagnose_phase,
		"phase,measured_s,projected_s,gap,times,share,cause");
	for (size_t i = 0; i < diagnosis->row_count; i++) {
		const struct paradl_diagnosis_row *const row = &diagnosis->rows[i];
		if (row->measured_s > 0 || row->projected_s > 0)
			columns_row(&columns, row)[CAUSE] = why(sink, diagnosis, row);
	}
	columns_print(&columns);
}

/* ---- causes ---- */

static const char *category(struct report_sink *sink, const struct paradl_cause *cause)
{
	const char *kind = cause->kind == PARADL_LIMITATION ? "limitation" : "bottleneck";
	return *cause->origin ? typeset(sink, "%s %s (%s)", cause->category, kind, cause->origin)
			      : typeset(sink, "%s %s", cause->category, kind);
}

static void print_cause(
	struct report_sink *sink, const struct paradl_diagnosis *diagnosis, const struct paradl_cause *cause)
{
	const double all_s = diagnosis->gap_s;
	if (cause->instead >= 0) {
		typeset_labelled(sink, "or", typeset(sink, "%s: %s", cause->summary, cause->text));
		return;
	}
	typeset_labelled(sink, "cause",
		typeset(sink, "%s, a %s: %s, %s%s", cause->summary, category(sink, cause), cause->gaps,
			cause->text,
			all_s > 0 && cause->left_s > 0.02 * all_s
				? typeset(sink, "; gaps of %s are left",
					  typeset_quantity(sink, cause->left_s, DIMENSION_TIME))
				: ""));
	typeset_labelled(sink, "check", cause->check);
}

static void print_verdict(struct report_sink *sink, const struct paradl_diagnosis *diagnosis)
{
	bool alternatives = false;
	if (diagnosis->within_error) {
		typeset_labelled(sink, "verdict",
			typeset(sink,
				"all gaps are within the model's error (%s of a phase): no cause is claimed",
				typeset_percent(sink, diagnosis->tolerance)));
		return;
	}
	for (size_t i = 0; i < diagnosis->cause_count; i++) {
		print_cause(sink, diagnosis, &diagnosis->causes[i]);
		alternatives |= diagnosis->causes[i].instead >= 0;
	}
	if (alternatives)
		typeset_labelled(sink, "note",
			"after \"or\": what would explain these times about as well; the checks tell which "
			"it is");
	if (diagnosis->cause_count == 0)
		typeset_labelled(sink, "verdict", "no single cause that is known explains these gaps");
	else if (diagnosis->unexplained_s > 0.1 * diagnosis->gap_s)
		typeset_labelled(sink, "left",
			typeset(sink, "%s of gaps of %s is explained by no cause that is known",
				typeset_quantity(sink, diagnosis->unexplained_s, DIMENSION_TIME),
				typeset_quantity(sink, diagnosis->gap_s, DIMENSION_TIME)));
}

/* ---- ranks, steps, layers ---- */

static void print_variation(struct report_sink *sink, const struct paradl_measurement *measurement)
{
	const struct paradl_measured_time *ranks = NULL, *steps = NULL;
	double most_ranks = 0.05, most_steps = 0.05; /* relative spreads; smaller ones are noise */
	for (size_t i = 0; i < measurement->count; i++) {
		const struct paradl_measured_time *const time = &measurement->times[i];
		const double of_ranks = time->seconds > 0 ? time->most_s / time->seconds - 1 : 0;
		const double of_steps = time->quickest_s > 0 ? time->slowest_s / time->quickest_s - 1 : 0;
		if (measurement->ranks > 1 && of_ranks > most_ranks) {
			most_ranks = of_ranks;
			ranks = time;
		}
		if (of_steps > most_steps) {
			most_steps = of_steps;
			steps = time;
		}
	}
	if (ranks)
		typeset_labelled(sink, "ranks",
			typeset(sink, "differ most in %s: %s to %s", paradl_part_name(ranks->part),
				typeset_quantity(sink, ranks->least_s, DIMENSION_TIME),
				typeset_quantity(sink, ranks->most_s, DIMENSION_TIME)));
	if (steps)
		typeset_labelled(sink, "steps",
			typeset(sink, "differ most in %s: %s to %s", paradl_part_name(steps->part),
				typeset_quantity(sink, steps->quickest_s, DIMENSION_TIME),
				typeset_quantity(sink, steps->slowest_s, DIMENSION_TIME)));
	if (measurement->waiting_share >= 0)
		typeset_labelled(sink, "idle",
			typeset(sink, "%s of the time no kernel runs on the GPU",
				typeset_percent(sink, measurement->waiting_share)));
}

/* Returns how many layers to print, largest gaps first: those with 0.5 % of the gaps, but from 3 to 10. */
static size_t layers_shown(const struct paradl_diagnosis *diagnosis)
{
	enum { MOST = 10, LEAST = 3 };
	static const double enough = 0.005;
	size_t count = 0;
	while (count < diagnosis->layer_count && count < MOST &&
		(count < LEAST || diagnosis->layers[count].share >= enough))
		count++;
	return count;
}

static void print_layers(struct report_sink *sink, const struct paradl_diagnosis *diagnosis)
{
	const size_t shown = layers_shown(diagnosis);
	struct columns columns;
	columns_start(&columns, sink, NULL, &record_diagnose_layer,
		"name,type,measured_s,projected_s,gap,times,gap_share");
	for (size_t i = 0; i < shown; i++)
		columns_row(&columns, &diagnosis->layers[i]);
	putc('\n', sink->file);
	columns_print(&columns);
	if (diagnosis->layer_count > shown)
		fprintf(sink->file, " and %zu layers with smaller gaps\n", diagnosis->layer_count - shown);
}

static const char *measured_as(struct report_sink *sink, const struct paradl_measurement *measurement)
{
	const char *const ranks =
		measurement->ranks > 1 ? typeset(sink, ", %u ranks", measurement->ranks) : "";
	const char *const steps =
		measurement->steps > 1 ? typeset(sink, ", %u steps", measurement->steps) : "";
	return typeset(sink, "measured: %s%s%s; a gap up to", measurement->format, ranks, steps);
}

void text_diagnosis(struct report_sink *sink, const struct report_diagnosis *report)
{
	const struct paradl_diagnosis *const diagnosis = report->diagnosis;
	const struct paradl_estimate *const estimate = &diagnosis->estimate;
	if (!sink->style.brief) {
		text_title(sink, report->head,
			typeset(sink, "%s on %s, %s", text_plan(sink, &estimate->plan),
				text_devices(sink, report->head, estimate->devices),
				text_batch(sink, report->head, estimate->plan.batch)));
		fprintf(sink->file, "%s %s of a phase is the model's error\n\n",
			measured_as(sink, report->measurement), typeset_percent(sink, diagnosis->tolerance));
	}
	print_phases(sink, report);
	if (!sink->style.brief) {
		putc('\n', sink->file);
		print_verdict(sink, diagnosis);
		print_variation(sink, report->measurement);
	}
	if (diagnosis->layer_count > 0)
		print_layers(sink, diagnosis);
	if (!sink->style.brief) {
		if (diagnosis->layer_count > 0)
			putc('\n', sink->file);
		text_assumptions(sink, report->head);
	}
}
