/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Typesetting makes text fit for terminals: it makes harmless what users wrote, replaces symbols on ASCII terminals,
 * measures and cuts text, colours it and breaks lines. It also formats numbers as people read them.
 */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/quantity.h"
#include "base/utf8.h"
#include "report/palette.h"
#include "report/typeset.h"

const char *typeset_quantity(struct report_sink *sink, double value, enum dimension dimension)
{
	char text[64];
	return value < 0 ? "-" : typeset(sink, "%s", quantity_format(text, sizeof text, value, dimension));
}

const char *typeset_size(struct report_sink *sink, double bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	size_t unit = 0;
	double value = bytes;
	while (unit + 1 < sizeof units / sizeof units[0] && value >= 1024 && fmod(value, 1024) <= 0) {
		value /= 1024;
		unit++;
	}
	if (value < 10000 && fmod(value, 1) <= 0)
		return typeset(sink, "%.0f %s", value, units[unit]);
	return typeset_quantity(sink, bytes, DIMENSION_BYTES);
}

/*
 * Returns "25.6 M": three digits and one of the prefixes, each of which is a thousand times the one before. Numbers
 * below 10,000 have no prefix; a negative value is "-".
 */
static const char *prefixed(struct report_sink *sink, double value, const char *prefixes)
{
	if (value < 0)
		return "-";
	if (value < 9999.5)
		return typeset(sink, "%.4g", value);
	for (value /= 1000; value >= 999.5 && prefixes[1]; prefixes++)
		value /= 1000;
	return typeset(sink, "%.*f %c", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, *prefixes);
}

const char *typeset_count(struct report_sink *sink, double value)
{
	return prefixed(sink, value, "kMBT");
}

const char *typeset_scaled(struct report_sink *sink, double value)
{
	return prefixed(sink, value, "kMGTPE");
}

