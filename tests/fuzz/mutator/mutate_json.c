/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutations of JSON as a tree. A text that is none of it any more has the values that can still be told apart. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate.h"

enum { VALUES_MOST = 20000, DEPTH_MOST = 200, LONG_TEXT = 5000, COPIES_MOST = 70, NESTED_MOST = 80 };

/* A value and, of a member, its key. */
struct value {
	struct span text, key; /* key.end 0: it is an element */
	unsigned depth;
};

struct values {
	struct value items[VALUES_MOST];
	size_t count;
};

static size_t string_end(const char *bytes, size_t at, size_t end)
{
	for (++at; at < end && bytes[at] != '"'; ++at)
		at += bytes[at] == '\\' && at + 1 < end;
	return at < end ? at + 1 : end;
}

static size_t word_end(const char *bytes, size_t at, size_t end)
{
	while (at < end && !strchr(",:[]{}\" \t\r\n", bytes[at]))
		++at;
	return at;
}

static size_t blanks_end(const char *bytes, size_t at, size_t end)
{
	while (at < end && isspace((unsigned char)bytes[at]))
		++at;
	return at;
}

static void note(struct values *values, size_t *open, struct span text, struct span *key, unsigned depth)
{
	if (values->count < VALUES_MOST) {
		if (open)
			*open = values->count;
		values->items[values->count++] = (struct value){text, *key, depth};
	}
	*key = (struct span){0, 0};
}

/* Finds all values in a part of a text. */
static void find_values(const char *bytes, struct span within, struct values *values)
{
	size_t open[DEPTH_MOST];
	unsigned depth = 0;
	struct span key = {0, 0};
	values->count = 0;
	for (size_t at = within.begin; (at = blanks_end(bytes, at, within.end)) < within.end;) {
		const char c = bytes[at];
		if ((c == '{' || c == '[') && depth < DEPTH_MOST && values->count < VALUES_MOST) {
			note(values, &open[depth], (struct span){at, within.end}, &key, depth);
			++depth;
			++at;
		} else if ((c == '}' || c == ']') && depth > 0) {
			values->items[open[--depth]].text.end = ++at;
		} else if (c == '"') {
			const size_t end = string_end(bytes, at, within.end),
				     after = blanks_end(bytes, end, within.end);
			if (after < within.end && bytes[after] == ':') {
				key = (struct span){at, end};
				at = after + 1;
			} else {
				note(values, NULL, (struct span){at, end}, &key, depth);
				at = end;
			}
		} else if (word_end(bytes, at, within.end) > at) {
			const size_t end = word_end(bytes, at, within.end);
			note(values, NULL, (struct span){at, end}, &key, depth);
			at = end;
		} else {
			++at;
		}
	}
}

static void replace(struct text *text, struct span span, const char *added, size_t length)
{
	text_splice(text, span.begin, span.end - span.begin, added, length);
}

/* Writes an odd value as JSON: of its own kind, or as a text. */
static void odd_json(char *json, size_t size, struct chance *chance)
{
	static const char *const others[] = {"null", "true", "false", "[]", "{}", "[[]]", "[null]",
		"{\"a\":1}", "\"\\u0000\"", "\"\\ud800\"", "\"\\ud83d\\ude00\"", "[1,2,3]",
		"{\"images\":1,\"tokens\":2}", "1.5e3", "-1", "01", "[1e308,-1e308]"};
	if (chance_percent(chance, 25)) {
		snprintf(json, size, "%s", others[chance_below(chance, sizeof others / sizeof *others)]);
		return;
	}
	const char *const odd = odd_value(chance);
	const bool bare = odd[strspn(odd, "-0123456789.eE")] == '\0' && *odd && chance_percent(chance, 70);
	char escaped[256];
	size_t used = 0;
	for (const char *c = odd; *c && used + 3 < sizeof escaped; ++c) {
		if ((*c == '\\' || *c == '"') && !bare)
			escaped[used++] = '\\';
		escaped[used++] = *c;
	}
	escaped[used] = '\0';
	snprintf(json, size, bare ? "%s" : "\"%s\"", escaped);
}

