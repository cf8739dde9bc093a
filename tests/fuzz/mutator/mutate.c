/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutations of lines, of tables and of bytes; which family a text is of. */
#include "mutate.h"

#include <ctype.h>
#include <string.h>

enum { BLOCK_MOST = 64, COPIES_MOST = 40 };

static const char blanks[] = " \t";

/* A line around a byte, with its end. */
static struct span line_at(const struct text *text, size_t at)
{
	struct span line = {at, at};
	while (line.begin > 0 && text->bytes[line.begin - 1] != '\n')
		--line.begin;
	while (line.end < text->length && text->bytes[line.end] != '\n')
		++line.end;
	line.end += line.end < text->length;
	return line;
}

/* Tables are cut at commas where the text has any, else at blanks. */
static struct span cell_at(const struct text *text, size_t at)
{
	const bool commas = memchr(text->bytes, ',', text->length) != NULL;
	struct span cell = {at, at};
	while (cell.begin > 0 && text->bytes[cell.begin - 1] != '\n' &&
		!(commas ? text->bytes[cell.begin - 1] == ','
			 : strchr(blanks, text->bytes[cell.begin - 1]) != NULL))
		--cell.begin;
	while (cell.end < text->length && text->bytes[cell.end] != '\n' &&
		!(commas ? text->bytes[cell.end] == ',' : strchr(blanks, text->bytes[cell.end]) != NULL))
		++cell.end;
	return cell;
}

static size_t place(const struct text *text, struct chance *chance)
{
	/* the first lines say what the rest is, and get a third of all changes */
	const size_t head = text->length < 200 ? text->length : 200;
	return chance_percent(chance, 33) ? chance_below(chance, head) : chance_below(chance, text->length);
}

static void change_line(struct text *text, const struct text *donor, struct chance *chance)
{
	const struct span line = line_at(text, place(text, chance));
	const size_t length = line.end - line.begin;
	struct span other;
	switch (chance_below(chance, 4)) {
	case 0:
		text_splice(text, line.begin, length, "", 0);
		break;
	case 1:
		for (size_t copies = 1 + chance_below(chance, COPIES_MOST); copies > 0; --copies)
			text_splice(text, line.begin, 0, text->bytes + line.begin, length);
		break;
	case 2:
		other = line_at(text, place(text, chance));
		text_splice(text, line.begin, length, text->bytes + other.begin, other.end - other.begin);
		break;
	default:
		if (donor->length) {
			other = line_at(donor, place(donor, chance));
			text_splice(text, line.begin, 0, donor->bytes + other.begin, other.end - other.begin);
		}
		break;
	}
}

static void change_cell(struct text *text, struct chance *chance)
{
	const struct span cell = cell_at(text, place(text, chance));
	const struct span other = cell_at(text, place(text, chance));
	const char *const odd = odd_value(chance);
	switch (chance_below(chance, 5)) {
	case 0:
	case 1:
		text_splice(text, cell.begin, cell.end - cell.begin, odd, strlen(odd));
		break;
	case 2:
		text_splice(text, cell.begin, cell.end - cell.begin, text->bytes + other.begin,
			other.end - other.begin);
		break;
	case 3:
		text_splice(text, cell.begin, cell.end - cell.begin, "", 0);
		break;
	default:
		if (cell.begin < cell.end && isdigit((unsigned char)text->bytes[cell.begin]))
			text_splice(text, cell.end, 0, "e9", 2);
		else
			text_splice(text, cell.begin, 0, ",", 1);
		break;
	}
}

void mutate_lines(struct text *text, const struct text *donor, struct chance *chance)
{
	if (!text->length)
		return;
	if (chance_percent(chance, 35))
		change_line(text, donor, chance);
	else
		change_cell(text, chance);
}

void mutate_bytes(struct text *text, const struct text *donor, struct chance *chance)
{
	static const char odd[] = {
		0, 1, 0x7f, (char)0x80, (char)0xff, '\n', '\r', '"', '\\', '{', ',', '-', '9'};
	if (!text->length)
		return;
	const size_t at = chance_below(chance, text->length), rest = text->length - at;
	const size_t block = 1 + chance_below(chance, rest < BLOCK_MOST ? rest : BLOCK_MOST);
	switch (chance_below(chance, 7)) {
	case 0:
		text->bytes[at] = (char)(text->bytes[at] ^ (1 << chance_below(chance, 8)));
		break;
	case 1:
		text->bytes[at] = odd[chance_below(chance, sizeof odd)];
		break;
	case 2:
		text_splice(text, at, block, "", 0);
		break;
	case 3:
		text_splice(text, at, 0, text->bytes + at, block);
		break;
	case 4:
		text_splice(text, at, 0, &odd[chance_below(chance, sizeof odd)], 1);
		break;
	case 5:
		text_splice(text, at, rest, "", 0);
		break;
	default:
		if (donor->length) {
			const size_t from = chance_below(chance, donor->length);
			const size_t left = donor->length - from;
			text_splice(text, at, 0, donor->bytes + from, left < BLOCK_MOST ? left : BLOCK_MOST);
		}
		break;
	}
}

/* Text in one line of braces, each of its own: samples and logs. */
static bool is_lines_of_json(const struct text *text)
{
	const char *const end = memchr(text->bytes, '\n', text->length);
	return end && end > text->bytes && end[-1] == '}' && end[1] == '{';
}

void mutate(struct text *text, const struct text *donor, struct chance *chance)
{
	const size_t first = strspn(text->bytes ? text->bytes : "", " \t\r\n");
	const bool is_json = first < text->length && strchr("{[", text->bytes[first]);
	const bool is_binary =
		memchr(text->bytes, 0, text->length) != NULL || (unsigned char)text->bytes[0] < ' ';
	if (!text->length)
		return;
	if (is_binary || chance_percent(chance, 5))
		mutate_bytes(text, donor, chance);
	else if (!is_json)
		mutate_lines(text, donor, chance);
	else if (!is_lines_of_json(text))
		mutate_json(text, (struct span){0, text->length}, donor, chance);
	else if (chance_percent(chance, 30))
		mutate_lines(text, donor, chance);
	else
		mutate_json(text, line_at(text, place(text, chance)), donor, chance);
}
