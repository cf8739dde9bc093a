/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what is fitted to measurements: constants, kernels of devices, and calibrations of machines. */
#include "report/text.h"

/* Prints fitted constants and the errors of each set. */
void text_fit(struct report_sink *sink, const struct report_fit *report)
{
	const struct paradl_fit *const fit = report->fit;
	columns_show(sink, report, &record_fit, "constants", report,
		"profile,name,value,standard_error,prior,low,high,rows,remark");
	putc('\n', sink->file);
	columns_show(sink, report, &record_fit, "by_set", report,
		"set,rows,mape_before,mape,bias,mape_left_out,inside,half_width");
	if (sink->style.brief)
		return;
	fprintf(sink->file, "\n %s\n",
		typeset(sink, "%zu constants, %zu rows%s, objective %.4g (%.4g at the priors)",
			fit->constant_count, fit->rows,
			fit->skipped ? typeset(sink, ", %zu more cannot be projected", fit->skipped) : "",
			fit->objective, fit->objective_before));
	if (fit->inside >= 0)
		fprintf(sink->file, " %s\n",
			typeset(sink, "left out, %s of the rows are within their likely error, ±%s (median)",
				typeset_percent(sink, fit->inside), typeset_percent(sink, fit->half_width)));
	if (report->into)
		fprintf(sink->file, " %s\n",
			typeset(sink, "constants are in the profiles of %s", report->into));
}

/* Prints how well device files agree with measured times of kernels. */
void text_kernels(struct report_sink *sink, const struct report_kernels *report)
{
	const struct paradl_kernels *const kernels = report->kernels;
	bool is_fitted = false, leaves_out = false, draws = false, quantizes = false;
	for (size_t i = 0; i < kernels->error_count; i++) {
		is_fitted |= !(kernels->errors[i].fitted_mean < 0);
		leaves_out |= !(kernels->errors[i].left_out_mean < 0);
		draws |= !(kernels->errors[i].left_out_low < 0);
		quantizes |= kernels->errors[i].quantizing > 0;
	}
	if (kernels->number_count) {
		columns_show(sink, report, &record_kernels, "numbers", report,
			"device,path,value,low,high,was,rows");
		putc('\n', sink->file);
	}
	const char *const shown =
		draws        ? "fitted_mean,left_out_mean,left_out_low,left_out_high,left_out_ratio"
		: is_fitted  ? "fitted_mean,fitted_median,left_out_mean,left_out_median"
		: leaves_out ? "left_out_mean,left_out_median"
			     : "median,bias";
	columns_show(sink, report, &record_kernels, "errors", report,
		typeset(sink, "device,kind,precision,size,rows,mean,%s%s", shown,
			quantizes ? ",quantizing" : ""));
	if (sink->style.brief)
		return;
	if (kernels->passed_count)
		putc('\n', sink->file);
	for (size_t i = 0; i < kernels->passed_count; i++)
		fprintf(sink->file, " %s\n",
			typeset(sink,
				"%zu rows of %s are passed over: there is no formula for this number format",
				kernels->passed[i].rows, kernels->passed[i].what));
	if (report->into)
		fprintf(sink->file, "\n %s\n", typeset(sink, "numbers are in %s", report->into));
}

enum { OUTLIERS_SHOWN = 10 };

static const char *interval_text(struct report_sink *sink, const struct paradl_fitted_number *number)
{
	if (!(number->high > number->low))
		return "-";
	return typeset(sink, "%s … %s%s", typeset_unit(sink, number->low, number->unit, 4),
		typeset_unit(sink, number->high, number->unit, 4), number->is_range ? " *" : "");
}

static void print_numbers(struct report_sink *sink, const struct paradl_calibration *calibration)
{
	enum { INTERVAL = 3 };
	bool has_range = false;
	struct columns columns;
	if (calibration->number_count == 0)
		return;
	columns_start(&columns, sink, NULL, &record_fitted_number,
		"file,path,value,interval,points,launches,residual,was,was_from");
	for (size_t i = 0; i < calibration->number_count; i++) {
		const struct paradl_fitted_number *const number = &calibration->numbers[i];
		has_range = has_range || (number->is_range && number->high > number->low);
		columns_row(&columns, number)[INTERVAL] = interval_text(sink, number);
	}
	fprintf(sink->file, " %s\n", typeset_ink(sink, INK_BOLD, "Numbers"));
	columns_print(&columns);
	if (has_range && !sink->style.brief)
		fprintf(sink->file, " * %s\n", "the range of fewer than four launches: no interval");
	putc('\n', sink->file);
}

/* Returns the segments of a curve, start-up and rate of each: "4.10 us, 12.3 GB/s | 64 KiB: 9.80 us, 21.0 GB/s". */
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
			i > 0 ? typeset_size(sink, segment->from_bytes) : "", i > 0 ? ": " : "",
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
	enum { RANGE = 7, PIECES = 9, ODD = 12 };
	struct columns columns;
	if (calibration->curve_count == 0)
		return;
	columns_start(&columns, sink, NULL, &record_fitted_curve,
		"operation,library,buffer,nodes,devices,groups,sizes,range,launches,pieces,segment_error,"
		"held_out_error,odd");
	for (size_t i = 0; i < calibration->curve_count; i++) {
		const struct paradl_fitted_curve *const curve = &calibration->curves[i];
		const char **const cells = columns_row(&columns, curve);
		if (curve->point_count > 0)
			cells[RANGE] = typeset(sink, "%s … %s", typeset_size(sink, curve->bytes[0]),
				typeset_size(sink, curve->bytes[curve->point_count - 1]));
		cells[PIECES] = segments_text(sink, curve);
		cells[ODD] = odd_text(sink, curve);
	}
	fprintf(sink->file, " %s\n", typeset_ink(sink, INK_BOLD, "Curves"));
	columns_print(&columns);
	putc('\n', sink->file);
}

static void print_points(struct report_sink *sink, const struct paradl_fitted_curve *curve)
{
	enum { INTERVAL = 2 };
	struct columns columns;
	columns_start(&columns, sink, NULL, &record_fitted_point, "bytes,time_s,interval,rate,flags");
	columns_list(&columns, &record_fitted_curve, "points", curve);
	for (size_t i = 0; i < columns.table.row_count; i++)
		table_cells(&columns.table, i)[INTERVAL] =
			curve->low_s && curve->high_s[i] > curve->low_s[i]
				? typeset(sink, "%s … %s",
					  typeset_quantity(sink, curve->low_s[i], DIMENSION_TIME),
					  typeset_quantity(sink, curve->high_s[i], DIMENSION_TIME))
				: "-";
	fprintf(sink->file, " %s\n",
		typeset_ink(sink, INK_BOLD,
			typeset(sink, "%s, %s, %u node%s, %u devices", curve->operation, curve->library,
				curve->nodes, curve->nodes > 1 ? "s" : "", curve->devices)));
	columns_print(&columns);
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
			calibration->torn ? typeset(sink, "; unfinished lines and runs passed over: %zu",
						    calibration->torn)
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
	if (!report->into && !report->is_refused && !report->layer_times)
		fprintf(sink->file, " %s\n", "nothing was written; next: the same with --into HW.json");
}

/*
 * Prints what was fitted to measurements of a machine: numbers, curves, outliers, and verdicts on what is wrong with
 * it.
 */
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
