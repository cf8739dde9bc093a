/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"
#include "base/error.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

size_t name_index(const char *name, const char *const *names, size_t count)
{
	size_t i = 0;
	while (i < count && !(names[i] && strcmp(names[i], name) == 0))
		++i;
	return i;
}

bool name_hint(struct paradl_error *error, const char *typed, const char *const *names, size_t count,
	const char *otherwise)
{
	const char *const near = suggest(typed, names, count);
	if (near)
		return error_hint(error, "did you mean \"%s\"?", near);
	return otherwise && error_hint(error, "%s", otherwise);
}

void names_join(const char *const *names, size_t count, char *text, size_t size)
{
	size_t length = 0;
	*text = '\0';
	for (size_t i = 0; i < count; ++i)
		if (names[i] && length < size)
			length += (size_t)snprintf(
				text + length, size - length, "%s%s", length ? ", " : "", names[i]);
}

/*
 * The Damerau-Levenshtein distance is computed in its "optimal string alignment" form: insert, delete, replace a byte
 * or swap two neighbours, none of them edited twice. Three rows of the table are enough.
 */

enum { LONGEST_WORD = 64, FARTHEST = 2 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][LONGEST_WORD + 1];
	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t *const row = rows[i % 3];
		const size_t *const above = rows[(i + 2) % 3], *const above_two = rows[(i + 1) % 3];
		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			row[j] =
				least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], above_two[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

static bool begins_with(const char *text, const char *word)
{
	return strncasecmp(text, word, strlen(word)) == 0;
}

/*
 * Returns the only candidate that begins with the word, in small letters or large ones. Where several do, it returns
 * the one with which all the others begin: "memory", if there is "memory_rate", too. NULL: there is none.
 */
static const char *completed(const char *word, const char *const *candidates, size_t count)
{
	const char *found = NULL;
	for (size_t i = 0; i < count; i++)
		if (candidates[i] && begins_with(candidates[i], word) &&
			strlen(candidates[i]) <= LONGEST_WORD &&
			(!found || strlen(candidates[i]) < strlen(found)))
			found = candidates[i];
	for (size_t i = 0; found && i < count; i++)
		if (candidates[i] && begins_with(candidates[i], word) && !begins_with(candidates[i], found))
			return NULL;
	return found;
}

const char *suggest(const char *word, const char *const *candidates, size_t count)
{
	const size_t length = strlen(word);
	if (length > LONGEST_WORD)
		return NULL;
	const char *nearest = NULL;
	size_t farthest = least(FARTHEST, length / 3);
	for (size_t i = 0; i < count; i++) {
		const size_t other = candidates[i] ? strlen(candidates[i]) : SIZE_MAX;
		if (other > LONGEST_WORD || other > length + farthest || length > other + farthest)
			continue;
		const size_t apart = distance(word, length, candidates[i], other);
		if (apart > farthest || (nearest && apart == farthest))
			continue;
		nearest = candidates[i];
		farthest = apart;
	}
	return nearest || length < 3 ? nearest : completed(word, candidates, count);
}

struct suggestion suggestion_of(const char *word, const char *const *candidates, size_t count)
{
	const char *const nearest = suggest(word, candidates, count);
	struct suggestion suggestion = {""};
	if (nearest)
		snprintf(suggestion.clause, sizeof suggestion.clause, "; did you mean \"%s\"?", nearest);
	return suggestion;
}
