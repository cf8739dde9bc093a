/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/validate/measurements.h"

#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/quantity.h"

/* Returns the lower case of an ASCII letter, whatever the locale; other characters as they are. */
static int lower(char character)
{
	return character >= 'A' && character <= 'Z' ? character - 'A' + 'a' : character;
}

/*
 * Matches greedily and backtracks to the last star only, which is enough for patterns whose only wildcard is "*".
 */
bool alias_fits(const char *pattern, const char *text)
{
	const char *star = NULL, *resume = text;
	while (*text) {
		if (*pattern == '*') {
			star = pattern++;
			resume = text;
		} else if (lower(*pattern) == lower(*text)) {
			++pattern;
			++text;
		} else if (star) {
			pattern = star + 1;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		++pattern;
	return !*pattern;
}

const struct alias *alias_find(const struct aliases *aliases, const char *kind, const char *text)
{
	for (const struct alias *alias = aliases->items; alias < aliases->items + aliases->count; ++alias)
		if (strcmp(alias->kind, kind) == 0 && alias_fits(alias->pattern, text))
			return alias;
	return NULL;
}

double alias_value(const struct aliases *aliases, const char *kind, const char *text, double initial)
{
	const struct alias *alias = alias_find(aliases, kind, text);
	return alias ? alias->value : initial;
}

static bool read_alias(const struct csv *csv, size_t row, struct alias *alias, struct paradl_error *error)
{
	const char *value = csv_cell(csv, row, "value"), *end;
	*alias = (struct alias){.kind = csv_cell(csv, row, "kind"),
		.pattern = csv_cell(csv, row, "pattern"),
		.name = csv_cell(csv, row, "name")};
	if (!*alias->kind || !*alias->pattern)
		return error_at(error, PARADL_SCHEMA, csv->path, csv->lines[row], 1,
			"needs a \"kind\" and a \"pattern\"");
	if (*value && (!decimal_read(value, 0, &alias->value, &end) || *end))
		return error_at(error, PARADL_SCHEMA, csv->path, csv->lines[row], 1,
			"column \"value\" is not a number");
	return true;
}

static bool read_aliases(struct paradl_arena *arena, const struct csv *csv, struct aliases *aliases,
	struct paradl_error *error)
{
	struct alias *items = arena_alloc(arena, csv->rows ? csv->rows : 1, sizeof *items);
	if (!items)
		return out_of_memory(error);
	for (size_t row = 0; row < csv->rows; ++row)
		if (!read_alias(csv, row, &items[row], error))
			return false;
	*aliases = (struct aliases){items, csv->rows};
	return true;
}

bool aliases_load(struct paradl_arena *arena, const char *const *directories, struct aliases *aliases,
	struct paradl_error *error)
{
	for (; directories && *directories; ++directories) {
		struct csv csv;
		struct paradl_error missing = {0};
		const char *path = arena_printf(arena, "%s/hw-profiles/aliases.csv", *directories);
		if (!path)
			return out_of_memory(error);
		if (csv_load(arena, path, &csv, &missing))
			return read_aliases(arena, &csv, aliases, error);
		if (missing.status != PARADL_IO) {
			*error = missing;
			return false;
		}
	}
	error_set(error, PARADL_IO, "there is no hw-profiles/aliases.csv");
	error_hint(error, "it says what the spellings of published results stand for, and lies beside the "
			  "shipped machines");
	return false;
}
