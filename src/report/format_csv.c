/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV output is one rectangular table (RFC 4180, but lines end in LF). It has a header, SI units and every digit;
 * unknown values are empty fields.
 */
#include <string.h>

#include "base/quantity.h"
#include "report/format_csv.h"
#include "report/sweep_columns.h"

static void begin_field(struct csv_line *line)
{
	if (line->has_field)
		putc(',', line->file);
	line->has_field = true;
}

void csv_end(struct csv_line *line)
{
	putc('\n', line->file);
	line->has_field = false;
}

/*
 * Returns whether spreadsheets would run the text as a formula, which they do even within quotes: it begins with
 * =, @, a tab, CR, + or -. A number (or percentage) with a sign and a lone sign are no formulas.
 */
static bool is_formula(const char *text)
{
	double number;
	const char *end;
	if (*text == '\0' || !strchr("=@\t\r+-", *text))
		return false;
	if (*text != '+' && *text != '-')
		return true;
	return text[1] && !(decimal_read(text + 1, 0, &number, &end) && end[*end == '%'] == '\0');
}

void csv_text(struct csv_line *line, const char *text)
{
	begin_field(line);
	const char *const mark = text && is_formula(text) ? "'" : "";
	if (!text || !text[strcspn(text, ",\"\r\n")]) {
		fprintf(line->file, "%s%s", mark, text ? text : "");
		return;
	}
	fprintf(line->file, "\"%s", mark);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', line->file);
		putc(*text, line->file);
	}
	putc('"', line->file);
}

void csv_number(struct csv_line *line, double value)
{
	char digits[DECIMAL_LENGTH];
	begin_field(line);
	fprintf(line->file, "%s%s", value < 0 ? "-" : "",
		decimal_shortest(digits, sizeof digits, value < 0 ? -value : value));
}

#define X(member, type, document, head)                                                                      \
	static void write_##member(struct report_sink *sink, const struct type *report)                      \
	{                                                                                                    \
		csv_put_document(sink, &document_##document, head, report);                                  \
	}
#include "report/written.def"
#undef X

const struct report_format report_csv = {
	.name = "csv",
	.extension = ".csv",
	.summary = "one table, SI units, every digit",
#define X(member, ...) .member = write_##member,
#include "report/written.def"
#undef X
	.sweep = &csv_sweep,
};
