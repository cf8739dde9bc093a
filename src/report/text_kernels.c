/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_kernels() prints how well device files agree with measured times of kernels. */
#include "report/text.h"

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
