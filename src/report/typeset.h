/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text for terminals: what the user wrote made harmless, symbols for ASCII terminals, widths, colours. */
#ifndef REPORT_TYPESET_H
#define REPORT_TYPESET_H

#include "base/quantity.h"
#include "report/report.h"

enum ink { INK_PLAIN, INK_BOLD, INK_DIM, INK_GOOD, INK_BAD };

/* printf into the sink's arena, then cleaned; "" when out of memory (and the sink says so). */
const char *typeset(struct report_sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Control characters and bytes that are not UTF-8 become '?': a model's name cannot drive the terminal.
 * With style.ascii, symbols become ASCII (× is x, ≥ is >=).
 */
const char *typeset_clean(struct report_sink *sink, const char *text);

size_t typeset_width(const char *text); /* columns; colours take none */
const char *typeset_cut(struct report_sink *sink, const char *text, size_t width); /* ends in … when cut */
const char *typeset_ink(struct report_sink *sink, enum ink ink, const char *text);
/* `text` (trusted: not cleaned) in a colour, on a background when `on` is not NULL. */
struct phase_look;
const char *typeset_phase(struct report_sink *sink, const struct phase_look *look,
	const struct phase_look *on, const char *text);

/* " best        text": wrapped at the width, continued under the text. */
void typeset_labelled(struct report_sink *sink, const char *label, const char *text);
/* The same with nothing in front of the first line and `indent` columns before the others. */
void typeset_wrapped(struct report_sink *sink, size_t indent, const char *text);

/* Three significant digits: 25.6 M, 8.18 Gflop, 34.7 s, 9.80 GiB; "-" for a negative value. */
const char *typeset_quantity(struct report_sink *sink, double value, enum dimension dimension);
const char *typeset_size(struct report_sink *sink, double bytes); /* 64 KiB where that is exact */
/* The same of a number in a unit that is named; `digits` of them where it has another than these. */
const char *typeset_unit(struct report_sink *sink, double value, const char *unit, int digits);
const char *typeset_count(struct report_sink *sink, double value);  /* of things: 25.6 M, 64, 8.03 B */
const char *typeset_scaled(struct report_sink *sink, double value); /* before a unit: 25.6 M, 64, 8.03 G */
const char *typeset_whole(struct report_sink *sink, double value);  /* 37,040 */
const char *typeset_money(struct report_sink *sink, double value, const char *currency);
const char *typeset_percent(struct report_sink *sink, double share); /* 0.614 is "61 %" */

#endif
