/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was fitted to measurements, for people: numbers, curves, outliers, and what is wrong with the machine. */
#include <string.h>

#include "report/table.h"
#include "report/text.h"

enum { OUTLIERS_SHOWN = 10 };

static const char *value_text(struct report_sink *sink, double value, const char *unit)
{
	static const struct {
		const char *unit;
		enum dimension dimension;
	} units[] = {{"s", DIMENSION_TIME}, {"B", DIMENSION_BYTES}, {"B/s", DIMENSION_BYTES_PER_S},
		{"flop/s", DIMENSION_FLOP_PER_S}, {"W", DIMENSION_POWER}};
	if (value < 0)
		return "-";
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(unit, units[i].unit) == 0)
			return typeset_quantity(sink, value, units[i].dimension);
	return typeset(sink, "%.4g", value);
}

static const char *interval_text(struct report_sink *sink, const struct paradl_fitted_number *number)
{
	if (!(number->high > number->low))
		return "-";
	return typeset(sink, "%s … %s%s", value_text(sink, number->low, number->unit),
		value_text(sink, number->high, number->unit), number->is_range ? " *" : "");
}

static const char *share_text(struct report_sink *sink, double share)
{
	return share < 0 ? "-" : typeset(sink, "%.1f %%", 100 * share);
}

static void begin_table(struct table *table, struct report_sink *sink, const char *title,
	const struct table_column *columns, size_t count)
{
	fprintf(sink->file, " %s\n", typeset_ink(sink, INK_BOLD, title));
	table_start(table, sink);
	for (size_t i = 0; i < count; i++)
		table_column(table, &columns[i]);
}

static void print_numbers(struct report_sink *sink, const struct paradl_calibration *calibration)
{
	static const struct table_column columns[] = {
		{"file", TABLE_LEFT, 5, 0},
		{"number", TABLE_LEFT, 0, 0},
		{"value", TABLE_RIGHT, 0, 0},
		{"95 % of launches", TABLE_RIGHT, 1, 0},
		{"points", TABLE_RIGHT, 6, 0},
		{"launches", TABLE_RIGHT, 4, 0},
		{"residual", TABLE_RIGHT, 3, 0},
		{"was", TABLE_RIGHT, 2, 0},
		{"which was", TABLE_LEFT, 7, 10},
	};
	bool has_range = false;
	struct table table;
	if (calibration->number_count == 0)
		return;
	begin_table(&table, sink, "Numbers", columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < calibration->number_count; i++) {
		const struct paradl_fitted_number *const number = &calibration->numbers[i];
		const char **const cells = table_row(&table);
		has_range = has_range || (number->is_range && number->high > number->low);
		cells[0] = number->file == PARADL_FITTED_DEVICE ? "device" : "machine";
		cells[1] = typeset(sink, "%s", number->path);
		cells[2] = value_text(sink, number->value, number->unit);
		cells[3] = interval_text(sink, number);
		cells[4] = typeset(sink, "%u", number->points);
		cells[5] = typeset(sink, "%u", number->launches);
		cells[6] = share_text(sink, number->residual);
		cells[7] = value_text(sink, number->was, number->unit);
		cells[8] = number->was_from ? typeset(sink, "%s", number->was_from) : "";
	}
	table_print(&table);
	if (has_range && !sink->style.brief)
		fprintf(sink->file, " * %s\n", "the range of fewer than four launches: no interval");
	putc('\n', sink->file);
}

/* "4.1 us + b / 12.3 GB/s to 64 KiB; ..." */
static const char *segments_text(struct report_sink *sink, const struct paradl_fitted_curve *curve)
{
	const char *text = "";
	for (unsigned i = 0; i < curve->segment_count; i++) {
		const struct paradl_fitted_segment *const segment = &curve->segments[i];
		const char *const rate =
			segment->s_per_byte > 0
				? typeset_quantity(sink, 1 / segment->s_per_byte, DIMENSION_BYTES_PER_S)
				: "∞";
		text = typeset(sink, "%s%s%s%s%s, %s", text, i > 0 ? " | " : "",
			i > 0 ? text_size(sink, segment->from_bytes) : "", i > 0 ? ": " : "",
			typeset_quantity(sink, segment->a_s, DIMENSION_TIME), rate);
	}
	return text;
}

