/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "base/quantity.h"
#include "report/typeset.h"

const char *typeset_quantity(struct report_sink *sink, double value, enum dimension dimension)
{
	char text[64];
	return value < 0 ? "-" : typeset(sink, "%s", quantity_format(text, sizeof text, value, dimension));
}

const char *typeset_count(struct report_sink *sink, double value)
{
	static const char prefixes[] = {'k', 'M', 'G', 'T', 'P', 'E'};
	if (value < 0)
		return "-";
	if (value < 9999.5)
		return typeset(sink, "%.4g", value);
	size_t prefix = 0;
	for (value /= 1000; value >= 999.5 && prefix + 1 < sizeof prefixes; prefix++)
		value /= 1000;
	return typeset(sink, "%.*f %c", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, prefixes[prefix]);
}

const char *typeset_whole(struct report_sink *sink, double value)
{
	char digits[32], grouped[48];
	if (value >= 1e15 || value < 0)
		return typeset(sink, "%.4g", value);
	const int length = snprintf(digits, sizeof digits, "%.0f", value);
	size_t used = 0;
	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			grouped[used++] = ',';
		grouped[used++] = digits[i];
	}
	grouped[used] = '\0';
	return typeset(sink, "%s", grouped);
}

const char *typeset_percent(struct report_sink *sink, double share)
{
	const double percent = 100 * share;
	return typeset(sink, "%.*f %%", fabs(percent) < 9.95 && fabs(percent) > 0 ? 1 : 0, percent);
}

const char *typeset_money(struct report_sink *sink, double value, const char *currency)
{
	const char *const figures = value >= 100 ? typeset_whole(sink, value)
				    : value >= 1 ? typeset(sink, "%.2f", value)
						 : typeset(sink, "%.3g", value);
	return typeset(sink, "%s %s", figures, currency ? currency : "");
}