const char *typeset_unit(struct report_sink *sink, double value, const char *unit, int digits)
{
	static const struct {
		const char *unit;
		enum dimension dimension;
	} units[] = {{"s", DIMENSION_TIME}, {"B", DIMENSION_BYTES}, {"B/s", DIMENSION_BYTES_PER_S},
		{"flop/s", DIMENSION_FLOP_PER_S}, {"W", DIMENSION_POWER}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(unit, units[i].unit) == 0)
			return typeset_quantity(sink, value, units[i].dimension);
	return value < 0 ? "-" : typeset(sink, "%.*g%s%s", digits, value, *unit ? " " : "", unit);
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

const char *typeset_rate(struct report_sink *sink, double value)
{
	return value >= 0 && value < 99.95 ? typeset(sink, "%.3g", value) : typeset_whole(sink, value);
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

static const struct {
	const char *symbol, *ascii;
} ascii_symbols[] = {
	{"×", "x"},
	{"·", ","},
	{"…", "..."},
	{"≥", ">="},
	{"≤", "<="},
	{"±", "+-"},
	{"−", "-"},
	{"–", "-"},
	{"—", "-"},
	{"→", "->"},
	{"α", "alpha"},
	{"β", "beta"},
	{"γ", "gamma"},
	{"δ", "delta"},
	{"φ", "phi"},
	{"μ", "u"},
	{"µ", "u"},
	{"Σ", "sum"},
	{"∑", "sum"},
	{"√", "sqrt"},
	{"²", "^2"},
	{"³", "^3"},
	{"≈", "~"},
	{"▸", ">"},
};

static const char *ascii_symbol(const char *character, size_t bytes)
{
	for (size_t i = 0; i < sizeof ascii_symbols / sizeof ascii_symbols[0]; i++)
		if (strlen(ascii_symbols[i].symbol) == bytes &&
			memcmp(ascii_symbols[i].symbol, character, bytes) == 0)
			return ascii_symbols[i].ascii;
	return "?";
}

static const char *or_empty(struct report_sink *sink, const char *text)
{
	if (!text)
		sink->out_of_memory = true;
	return text ? text : "";
}

const char *typeset_clean(struct report_sink *sink, const char *text)
{
	enum { LONGEST_SYMBOL = 8 };
	size_t left = strlen(text);
	char *const clean = arena_alloc(sink->arena, left * LONGEST_SYMBOL + 1, 1);
	char *out = clean;
	while (clean && left > 0) {
		size_t bytes = utf8_character(text, left);
		const char *shown = text;
		if (bytes == 0 || utf8_is_control(text, bytes))
			shown = "?";
		else if (bytes > 1 && sink->style.ascii)
			shown = ascii_symbol(text, bytes);
		const size_t shown_bytes = shown == text ? bytes : strlen(shown);
		for (size_t i = 0; i < shown_bytes; i++)
			out[i] = shown[i];
		out += shown_bytes;
		bytes = bytes > 0 ? bytes : 1;
		text += bytes;
		left -= bytes;
	}
	return or_empty(sink, clean);
}

const char *typeset(struct report_sink *sink, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	char *const text = length < 0 ? NULL : arena_alloc(sink->arena, (size_t)length + 1, 1);
	if (!text)
		return or_empty(sink, NULL);
	va_start(arguments, format);
	vsnprintf(text, (size_t)length + 1, format, arguments);
	va_end(arguments);
	return typeset_clean(sink, text);
}

/*
 * Returns the columns that a character takes: combining marks none, East Asian wide characters and emoji two, all
 * others one (Unicode 15, UAX 11, by block).
 */
static size_t columns_of(unsigned long code)
{
	static const struct {
		unsigned long first, last;
		size_t columns;
	} blocks[] = {
		{0x0300, 0x036f, 0},
		{0x1100, 0x115f, 2},
		{0x200b, 0x200f, 0},
		{0x2e80, 0xa4cf, 2},
		{0xac00, 0xd7a3, 2},
		{0xf900, 0xfaff, 2},
		{0xfe00, 0xfe0f, 0},
		{0xfe30, 0xfe6f, 2},
		{0xff00, 0xff60, 2},
		{0xffe0, 0xffe6, 2},
		{0x1f300, 0x1f64f, 2},
		{0x1f900, 0x1f9ff, 2},
		{0x20000, 0x3fffd, 2},
	};
	for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
		if (code >= blocks[i].first && code <= blocks[i].last)
			return blocks[i].columns;
	return 1;
}

/* Returns the bytes of the character or colour sequence at `text`, and stores the columns it takes. */
static size_t step(const char *text, size_t *columns)
{
	enum { UTF8_BYTES_MAX = 4 };
	if (*text == '\033') {
		const size_t bytes = strcspn(text, "m");
		*columns = 0;
		return text[bytes] ? bytes + 1 : bytes;
	}
	const size_t bytes = utf8_character(text, strnlen(text, UTF8_BYTES_MAX));
	*columns = bytes > 0 ? columns_of(utf8_code(text, bytes)) : 1;
	return bytes > 0 ? bytes : 1;
}

size_t typeset_width(const char *text)
{
	size_t width = 0, columns = 0;
	for (; *text; width += columns)
		text += step(text, &columns);
	return width;
}

const char *typeset_cut(struct report_sink *sink, const char *text, size_t width)
{
	const char *const mark = sink->style.ascii ? "..." : "…";
	const size_t mark_width = sink->style.ascii ? 3 : 1;
	if (typeset_width(text) <= width)
		return text;
	size_t bytes = 0, used = 0;
	while (text[bytes]) {
		size_t columns = 0;
		const size_t next = step(text + bytes, &columns);
		if (used + columns + mark_width > width)
			break;
		bytes += next;
		used += columns;
	}
	while (bytes > 0 && text[bytes - 1] == ' ')
		bytes--;
	return or_empty(sink, arena_printf(sink->arena, "%.*s%s", (int)bytes, text, mark));
}

const char *typeset_ink(struct report_sink *sink, enum ink ink, const char *text)
{
	static const char *const codes[] = {
		[INK_PLAIN] = "", [INK_BOLD] = "1", [INK_DIM] = "2", [INK_GOOD] = "32", [INK_BAD] = "31"};
	if (sink->style.colors == COLORS_NONE || ink == INK_PLAIN || !*text)
		return text;
	return or_empty(sink, arena_printf(sink->arena, "\033[%sm%s\033[0m", codes[ink], text));
}

static void colour_code(char code[24], const struct phase_look *look, enum report_colors colors, int layer)
{
	code[0] = '\0';
	if (look && colors == COLORS_RGB)
		snprintf(code, 24, "%d;2;%u;%u;%u", layer, look->rgb >> 16, look->rgb >> 8 & 0xff,
			look->rgb & 0xff);
	else if (look)
		snprintf(code, 24, "%d;5;%d", layer, look->xterm);
}

const char *typeset_phase(struct report_sink *sink, const struct phase_look *look,
	const struct phase_look *on, const char *text)
{
	char front[24], back[24];
	if (sink->style.colors == COLORS_NONE)
		return text;
	colour_code(front, look, sink->style.colors, 38);
	colour_code(back, on, sink->style.colors, 48);
	return or_empty(sink,
		arena_printf(sink->arena, "\033[%s%s%sm%s\033[0m", front, *back ? ";" : "", back, text));
}

void typeset_wrapped(struct report_sink *sink, size_t indent, const char *text)
{
	const size_t width = sink->style.width > indent + 20 ? sink->style.width - indent : 20;
	size_t used = 0;
	while (*text) {
		const size_t bytes = strcspn(text, " ");
		const char *const word = or_empty(sink, arena_copy(sink->arena, text, bytes));
		const size_t columns = typeset_width(word);
		if (used > 0 && used + 1 + columns > width) {
			fprintf(sink->file, "\n%*s", (int)indent, "");
			used = 0;
		}
		fprintf(sink->file, "%s%s", used > 0 ? " " : "", word);
		used += columns + (used > 0);
		text += bytes + strspn(text + bytes, " ");
	}
	putc('\n', sink->file);
}

void typeset_labelled(struct report_sink *sink, const char *label, const char *text)
{
	enum { LABEL_COLUMNS = 13 };
	const int padding = LABEL_COLUMNS - 1 - (int)typeset_width(label);
	fprintf(sink->file, " %s%*s", typeset_ink(sink, INK_DIM, label), padding > 1 ? padding : 1, "");
	typeset_wrapped(sink, LABEL_COLUMNS, text);
}

const char *typeset_sample(struct report_sink *sink, const struct paradl_model_info *model)
{
	const char *const work = typeset_quantity(sink, model->forward_flop_per_sample, DIMENSION_FLOP);
	if (!(model->further_tokens > 0))
		return typeset(sink, "%s/sample forward", work);
	return typeset(sink, "%s/sample forward, of %s + %s tokens", work,
		typeset_whole(sink, model->sequence), typeset_whole(sink, model->further_tokens));
}