static const char *odd_text(struct report_sink *sink, const struct paradl_fitted_curve *curve)
{
	unsigned count[POINT_FLAGS] = {0};
	const char *text = "";
	for (unsigned i = 0; curve->flags && i < curve->point_count; i++)
		for (unsigned flag = 0; flag + 1 < POINT_FLAGS; flag++)
			count[flag] += curve->flags[i] >> flag & 1;
	for (unsigned flag = 0; flag + 1 < POINT_FLAGS; flag++)
		if (count[flag] > 0)
			text = typeset(sink, "%s%s%u %s", text, *text ? ", " : "", count[flag],
				report_point_flags[flag]);
	return text;
}

static void print_curves(struct report_sink *sink, const struct paradl_calibration *calibration)
{
	static const struct table_column columns[] = {
		{"operation", TABLE_LEFT, 0, 0},
		{"library", TABLE_LEFT, 3, 8},
		{"memory", TABLE_LEFT, 8, 0},
		{"nodes", TABLE_RIGHT, 0, 0},
		{"devices", TABLE_RIGHT, 0, 0},
		{"groups", TABLE_RIGHT, 9, 0},
		{"sizes", TABLE_RIGHT, 4, 0},
		{"from … to", TABLE_RIGHT, 5, 0},
		{"launches", TABLE_RIGHT, 7, 0},
		{"start-up, rate | from", TABLE_LEFT, 1, 20},
		{"error", TABLE_RIGHT, 2, 0},
		{"held out", TABLE_RIGHT, 2, 0},
		{"odd points", TABLE_LEFT, 6, 8},
	};
	struct table table;
	if (calibration->curve_count == 0)
		return;
	begin_table(&table, sink, "Curves", columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < calibration->curve_count; i++) {
		const struct paradl_fitted_curve *const curve = &calibration->curves[i];
		const char **const cells = table_row(&table);
		cells[0] = typeset(sink, "%s", curve->operation);
		cells[1] = typeset(sink, "%s", curve->library);
		cells[2] = typeset(sink, "%s", curve->buffer ? curve->buffer : "");
		cells[3] = typeset(sink, "%u", curve->nodes);
		cells[4] = typeset(sink, "%u", curve->devices);
		cells[5] = typeset(sink, "%u", curve->groups);
		cells[6] = typeset(sink, "%u", curve->point_count);
		cells[7] = curve->point_count > 0
				   ? typeset(sink, "%s … %s", text_size(sink, curve->bytes[0]),
					     text_size(sink, curve->bytes[curve->point_count - 1]))
				   : "";
		cells[8] = typeset(sink, "%u", curve->launches);
		cells[9] = segments_text(sink, curve);
		cells[10] = share_text(sink, curve->segment_error);
		cells[11] = share_text(sink, curve->held_out_error);
		cells[12] = odd_text(sink, curve);
	}
	table_print(&table);
	putc('\n', sink->file);
}

static void print_points(struct report_sink *sink, const struct paradl_fitted_curve *curve)
{
	static const struct table_column columns[] = {
		{"size", TABLE_RIGHT, 0, 0},
		{"time", TABLE_RIGHT, 0, 0},
		{"95 % of launches", TABLE_RIGHT, 1, 0},
		{"rate", TABLE_RIGHT, 2, 0},
		{"", TABLE_LEFT, 3, 0},
	};
	struct table table;
	begin_table(&table, sink,
		typeset(sink, "%s, %s, %u node%s, %u devices", curve->operation, curve->library, curve->nodes,
			curve->nodes > 1 ? "s" : "", curve->devices),
		columns, sizeof columns / sizeof *columns);
	for (unsigned i = 0; i < curve->point_count; i++) {
		const char **const cells = table_row(&table);
		const char *odd = "";
		cells[0] = text_size(sink, curve->bytes[i]);
		cells[1] = typeset_quantity(sink, curve->time_s[i], DIMENSION_TIME);
		cells[2] = curve->low_s && curve->high_s[i] > curve->low_s[i]
				   ? typeset(sink, "%s … %s",
					     typeset_quantity(sink, curve->low_s[i], DIMENSION_TIME),
					     typeset_quantity(sink, curve->high_s[i], DIMENSION_TIME))
				   : "-";
		cells[3] = typeset_quantity(sink, curve->bytes[i] / curve->time_s[i], DIMENSION_BYTES_PER_S);
		for (unsigned flag = 0; curve->flags && flag < POINT_FLAGS; flag++)
			if (curve->flags[i] >> flag & 1)
				odd = typeset(
					sink, "%s%s%s", odd, *odd ? ", " : "", report_point_flags[flag]);
		cells[4] = odd;
	}
	table_print(&table);
	putc('\n', sink->file);
}

