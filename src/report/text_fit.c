/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_fit() prints fitted constants and the errors of each set. */
#include "report/text.h"

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
