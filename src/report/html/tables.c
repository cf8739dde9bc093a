/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "report/html/html.h"
#include "report/palette.h"
#include "report/table.h"
#include "report/text.h"

/*
 * Writes a cell with a bar of a plan's phases. An iteration of `full_s` fills the cell; slower plans are cut
 * there, their phases scaled down to fit.
 */
static void write_bar(struct report_sink *sink, const struct paradl_estimate *estimate, double full_s)
{
	double shown_s[PARADL_PHASE_COUNT];
	phases_shown(estimate, shown_s);
	const double drawn_s = estimate->iteration_s < full_s ? estimate->iteration_s : full_s;
	fprintf(sink->file, "<td><div class=\"bar\">");
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
		if (shown_s[i] > 0)
			fprintf(sink->file, "<i style=\"width:%.2f%%;background:#%06X\" title=\"%s\"></i>",
				100 * shown_s[i] / estimate->iteration_s * drawn_s / full_s,
				phase_looks[i].rgb, phase_looks[i].label);
	fputs("</div></td>", sink->file);
}

static void write_key(struct report_sink *sink, const struct paradl_ranking *ranking)
{
	fputs("<p class=\"key faint\">", sink->file);
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++) {
		bool used = false;
		for (size_t j = 0; j < ranking->count; j++)
			used = used || ranking->results[j].phase_s[i] > 0;
		if (used)
			fprintf(sink->file, "<i style=\"background:#%06X\"></i>%s", phase_looks[i].rgb,
				phase_looks[i].label);
	}
	fputs("</p>\n", sink->file);
}

/* Returns the column with the time of a plan: of the whole training where one is asked about, or of an epoch. */
static const char *time_column(const struct report_advice *advice)
{
	return advice->job && advice->job->samples > 0 ? "job_s" : text_time_column(advice);
}

static const char *time_heading(const struct report_advice *advice)
{
	const char *const column = time_column(advice);
	return strcmp(column, "job_s") == 0     ? "whole job"
	       : strcmp(column, "epoch_s") == 0 ? "epoch"
						: "iteration";
}

static const char *value_of(struct report_sink *sink, const char *name, const struct ranking_row *row)
{
	const struct result_field *const field = record_field(&record_result, name);
	return field ? ranking_text(sink, field, row) : "";
}

void html_ranking(struct report_sink *sink, const struct report_advice *advice)
{
	enum { FULL_BAR = 4 };
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	const struct html_column columns[] = {{"#", HTML_RIGHT}, {"plan", HTML_LEFT},
		{time_heading(advice), HTML_RIGHT}, {"× best", HTML_RIGHT}, {"phases", HTML_LEFT},
		{"memory/GPU", HTML_RIGHT}, {"limited by", HTML_LEFT}};
	const size_t count = advice->top > 0 && advice->top < ranking->count ? advice->top : ranking->count;
	double least_s = 0, most_s = 0;
	for (size_t i = 0; i < count; i++) {
		const double time_s = ranking->results[i].iteration_s;
		least_s = i == 0 || time_s < least_s ? time_s : least_s;
		most_s = time_s > most_s ? time_s : most_s;
	}
	const double full_s = most_s < FULL_BAR * least_s ? most_s : FULL_BAR * least_s;
	html_table_begin(sink, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < count; i++) {
		const struct ranking_row row = {.advice = advice,
			.ranking = ranking,
			.estimate = &ranking->results[i],
			.rank = i + 1};
		fputs("<tr>", sink->file);
		html_cell(sink, HTML_RIGHT, value_of(sink, "rank", &row));
		html_cell(sink, HTML_CODE, value_of(sink, "strategy", &row));
		html_cell(sink, HTML_RIGHT, value_of(sink, time_column(advice), &row));
		html_cell(sink, HTML_RIGHT, value_of(sink, "ratio", &row));
		write_bar(sink, row.estimate, full_s);
		html_cell(sink, HTML_RIGHT, value_of(sink, "memory_bytes", &row));
		html_cell(sink, HTML_LEFT, value_of(sink, "limited_by", &row));
		fputs("</tr>\n", sink->file);
	}
	html_table_end(sink);
	write_key(sink, ranking);
}

void html_infeasible(struct report_sink *sink, const struct paradl_ranking *ranking)
{
	static const struct html_column columns[] = {
		{"plan", HTML_CODE}, {"why not", HTML_LEFT}, {"what would make it run", HTML_LEFT}};
	html_table_begin(sink, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < ranking->infeasible_count; i++) {
		const struct paradl_infeasible *const row = &ranking->infeasible[i];
		fputs("<tr>", sink->file);
		html_cell(sink, HTML_CODE, row->strategy);
		html_cell(sink, HTML_LEFT, row->reason);
		html_cell(sink, HTML_LEFT, row->needs);
		fputs("</tr>\n", sink->file);
	}
	html_table_end(sink);
}

