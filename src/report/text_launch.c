/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a plan is started: a command that can be pasted, a file if there is one, and what the program cannot do. */
#include "report/launch/launch.h"
#include "report/text.h"

enum { INDENT = 3, MORE = 4 };

/* Words one after the other, broken at the width by backslashes. */
struct command_line {
	struct report_sink *sink;
	size_t used;
};

static void print_words(struct command_line *line, const struct launch_list *words)
{
	enum { BACKSLASH = 2 };
	for (size_t i = 0; i < words->count; i++) {
		const char *const word = typeset_clean(line->sink, words->items[i]);
		const size_t width = typeset_width(word);
		if (line->used == 0) {
			line->used = INDENT + width;
			fprintf(line->sink->file, "%*s%s", INDENT, "", word);
		} else if (line->used + 1 + width + BACKSLASH <= line->sink->style.width) {
			line->used += 1 + width;
			fprintf(line->sink->file, " %s", word);
		} else {
			line->used = INDENT + MORE + width;
			fprintf(line->sink->file, " \\\n%*s%s", INDENT + MORE, "", word);
		}
	}
}

void text_launch(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate)
{
	struct launch *const launch = arena_alloc(sink->arena, 1, sizeof *launch);
	struct command_line line = {.sink = sink};
	sink->out_of_memory |= !launch;
	if (!launch || !launch_plan(launch, head, estimate))
		return;
	const bool starts = launch->command.count > 0;
	const struct launch_list *const cannot = &launch->cannot;
	typeset_labelled(sink, "launch",
		starts ? head->launcher->summary : typeset(sink, "none: %s", cannot->items[0]));
	if (starts) {
		print_words(&line, &launch->command);
		print_words(&line, &launch->flags);
		putc('\n', sink->file);
	}
	if (launch->file.count > 0)
		typeset_labelled(sink, "in", launch->file_name);
	for (size_t i = 0; i < launch->file.count; i++)
		fprintf(sink->file, "%*s%s\n", INDENT, "", typeset_clean(sink, launch->file.items[i]));
	for (size_t i = starts ? 0 : 1; i < cannot->count; i++)
		typeset_labelled(sink, i > 0 ? "" : "cannot", typeset_clean(sink, cannot->items[i]));
}