/* Removes or repeats a value, with its key and a comma. */
static void change_count(struct text *text, const struct value *value, struct chance *chance)
{
	const size_t begin = value->key.end ? value->key.begin : value->text.begin;
	const size_t length = value->text.end - begin;
	size_t after = blanks_end(text->bytes, value->text.end, text->length);
	if (chance_percent(chance, 50)) {
		size_t first = begin;
		if (after < text->length && text->bytes[after] == ',')
			++after;
		else
			while (first > 0 && (isspace((unsigned char)text->bytes[first - 1]) ||
						    text->bytes[first - 1] == ','))
				--first;
		text_splice(text, first, after - first, "", 0);
		return;
	}
	size_t copies = chance_percent(chance, 80) ? 1 : 1 + chance_below(chance, COPIES_MOST);
	for (; copies > 0 && text->length + length < TEXT_MOST; --copies) {
		text_splice(text, begin, 0, ",", 1);
		text_splice(text, begin, 0, text->bytes + begin + 1, length);
	}
}

/* Changes a number within a value by its sign, its size or its last digit, and leaves a unit behind it. */
static void change_number(struct text *text, const struct value *value, struct chance *chance)
{
	static const char *const numbers[] = {
		"0", "1", "-1", "0.5", "1e9", "1e-9", "1e300", "4294967296", "3", "1000000"};
	size_t at = value->text.begin;
	while (at < value->text.end && !isdigit((unsigned char)text->bytes[at]))
		++at;
	size_t end = at;
	while (end < value->text.end && (isdigit((unsigned char)text->bytes[end]) || text->bytes[end] == '.'))
		++end;
	if (at == end)
		return;
	if (chance_percent(chance, 40)) {
		const char *const number = numbers[chance_below(chance, sizeof numbers / sizeof *numbers)];
		text_splice(text, at, end - at, number, strlen(number));
	} else {
		char digits[8];
		snprintf(digits, sizeof digits, chance_percent(chance, 50) ? "e%d" : "e-%d",
			(int)chance_below(chance, 12));
		if (chance_percent(chance, 60))
			text_splice(text, end, 0, digits, strlen(digits));
		else
			text->bytes[at] = (char)('0' + chance_below(chance, 10));
	}
}

static void change_key(
	struct text *text, const struct values *values, const struct value *value, struct chance *chance)
{
	const struct value *const other = &values->items[chance_below(chance, values->count)];
	if (!value->key.end)
		return;
	if (other->key.end && chance_percent(chance, 60))
		replace(text, value->key, text->bytes + other->key.begin, other->key.end - other->key.begin);
	else if (chance_percent(chance, 50))
		text_splice(text, value->key.begin + 1, 0, "x", 1);
	else
		replace(text, value->key, "\"\"", 2);
}

static void nest(struct text *text, const struct value *value, struct chance *chance)
{
	const bool list = chance_percent(chance, 50);
	size_t depth = chance_percent(chance, 80) ? 1 : chance_below(chance, NESTED_MOST);
	for (; depth > 0; --depth) {
		text_splice(text, value->text.end, 0, list ? "]" : "}", 1);
		text_splice(text, value->text.begin, 0, list ? "[" : "{\"a\":", list ? 1 : 5);
	}
}

static void lengthen(struct text *text, const struct value *value, struct chance *chance)
{
	char run[LONG_TEXT];
	const size_t length = 1 + chance_below(chance, sizeof run);
	memset(run, 'a' + (int)chance_below(chance, 26), length);
	if (text->bytes[value->text.begin] == '"')
		text_splice(text, value->text.begin + 1, 0, run, length);
}

void mutate_json(struct text *text, struct span within, const struct text *donor, struct chance *chance)
{
	static struct values values, theirs; /* large, and one thread */
	char json[512];
	find_values(text->bytes, within, &values);
	if (values.count == 0)
		return;
	const struct value value = values.items[chance_below(chance, values.count)];
	const struct value other = values.items[chance_below(chance, values.count)];
	switch (chance_below(chance, 12)) {
	case 0:
	case 1:
	case 2:
		odd_json(json, sizeof json, chance);
		replace(text, value.text, json, strlen(json));
		break;
	case 3:
		replace(text, value.text, text->bytes + other.text.begin, other.text.end - other.text.begin);
		break;
	case 4:
	case 5:
		change_count(text, &value, chance);
		break;
	case 6:
	case 7:
		change_number(text, &value, chance);
		break;
	case 8:
		change_key(text, &values, &value, chance);
		break;
	case 9:
		find_values(donor->bytes, (struct span){0, donor->length}, &theirs);
		if (theirs.count > 0) {
			const struct span taken = theirs.items[chance_below(chance, theirs.count)].text;
			replace(text, value.text, donor->bytes + taken.begin, taken.end - taken.begin);
		}
		break;
	case 10:
		nest(text, &value, chance);
		break;
	default:
		lengthen(text, &value, chance);
		break;
	}
}
