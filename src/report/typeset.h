/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Typesetting makes text fit for terminals: cleaned, with ASCII symbols if asked for, measured, cut and coloured. */
#ifndef REPORT_TYPESET_H
#define REPORT_TYPESET_H

#include "base/quantity.h"
#include "report/report.h"

enum ink { INK_PLAIN, INK_BOLD, INK_DIM, INK_GOOD, INK_BAD };

/* Formats like printf into the sink's arena, then cleans the text; returns "" if out of memory (the sink says so). */
const char *typeset(struct report_sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Replaces control characters and bytes that are not UTF-8 by '?', so that a model's name cannot drive the terminal.
 * With style.ascii, symbols become ASCII (the multiplication sign is x, greater-or-equal is >=).
 */
const char *typeset_clean(struct report_sink *sink, const char *text);

/* Returns the columns that a text takes; colours take none. */
size_t typeset_width(const char *text);
/* Cuts a text to `width` columns; a text that is cut ends in an ellipsis. */
const char *typeset_cut(struct report_sink *sink, const char *text, size_t width);
const char *typeset_ink(struct report_sink *sink, enum ink ink, const char *text);
struct phase_look;
/* Colours `text` (trusted: not cleaned) as a phase, on the background of the phase `on` unless that is NULL. */
const char *typeset_phase(struct report_sink *sink, const struct phase_look *look,
	const struct phase_look *on, const char *text);

/* Prints a label and a text, " best        text": wrapped at the width, continued under the text. */
void typeset_labelled(struct report_sink *sink, const char *label, const char *text);
/* Prints a text wrapped at the width, with `indent` columns before all lines but the first. */
void typeset_wrapped(struct report_sink *sink, size_t indent, const char *text);

/* Returns a quantity in three significant digits: 8.18 Gflop, 34.7 s, 9.80 GiB; "-" for a negative value. */
const char *typeset_quantity(struct report_sink *sink, double value, enum dimension dimension);
/* Returns bytes in full, 64 KiB, if a unit makes them a whole number below 10,000; otherwise as typeset_quantity(). */
const char *typeset_size(struct report_sink *sink, double bytes);
/* Returns a number in a unit by name: s, B, B/s, flop/s and W as typeset_quantity(), others with `digits` digits. */
const char *typeset_unit(struct report_sink *sink, double value, const char *unit, int digits);
/* Returns a number of things in three digits: 25.6 M, 64, 8.03 B. */
const char *typeset_count(struct report_sink *sink, double value);
/* Returns a number to stand before a unit, in three digits: 25.6 M, 64, 8.03 G. */
const char *typeset_scaled(struct report_sink *sink, double value);
/* Returns a whole number with all its digits in groups, 37,040. */
const char *typeset_whole(struct report_sink *sink, double value);
/* Returns a rate or another amount as a whole number, but with three digits at least: 2.48, 36.4, 21,974. */
const char *typeset_rate(struct report_sink *sink, double value);
const char *typeset_money(struct report_sink *sink, double value, const char *currency);
/* Returns a share in percent, "61 %" for 0.614, with one decimal below 9.95 %. */
const char *typeset_percent(struct report_sink *sink, double share);

struct paradl_model_info;
/* Returns the work of a sample, "1.90 Tflop/sample", with the tokens of its sequences where it has two. */
const char *typeset_sample(struct report_sink *sink, const struct paradl_model_info *model);

#endif
