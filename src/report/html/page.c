/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/html/html.h"
#include "result/launch/launch.h"

#include <stdlib.h>
#include <string.h>

#include "report/text.h"

static void card(struct report_sink *sink, const char *value, const char *what)
{
	if (!value)
		return;
	fputs("<div>", sink->file);
	html_element(sink, "b", value);
	html_element(sink, "span", what);
	fputs("</div>\n", sink->file);
}

/* Writes the card of a time, with its interval where that is known. */
static void write_time(struct report_sink *sink, double time_s, double error_share, const char *span)
{
	const char *const time = typeset_quantity(sink, time_s, DIMENSION_TIME);
	if (error_share > 0)
		card(sink, typeset(sink, "%s ±%s", time, typeset_percent(sink, error_share)),
			typeset(sink, "%s, nine of ten", span));
	else
		card(sink, time, span);
}

/* Writes the cards of the whole training: time, cost and energy, or that failures never let it end. */
static void write_job(struct report_sink *sink, const struct report_head *head,
	const struct paradl_estimate *best, const struct paradl_run *run)
{
	const char *const amount = text_amount(sink, head, run);
	if (!run->possible) {
		card(sink, "never", "ends: more fails than is done between two failures");
		return;
	}
	write_time(sink, run->time_s, best->error_share, amount);
	if (run->cost >= 0)
		card(sink, typeset_money(sink, run->cost, head->machine.currency),
			typeset(sink, "for it (%s)", price_basis_names[head->machine.owned]));
	if (run->energy_joule >= 0)
		card(sink, text_energy(sink, run->energy_joule), "energy for it");
}

/* Writes the cards of an epoch: time, cost and energy; of an iteration where the data set is not known. */
static void write_epoch(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *best)
{
	const bool has_epoch = best->epoch_s > 0;
	write_time(sink, has_epoch ? best->epoch_s : best->iteration_s, best->error_share,
		has_epoch ? "per epoch" : "per iteration");
	if (has_epoch && best->cost_per_epoch > 0)
		card(sink, typeset_money(sink, best->cost_per_epoch, head->machine.currency),
			typeset(sink, "per epoch (%s)", price_basis_names[head->machine.owned]));
	if (has_epoch && best->energy_joule_per_epoch > 0)
		card(sink, text_energy(sink, best->energy_joule_per_epoch), "energy per epoch");
}

static void write_cards(struct report_sink *sink, const struct report_head *head,
	const struct paradl_estimate *best, const struct paradl_run *run)
{
	fputs("<div class=\"cards\">\n", sink->file);
	if (run)
		write_job(sink, head, best, run);
	else
		write_epoch(sink, head, best);
	const double tokens = report_tokens(head, best->samples_per_s);
	if (head->model.generates && tokens > 0 && !head->inference)
		card(sink, typeset_rate(sink, tokens / best->devices), "tokens/s/GPU");
	else
		card(sink, typeset_count(sink, best->samples_per_s), "samples/s");
	card(sink,
		typeset(sink, "%s of %s", typeset_quantity(sink, best->memory_bytes, DIMENSION_BYTES),
			typeset_quantity(sink, best->capacity_bytes, DIMENSION_BYTES)),
		"peak memory per GPU");
	if (best->mfu > 0)
		card(sink, typeset_percent(sink, best->mfu), "MFU");
	fputs("</div>\n", sink->file);
}

/* Writes the answer in a sentence, then its numbers as cards. */
static void write_answer(struct report_sink *sink, const struct report_page *page)
{
	const struct paradl_ranking *const ranking = &page->advice->rankings[0];
	const struct report_head *const head = page->advice->head;
	const char *const devices = text_devices(sink, head, ranking->devices);
	fputs("<p class=\"lead\">", sink->file);
	if (ranking->count == 0) {
		html_text(sink, typeset(sink, "On %s nothing runs.", devices));
		fputs("</p>\n", sink->file);
		return;
	}
	const struct paradl_estimate *const best = &ranking->results[0];
	const struct paradl_limit *const limit = &best->limited_by;
	html_text(sink, typeset(sink, "On %s the best plan is ", devices));
	html_element(sink, "code", text_plan(sink, &best->plan));
	html_text(sink, typeset(sink, "(%s): ", text_batch(sink, head, ranking->batch)));
	const struct paradl_run *const run = page->best ? page->best->run : NULL;
	html_text(sink,
		run && run->possible
			? typeset(sink, "%s for %s", typeset_quantity(sink, run->time_s, DIMENSION_TIME),
				  text_amount(sink, head, run))
		: best->epoch_s > 0 ? typeset(sink, "%s for an epoch",
					      typeset_quantity(sink, best->epoch_s, DIMENSION_TIME))
				    : typeset(sink, "%s for an iteration",
					      typeset_quantity(sink, best->iteration_s, DIMENSION_TIME)));
	if (limit->text && *limit->text)
		html_text(sink, typeset(sink, ", limited by %s (%s)", limit->text,
					typeset_percent(sink, limit->share)));
	html_text(sink, ranking->tie ? ". The next plan is equal within the model's error." : ".");
	fputs("</p>\n", sink->file);
	write_cards(sink, head, best, run);
}

