/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan becomes a script that starts it. The script has the estimate and what the program cannot do as comments, the
 * program's file, and its command.
 */
#include "report/text.h"

#include <string.h>

#include "result/launch/launch.h"

/* Writes a sentence as a comment of the script; names that users gave have their line ends removed. */
static void remark(struct report_sink *sink, const char *text)
{
	fprintf(sink->file, "# %s\n", typeset_clean(sink, text));
}

static void write_estimate(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate)
{
	remark(sink, typeset(sink, "%s on %s: %s on %s, %s%s", head->model.name, head->machine.name,
			     text_plan(sink, &estimate->plan), text_devices(sink, head, estimate->devices),
			     text_batch(sink, head, estimate->plan.batch), text_conditions(sink, head)));
	const char *const error =
		estimate->error_share > 0
			? typeset(sink, " ±%s", typeset_percent(sink, estimate->error_share))
			: "";
	const char *const what =
		head->inference
			? typeset(sink, "the first token after %s, %s each",
				  typeset_quantity(sink, estimate->inference.prompts_s, DIMENSION_TIME),
				  typeset_quantity(sink, estimate->inference.token_s, DIMENSION_TIME))
			: typeset(sink, "%s an iteration",
				  typeset_quantity(sink, estimate->iteration_s, DIMENSION_TIME));
	remark(sink, typeset(sink, "Estimated by paradl %s: %s%s, %s, %s of a GPU's memory", paradl_version(),
			     what, error, text_rates(sink, head, estimate),
			     typeset_quantity(sink, estimate->memory_bytes, DIMENSION_BYTES)));
}

/* Writes how to run the script, and that arguments which are not part of the plan follow the script's name. */
static void write_use(
	struct report_sink *sink, const struct report_head *head, const struct launch *launch, bool has_nodes)
{
	const char *const across = head->launcher->across;
	if (has_nodes)
		remark(sink, across ? across : "Run it on every node, with MASTER_ADDR=the first of them.");
	if (head->inference)
		remark(sink,
			typeset(sink, "MODEL is the checkpoint: a folder or a name, with weights for %s.",
				head->precision));
	remark(sink, head->inference
			     ? "What follows the script's name goes to the program: host, port, names."
			     : "What follows the script's name goes to the program: data, tokenizer, "
			       "learning rate, number of steps; and what costs no time, such as the base of "
			       "rotary positions.");
	for (size_t i = 0; i < launch->cannot.count; i++)
		remark(sink, typeset(sink, "Not as estimated: %s", launch->cannot.items[i]));
}

static void write_lines(struct report_sink *sink, const struct launch_list *lines, const char *before)
{
	for (size_t i = 0; i < lines->count; i++) {
		const bool blank = strcmp(lines->items[i], " ") == 0;
		fprintf(sink->file, "%s%s\n", before, blank ? "" : lines->items[i]);
	}
}

/* Writes the program's file; if that is the user's own, writes the lines that belong into it as comments. */
static void write_file(struct report_sink *sink, const struct launch *launch)
{
	if (launch->file.count == 0)
		return;
	if (launch->is_for_own) {
		fprintf(sink->file, "#\n# %s has the network; these calls of it divide as planned:\n",
			launch->file_name);
		write_lines(sink, &launch->file, "#     ");
		return;
	}
	fprintf(sink->file, "cat > %s << 'END_OF_FILE'\n", launch->file_name);
	write_lines(sink, &launch->file, "");
	fputs("END_OF_FILE\n", sink->file);
}

/* Returns whether a word contains the shell variable. */
static bool asks_for(const struct launch_list *words, const char *variable)
{
	for (size_t i = 0; i < words->count; i++)
		if (strstr(words->items[i], variable))
			return true;
	return false;
}

/* Writes checks that the shell variables in the command are set. */
static void write_variables(struct report_sink *sink, const struct launch *launch)
{
	static const struct {
		const char *variable, *check;
	} rows[] = {{"$MODEL", "${MODEL:?must name the checkpoint}"},
		{"$MASTER_ADDR", "${MASTER_ADDR:?must name the first node}"},
		{"$NODE_RANK", "${NODE_RANK:?must say which node this is, from 0}"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (asks_for(&launch->command, rows[i].variable) ||
			asks_for(&launch->flags, rows[i].variable))
			fprintf(sink->file, ": \"%s\"\n", rows[i].check);
}

void script_write(struct report_sink *sink, const struct report_head *head,
	const struct paradl_estimate *estimate, const struct launch *launch)
{
	const bool has_nodes = estimate->devices > head->machine.devices_per_host;
	fputs("#!/bin/sh\n", sink->file);
	write_estimate(sink, head, estimate);
	write_use(sink, head, launch, has_nodes);
	if (launch->is_for_own)
		write_file(sink, launch);
	fputs("set -eu\n", sink->file);
	write_variables(sink, launch);
	if (!launch->is_for_own)
		write_file(sink, launch);
	fputs("exec", sink->file);
	for (size_t i = 0; i < launch->command.count; i++)
		fprintf(sink->file, " %s", launch->command.items[i]);
	for (size_t i = 0; i < launch->flags.count; i++)
		fprintf(sink->file, " \\\n\t%s", launch->flags.items[i]);
	fputs(" \\\n\t\"$@\"\n", sink->file);
}