void html_scaling(struct report_sink *sink, const struct report_advice *scaling)
{
	const struct html_column columns[] = {{"GPUs", HTML_RIGHT}, {"batch", HTML_RIGHT},
		{"best plan", HTML_CODE}, {time_heading(scaling), HTML_RIGHT}, {"samples/s", HTML_RIGHT},
		{"per GPU", HTML_RIGHT}, {"memory/GPU", HTML_RIGHT}, {"limited by", HTML_LEFT}};
	html_table_begin(sink, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < scaling->count; i++) {
		const struct paradl_ranking *const ranking = &scaling->rankings[i];
		fputs("<tr>", sink->file);
		html_cell(sink, HTML_RIGHT, typeset_whole(sink, ranking->devices));
		if (ranking->count == 0) {
			fputs("<td colspan=\"7\">", sink->file);
			html_text(sink, ranking->infeasible_count > 0 ? ranking->infeasible[0].reason
								      : "nothing runs");
			fputs("</td></tr>\n", sink->file);
			continue;
		}
		const struct paradl_estimate *const best = &ranking->results[0];
		const struct ranking_row row = {
			.advice = scaling, .ranking = ranking, .estimate = best, .rank = 1};
		html_cell(sink, HTML_RIGHT, typeset_rate(sink, best->plan.batch));
		html_cell(sink, HTML_CODE, text_plan(sink, &best->plan));
		html_cell(sink, HTML_RIGHT, value_of(sink, time_column(scaling), &row));
		html_cell(sink, HTML_RIGHT, typeset_rate(sink, best->samples_per_s));
		html_cell(sink, HTML_RIGHT, typeset_rate(sink, best->samples_per_s / best->devices));
		html_cell(sink, HTML_RIGHT, value_of(sink, "memory_bytes", &row));
		html_cell(sink, HTML_LEFT, value_of(sink, "limited_by", &row));
		fputs("</tr>\n", sink->file);
	}
	html_table_end(sink);
}

/* Writes a row of a time without a formula: a part of the phases above, or all of them. */
static void write_part(
	struct report_sink *sink, const struct paradl_estimate *estimate, const char *name, double time_s)
{
	if (!(time_s > 0))
		return;
	fputs("<tr>", sink->file);
	html_cell(sink, HTML_LEFT, name);
	html_cell(sink, HTML_RIGHT, typeset_quantity(sink, time_s, DIMENSION_TIME));
	html_cell(sink, HTML_RIGHT, typeset_percent(sink, time_s / estimate->iteration_s));
	fputs("<td></td><td></td></tr>\n", sink->file);
}

/* Writes the formulas of the terms of a phase, or these with their numbers. */
static void write_terms(struct report_sink *sink, const struct paradl_explanation *explanation,
	enum paradl_phase phase, bool with_numbers)
{
	fputs("<td class=\"code\">", sink->file);
	for (size_t i = 0; explanation && i < explanation->count; i++) {
		const struct paradl_term *const term = &explanation->terms[i];
		if (term->phase == phase)
			html_element(sink, "div", with_numbers ? term->numbers : term->formula);
	}
	fputs("</td>", sink->file);
}

void html_phases(struct report_sink *sink, const struct report_estimate *report)
{
	const struct paradl_estimate *const estimate = report->estimate;
	static const struct html_column columns[] = {{"phase", HTML_LEFT}, {"per iteration", HTML_RIGHT},
		{"share", HTML_RIGHT}, {"formula of its terms", HTML_CODE}, {"with numbers", HTML_CODE}};
	html_table_begin(sink, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++) {
		const double time_s = estimate->phase_s[i];
		if (!(time_s > 0))
			continue;
		fputs("<tr>", sink->file);
		html_cell(sink, HTML_LEFT, phase_looks[i].label);
		html_cell(sink, HTML_RIGHT, typeset_quantity(sink, time_s, DIMENSION_TIME));
		html_cell(sink, HTML_RIGHT, typeset_percent(sink, time_s / estimate->iteration_s));
		write_terms(sink, report->explanation, (enum paradl_phase)i, false);
		write_terms(sink, report->explanation, (enum paradl_phase)i, true);
		fputs("</tr>\n", sink->file);
		const struct exchange_parts parts = text_exchange_parts(estimate, (enum paradl_phase)i);
		write_part(sink, estimate, "of which hidden", parts.hidden_s);
		write_part(sink, estimate, "of which waiting", parts.waiting_s);
	}
	write_part(sink, estimate, "total", estimate->iteration_s);
	html_table_end(sink);
}