/* Writes the output of a printer for terminals as preformatted text, 110 columns wide. */
static void write_plain(struct report_sink *sink,
	void (*print)(struct report_sink *, const struct report_estimate *),
	const struct report_estimate *report)
{
	char *text = NULL;
	size_t length = 0;
	struct report_sink inner = {.arena = sink->arena, .style = {.width = 110}};
	inner.file = open_memstream(&text, &length);
	if (!inner.file) {
		sink->out_of_memory = true;
		return;
	}
	print(&inner, report);
	if (fclose(inner.file) != 0 || inner.out_of_memory) {
		sink->out_of_memory = true;
	} else if (length > 0) {
		fputs("<pre>", sink->file);
		for (char *line = text, *end; *line; line = end) {
			end = line;
			while (*end && *end != '\n')
				end++;
			if (*end)
				*end++ = '\0';
			html_text(sink, line);
			putc('\n', sink->file);
		}
		fputs("</pre>\n", sink->file);
	}
	free(text);
}

static void print_launch(struct report_sink *sink, const struct report_estimate *report)
{
	if (!launch_applies(report->head))
		fprintf(sink->file, " %s\n",
			typeset(sink, "%s names no program that %s: --flags %s", report->head->framework.name,
				report->head->inference ? "serves" : "trains",
				report->head->inference ? "vllm, sglang or trtllm" : "torchrun, and others"));
	text_launch(sink, report->head, report->estimate);
}

static void write_list(struct report_sink *sink, const struct text_list *list)
{
	fputs("<ul>\n", sink->file);
	for (size_t i = 0; i < list->count; i++)
		html_element(sink, "li", list->items[i]);
	fputs("</ul>\n", sink->file);
}

/*
 * Returns a word of the command with an absolute path in it cut to the name of the file, so that the page does not
 * publish folders of the user's machine.
 */
static const char *without_folder(struct report_sink *sink, const char *word)
{
	const char *const equals = strchr(word, '=');
	const char *const path = *word == '/' ? word : equals && equals[1] == '/' ? equals + 1 : NULL;
	const char *const slash = path ? strrchr(path, '/') : NULL;
	return slash ? typeset(sink, "%.*s%s", (int)(path - word), word, slash + 1) : word;
}

static void write_provenance(struct report_sink *sink, const struct report_head *head)
{
	static const struct html_column columns[] = {{"file", HTML_CODE}, {"SHA-256", HTML_CODE}};
	const char *command = "";
	for (size_t i = 0; i < head->command.count; i++)
		command = typeset(sink, "%s%s%s", command, i > 0 ? " " : "",
			without_folder(sink, head->command.items[i]));
	html_element(sink, "p", typeset(sink, "paradl %s, asked with:", paradl_version()));
	html_element(sink, "pre", command);
	html_table_begin(sink, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < head->input_count; i++) {
		fputs("<tr>", sink->file);
		html_cell(sink, HTML_CODE, without_folder(sink, head->inputs[i].path));
		html_cell(sink, HTML_CODE, head->inputs[i].sha256);
		fputs("</tr>\n", sink->file);
	}
	html_table_end(sink);
}

void html_foot(struct report_sink *sink, const struct report_head *head)
{
	if (head->assumptions.count > 0) {
		html_section(sink, "Assumptions");
		write_list(sink, &head->assumptions);
		html_section_end(sink);
	}
	if (head->warnings.count > 0) {
		html_section(sink, "Warnings");
		write_list(sink, &head->warnings);
		html_section_end(sink);
	}
	html_section(sink, "Where this is from");
	write_provenance(sink, head);
	html_section_end(sink);
}

static void write_sections(struct report_sink *sink, const struct report_page *page)
{
	const struct report_head *const head = page->advice->head;
	const struct paradl_ranking *const ranking = &page->advice->rankings[0];
	if (ranking->count > 0) {
		html_section(sink, "Plans that run, best first");
		html_ranking(sink, page->advice);
		html_section_end(sink);
	}
	if (ranking->infeasible_count > 0) {
		html_section(sink, "What does not run, and why");
		html_infeasible(sink, ranking);
		html_section_end(sink);
	}
	if (page->scaling) {
		html_section(sink, "More and fewer GPUs");
		html_scaling(sink, page->scaling);
		html_section_end(sink);
	}
	if (page->best) {
		html_section(sink, "Where the time of the best plan goes");
		html_phases(sink, page->best);
		html_section_end(sink);
		if (page->best->power.total_watt >= 0 || page->best->price.total_per_hour >= 0) {
			html_section(sink, "What the best plan draws and costs");
			write_plain(sink, text_power, page->best);
			html_section_end(sink);
		}
		html_section(sink, "How to start it");
		write_plain(sink, print_launch, page->best);
		html_section_end(sink);
	}
	html_foot(sink, head);
}

void html_page(struct report_sink *sink, const struct report_page *page)
{
	const struct report_head *const head = page->advice->head;
	const char *const title = typeset(sink, "%s on %s", head->model.name, head->machine.name);
	html_begin(sink, title);
	html_element(sink, "h1", title);
	html_element(sink, "p class=\"faint\"",
		typeset(sink, "%s parameters, %s%s; framework %s",
			typeset_count(sink, head->model.parameters), typeset_sample(sink, &head->model),
			text_conditions(sink, head), head->framework.name));
	write_answer(sink, page);
	for (size_t i = 0; i < page->figure_count; i++)
		html_figure(sink, page->figures[i].svg, page->figures[i].length, page->figures[i].caption);
	write_sections(sink, page);
	html_end(sink);
}
