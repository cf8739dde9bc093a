/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device files against times of kernels, for people. */
#include "report/text.h"

void text_kernels(struct report_sink *sink, const struct report_kernels *report)
{
	const struct paradl_kernels *const kernels = report->kernels;
	const bool is_fitted = kernels->error_count && !(kernels->errors[0].fitted_mean < 0);
	const bool leaves_out = kernels->error_count && !(kernels->errors[0].left_out_mean < 0);
	if (kernels->number_count) {
		columns_show(sink, report, &record_kernels, "numbers", report,
			"device,path,value,low,high,was,rows");
		putc('\n', sink->file);
	}
	columns_show(sink, report, &record_kernels, "errors", report,
		is_fitted    ? "device,kind,precision,size,rows,mean,fitted_mean,fitted_median,left_out_mean,"
			       "left_out_median"
		: leaves_out ? "device,kind,precision,size,rows,mean,left_out_mean,left_out_median"
			     : "device,kind,precision,size,rows,mean,median,bias");
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
