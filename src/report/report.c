/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/report.h"

#include <math.h>
#include <string.h>

const struct report_format *const report_formats[] = {
#define X(id) &report_##id,
#include "report/list.def"
#undef X
	NULL,
};

const struct report_format *report_find(const char *name)
{
	for (size_t i = 0; report_formats[i]; i++)
		if (strcmp(report_formats[i]->name, name) == 0)
			return report_formats[i];
	return NULL;
}

const struct report_format *report_of_file(const char *path)
{
	const char *const dot = strrchr(path, '.');
	for (size_t i = 0; dot && report_formats[i]; i++)
		if (strcmp(report_formats[i]->extension, dot) == 0)
			return report_formats[i];
	return NULL;
}

const char *report_reason(char text[REASON_BYTES], int reason)
{
	if (strerror_r(reason, text, REASON_BYTES) != 0)
		snprintf(text, REASON_BYTES, "error %d", reason);
	return text;
}
