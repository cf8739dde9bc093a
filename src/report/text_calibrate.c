/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_calibrate() prints what a calibration has measured, or is going to measure. */
#include "report/text.h"

static bool is_part(const struct report_measured *program)
{
	return !program->skipped || program->launches > 0;
}

static void print_programs(struct report_sink *sink, const struct report_calibrate *report)
{
	struct columns columns;
	columns_start(&columns, sink, report, &record_measured_program,
		report->is_plan ? "program,launches,points,seconds"
				: "program,launches,points,measured,kept,failed,absent,left_out,seconds");
	for (size_t i = 0; i < report->count; i++)
		if (is_part(&report->programs[i]))
			columns_row(&columns, &report->programs[i]);
	columns_print(&columns);
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
	double points = 0;
	for (size_t i = 0; i < report->count; i++)
		if (!report->programs[i].skipped) {
			points += report->programs[i].points * report->programs[i].launches;
		}
	fputc('\n', sink->file);
	typeset_labelled(sink, "in all",
		typeset(sink, "%s measurements at least, in %s", typeset_whole(sink, points),
			typeset_quantity(sink, report->planned_s, DIMENSION_TIME)));
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
	for (size_t i = 0; i < report->lost->count; i++)
		fprintf(sink->file, " %s\n", typeset(sink, "lost: %s", report->lost->items[i]));
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
