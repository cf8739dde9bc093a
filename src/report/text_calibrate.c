/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a calibration has measured, or is going to, for people. */
#include <math.h>

#include "report/table.h"
#include "report/text.h"

static bool is_part(const struct report_measured *program)
{
	return !program->skipped || program->launches > 0;
}

static const char *count_text(struct report_sink *sink, double count)
{
	return count > 0 ? typeset_whole(sink, count) : "-";
}

static void add_program(
	struct table *table, const struct report_calibrate *report, const struct report_measured *program)
{
	struct report_sink *const sink = table->sink;
	const char **const cells = table_row(table);
	size_t i = 0;
	cells[i++] = typeset(sink, "%s", program->program);
	cells[i++] = typeset(sink, "%u", program->launches);
	cells[i++] = typeset_whole(sink, program->points);
	if (!report->is_plan) {
		cells[i++] = count_text(sink, program->measured);
		cells[i++] = count_text(sink, program->kept);
		cells[i++] = count_text(sink, program->failed);
		cells[i++] = count_text(sink, program->absent);
	}
	cells[i] = typeset_quantity(sink, program->seconds, DIMENSION_TIME);
}

static void print_programs(struct report_sink *sink, const struct report_calibrate *report)
{
	static const struct table_column always[] = {
		{"program", TABLE_LEFT, 0, 0},
		{"launches", TABLE_RIGHT, 1, 0},
		{"points", TABLE_RIGHT, 0, 0},
	};
	static const struct table_column results[] = {
		{"measured", TABLE_RIGHT, 0, 0},
		{"kept", TABLE_RIGHT, 2, 0},
		{"failed", TABLE_RIGHT, 0, 0},
		{"absent", TABLE_RIGHT, 3, 0},
	};
	static const struct table_column took = {"time", TABLE_RIGHT, 1, 0};
	static const struct table_column may_take = {"time at most", TABLE_RIGHT, 1, 0};
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
		table_column(&table, &always[i]);
	for (size_t i = 0; !report->is_plan && i < sizeof results / sizeof results[0]; i++)
		table_column(&table, &results[i]);
	table_column(&table, report->is_plan ? &may_take : &took);
	for (size_t i = 0; i < report->count; i++)
		if (is_part(&report->programs[i]))
			add_program(&table, report, &report->programs[i]);
	table_print(&table);
}

static void print_skipped(struct report_sink *sink, const struct report_calibrate *report)
{
	enum { LABEL_COLUMNS = 12, INDENT = LABEL_COLUMNS + 1 };
	bool titled = false;
	for (size_t i = 0; i < report->count; i++) {
		const struct report_measured *const program = &report->programs[i];
		if (!program->skipped)
			continue;
		if (!titled)
			fprintf(sink->file, "\n %s\n", typeset_ink(sink, INK_DIM, "not measured"));
		titled = true;
		fprintf(sink->file, " %-*s", LABEL_COLUMNS, program->program);
		typeset_wrapped(sink, INDENT, typeset(sink, "%s", program->skipped));
	}
}

static void print_needs(struct report_sink *sink, const struct report_calibrate *report)
{
	double points = 0, seconds = 0;
	for (size_t i = 0; i < report->count; i++)
		if (!report->programs[i].skipped) {
			points += report->programs[i].points * report->programs[i].launches;
			seconds += report->programs[i].seconds;
		}
	fputc('\n', sink->file);
	typeset_labelled(sink, "in all",
		typeset(sink, "%s measurements, at most %s; most are through sooner",
			typeset_whole(sink, points), typeset_quantity(sink, seconds, DIMENSION_TIME)));
	typeset_labelled(sink, "file",
		typeset(sink, "%s, at most %s", report->file,
			typeset_quantity(sink, report->file_bytes, DIMENSION_BYTES)));
	if (report->memory_bytes >= 0)
		typeset_labelled(sink, "memory",
			typeset(sink, "at most %s in each process",
				typeset_quantity(sink, report->memory_bytes, DIMENSION_BYTES)));
}

void text_calibrate(struct report_sink *sink, const struct report_calibrate *report)
{
	bool any = false;
	for (size_t i = 0; i < report->count; i++)
		any = any || is_part(&report->programs[i]);
	if (any)
		print_programs(sink, report);
	print_skipped(sink, report);
	for (size_t i = 0; i < report->dropped->count; i++)
		fprintf(sink->file, " %s\n",
			typeset(sink, "dropped: %s, which hung or crashed too often",
				report->dropped->items[i]));
	if (sink->style.brief || !any)
		return;
	if (report->is_plan) {
		print_needs(sink, report);
		return;
	}
	fputc('\n', sink->file);
	if (report->stopped)
		typeset_labelled(sink, "stopped", typeset(sink, "%s", report->stopped));
	if (report->next)
		typeset_labelled(sink, "samples", typeset(sink, "%s", report->file));
	if (report->next)
		typeset_labelled(sink, "next", typeset(sink, "%s", report->next));
}