static void print_outliers(struct report_sink *sink, const struct report_calibration *report)
{
	const struct paradl_calibration *const calibration = report->calibration;
	const size_t most = report->shows_points ? calibration->outlier_count : OUTLIERS_SHOWN;
	if (calibration->outlier_count == 0)
		return;
	fprintf(sink->file, " %s\n", typeset_ink(sink, INK_BOLD, "Outliers, which the fits do not follow"));
	for (size_t i = 0; i < calibration->outlier_count && i < most; i++) {
		const struct paradl_outlier *const outlier = &calibration->outliers[i];
		typeset_labelled(sink, typeset(sink, "%s:%d", outlier->file, outlier->line),
			typeset(sink, "%s: %s", outlier->point, outlier->text));
	}
	if (calibration->outlier_count > most)
		fprintf(sink->file, " %s\n",
			typeset(sink, "and %zu more: --show", calibration->outlier_count - most));
	putc('\n', sink->file);
}

static void print_verdict(struct report_sink *sink, const struct paradl_verdict *verdict)
{
	const char *const word = report_severity(verdict->severity);
	typeset_labelled(sink, verdict->severity == PARADL_BAD ? typeset_ink(sink, INK_BAD, word) : word,
		typeset(sink, "%s: %s%s%s%s", verdict->judge, verdict->text, verdict->where ? " (" : "",
			verdict->where ? verdict->where : "", verdict->where ? ")" : ""));
	if (verdict->check)
		typeset_labelled(sink, "", typeset(sink, "check: %s", verdict->check));
}

static void print_verdicts(struct report_sink *sink, const struct paradl_calibration *calibration)
{
	fprintf(sink->file, " %s\n", typeset_ink(sink, INK_BOLD, "Verdicts"));
	if (calibration->verdict_count == 0)
		typeset_labelled(sink, "healthy", "nothing that was looked at is odd");
	for (int severity = PARADL_BAD; severity >= PARADL_NOTE; severity--)
		for (size_t i = 0; i < calibration->verdict_count; i++)
			if ((int)calibration->verdicts[i].severity == severity)
				print_verdict(sink, &calibration->verdicts[i]);
	putc('\n', sink->file);
}

static void print_summary(struct report_sink *sink, const struct report_calibration *report)
{
	const struct paradl_calibration *const calibration = report->calibration;
	fprintf(sink->file, " %s\n",
		typeset(sink, "%zu points in %zu launch%s of %zu file%s%s%s", calibration->points,
			calibration->launches, calibration->launches == 1 ? "" : "es", calibration->files,
			calibration->files == 1 ? "" : "s",
			calibration->failed
				? typeset(sink, "; %zu could not be measured", calibration->failed)
				: "",
			calibration->torn ? typeset(sink, "; %zu unfinished line%s passed over",
						    calibration->torn, calibration->torn == 1 ? "" : "s")
					  : ""));
	if (report->into)
		fprintf(sink->file, " %s\n",
			typeset(sink, "wrote %s; next: paradl advise MODEL --hw %s", report->into,
				report->into));
	if (report->layer_times)
		fprintf(sink->file, " %s\n",
			typeset(sink,
				"wrote %s; next: paradl estimate MODEL --hw HW -s serial --layer-times %s",
				report->layer_times, report->layer_times));
	if (!report->into && !report->layer_times)
		fprintf(sink->file, " %s\n", "nothing was written; next: the same with --into HW.json");
}

void text_calibration(struct report_sink *sink, const struct report_calibration *report)
{
	const struct paradl_calibration *const calibration = report->calibration;
	print_numbers(sink, calibration);
	print_curves(sink, calibration);
	for (size_t i = 0; report->shows_points && i < calibration->curve_count; i++)
		print_points(sink, &calibration->curves[i]);
	print_outliers(sink, report);
	print_verdicts(sink, calibration);
	if (!sink->style.brief)
		print_summary(sink, report);
}
