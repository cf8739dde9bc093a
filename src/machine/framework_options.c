/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses options of a framework file. "options" has changes by name. "uses" has some on by default, and a run turns
 * them on or off: "nemo-2024+flash", "nemo-2024+no-overlap-tensor". Each file of a chain is read with its own part of
 * every option in use laid over it, so that a program may say anew what an option of its family means.
 */
#include <stdio.h>
#include <string.h>

#include "base/changes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/names.h"
#include "machine/framework.h"

static const char ending[] = ".json+";
static const char negation[] = "no-";

const char *framework_file(struct paradl_arena *arena, const char *path, const char **wanted)
{
	const char *end = NULL;
	*wanted = "";
	if (file_is_there(arena, path))
		return path;
	for (const char *next = path; (next = strstr(next, ending)); ++next)
		end = next;
	if (!end)
		return path;
	*wanted = end + strlen(ending);
	return arena_copy(arena, path, (size_t)(end - path) + strlen(".json"));
}

static unsigned find(const struct framework_choice *choice, const char *name, size_t length)
{
	unsigned i = 0;
	while (i < choice->count &&
		(strlen(choice->names[i]) != length || strncmp(choice->names[i], name, length) != 0))
		++i;
	return i;
}

bool framework_uses(const struct framework_choice *choice, const char *name)
{
	return find(choice, name, strlen(name)) < choice->count;
}

static void take_away(struct framework_choice *choice, unsigned index)
{
	--choice->count;
	for (unsigned i = index; i < choice->count; ++i)
		choice->names[i] = choice->names[i + 1];
}

/* Returns the member of the options of any file of the chain; NULL: none has it. */
static const struct json *option_find(
	const struct json *const *roots, unsigned count, const char *name, size_t length)
{
	for (unsigned i = 0; i < count; ++i) {
		const struct json *options = json_member(roots[i], "options");
		for (const struct json *option = options ? options->child : NULL; option;
			option = option->next)
			if (strlen(option->key) == length && strncmp(option->key, name, length) == 0)
				return option;
	}
	return NULL;
}

/* Checks the options of all files of the chain, and counts them in *most, from what it is on. */
static bool options_check(
	const struct json *const *roots, unsigned count, size_t *most, struct paradl_error *error)
{
	for (unsigned i = 0; i < count; ++i) {
		const struct json *options = json_member(roots[i], "options");
		if (options && options->kind != JSON_OBJECT)
			return json_error(options, error, "must be an object of options by name");
		*most += options ? options->count : 0;
	}
	return true;
}

/* Makes the list of all options, each once. */
static bool list_known(struct paradl_arena *arena, const struct json *const *roots, unsigned count,
	struct framework_choice *choice, struct paradl_error *error)
{
	size_t most = 1;
	if (!options_check(roots, count, &most, error))
		return false;
	const char **known = arena_alloc(arena, most, sizeof *known);
	if (!known)
		return out_of_memory(error);
	choice->known = known;
	for (unsigned i = count; i-- > 0;) {
		const struct json *options = json_member(roots[i], "options");
		for (const struct json *option = options ? options->child : NULL; option;
			option = option->next)
			if (option_find(roots + i + 1, count - i - 1, option->key, strlen(option->key)) ==
				NULL)
				known[choice->known_count++] = option->key;
	}
	choice->list = "";
	for (unsigned i = 0; choice->list && i < choice->known_count; ++i)
		choice->list = arena_printf(arena, "%s%s%s", choice->list, i ? ", " : "", known[i]);
	return choice->list || out_of_memory(error);
}

static bool refuse(const struct json *root, const struct framework_choice *choice, const char *name,
	size_t length, struct paradl_error *error)
{
	char text[48], quoted[80];
	snprintf(text, sizeof text, "%.*s", (int)length, name);
	error_set(error, PARADL_USAGE, "%s has no option %s%s", json_path(root),
		error_quote(quoted, sizeof quoted, text),
		suggestion_of(text, choice->known, choice->known_count).clause);
	error_hint(error, *choice->list ? "its options: %s" : "it has no options%s", choice->list);
	return false;
}

static bool add(struct framework_choice *choice, const char *name, struct paradl_error *error)
{
	if (framework_uses(choice, name))
		return true;
	if (choice->count == FRAMEWORK_OPTIONS)
		return error_set(
			error, PARADL_USAGE, "more than %d options of a framework", (int)FRAMEWORK_OPTIONS);
	choice->names[choice->count++] = name;
	return true;
}

/* Adds the options that are on by default: "uses" of the nearest file that has it. */
static bool default_choice(const struct json *const *roots, unsigned count, struct framework_choice *choice,
	struct paradl_error *error)
{
	const struct json *uses = NULL;
	for (unsigned i = 0; i < count && !uses; ++i)
		uses = json_member(roots[i], "uses");
	if (uses && uses->kind != JSON_ARRAY)
		return json_error(uses, error, "must be a list of options");
	for (const struct json *name = uses ? uses->child : NULL; name; name = name->next) {
		if (name->kind != JSON_STRING ||
			!option_find(roots, count, name->string, strlen(name->string)))
			return json_error(name, error, "must be the name of an option");
		if (!add(choice, name->string, error))
			return false;
	}
	return true;
}

static bool choose_word(const struct json *const *roots, unsigned count, const char *word, size_t length,
	struct framework_choice *choice, struct paradl_error *error)
{
	const struct json *const option = option_find(roots, count, word, length);
	const size_t skip = strlen(negation);
	if (option)
		return add(choice, option->key, error);
	if (length <= skip || strncmp(word, negation, skip) != 0 ||
		!option_find(roots, count, word + skip, length - skip))
		return refuse(roots[0], choice, word, length, error);
	const unsigned index = find(choice, word + skip, length - skip);
	if (index < choice->count)
		take_away(choice, index);
	return true;
}

/* Returns "NAME+on+no-off", which names the options that differ from the default; NULL: out of memory. */
static const char *name_of(struct paradl_arena *arena, const struct framework_choice *initial,
	const struct framework_choice *choice, const char *name)
{
	for (unsigned i = 0; name && i < choice->count; ++i)
		if (!framework_uses(initial, choice->names[i]))
			name = arena_printf(arena, "%s+%s", name, choice->names[i]);
	for (unsigned i = 0; name && i < initial->count; ++i)
		if (!framework_uses(choice, initial->names[i]))
			name = arena_printf(arena, "%s+%s%s", name, negation, initial->names[i]);
	return name;
}

/* Returns whether any file says what runs the option was compared with. */
static bool is_checked(const struct json *const *roots, unsigned count, const char *name)
{
	bool checked = false;
	for (unsigned i = 0; i < count; ++i) {
		const struct json *options = json_member(roots[i], "options");
		const struct json *option = options ? json_member(options, name) : NULL;
		checked = checked ||
			  (option && (json_member(option, "checked") || json_member(option, "known_error")));
	}
	return checked;
}

static bool is_unchecked(const struct json *const *roots, unsigned count,
	const struct framework_choice *initial, const struct framework_choice *choice)
{
	bool unchecked = false;
	for (unsigned i = 0; i < choice->count; ++i)
		unchecked = unchecked || (!framework_uses(initial, choice->names[i]) &&
						 !is_checked(roots, count, choice->names[i]));
	for (unsigned i = 0; i < initial->count; ++i)
		unchecked = unchecked || !framework_uses(choice, initial->names[i]);
	return unchecked;
}

bool framework_choose(struct paradl_arena *arena, const struct json *const *roots, unsigned count,
	const char *wanted, struct framework_choice *choice, struct paradl_error *error)
{
	struct framework_choice initial = {.count = 0};
	if (!list_known(arena, roots, count, &initial, error) ||
		!default_choice(roots, count, &initial, error))
		return false;
	*choice = initial;
	for (const char *word = wanted; *word;) {
		const size_t length = strcspn(word, "+");
		if (!choose_word(roots, count, word, length, choice, error))
			return false;
		word += length + (word[length] == '+');
	}
	choice->unchecked = is_unchecked(roots, count, &initial, choice);
	choice->suffix = name_of(arena, &initial, choice, "");
	return choice->suffix || out_of_memory(error);
}

/* Reports whether each object of an option has an object to be laid over, or nothing. */
static bool has_place(const struct json *root, const struct json *option)
{
	for (const struct json *member = option->child; member; member = member->next) {
		const struct json *const own = json_member(root, member->key);
		if (own && own->kind != JSON_OBJECT && member->kind == JSON_OBJECT)
			return false;
	}
	return true;
}

const struct json *framework_overlay(struct paradl_arena *arena, const struct json *root,
	const struct framework_choice *choice, struct paradl_error *error)
{
	static const char *const keys[] = {"options", "uses", NULL}, *const summary[] = {"summary", NULL};
	const struct json *const options = json_member(root, "options");
	if (root->kind != JSON_OBJECT)
		return root;
	root = json_without(arena, root, keys);
	for (unsigned i = 0; root && options && i < choice->count; ++i) {
		const struct json *option = json_member(options, choice->names[i]);
		option = option ? json_without(arena, option, summary) : NULL;
		if (option && has_place(root, option)) /* else the reader refuses what is there */
			root = json_overlay(arena, root, option);
	}
	return root ? root : out_of_memory_null(error);
}

bool framework_options_read(const struct json *root, struct paradl_error *error)
{
	static const struct json_field fields[] = {
		{"summary", JSON_TO_TEXT, false, 0, 0, 0, DIMENSION_NONE, NULL}};
	static const char *const keys[] = {
		"known_error", "rules", "checked", "offers", "algorithms", "assumptions", NULL};
	const struct json *const options = json_member(root, "options");
	const char *summary;
	if (options && options->kind != JSON_OBJECT)
		return json_error(options, error, "must be an object of options by name");
	for (const struct json *option = options ? options->child : NULL; option; option = option->next) {
		if (strpbrk(option->key, "+.") || strncmp(option->key, negation, strlen(negation)) == 0)
			return json_error(option, error,
				"the name of an option has no \"+\" or \".\" and does not begin with \"%s\"",
				negation);
		if (!json_read(option, fields, 1, keys, &summary, error))
			return false;
	}
	return true;
}

bool framework_rename(
	struct paradl_arena *arena, struct paradl_framework *framework, struct paradl_error *error)
{
	const char **const names[] = {&framework->name, &framework->steps};
	for (size_t i = 0; *framework->choice.suffix && i < sizeof names / sizeof *names; ++i) {
		if (*names[i] &&
			!(*names[i] = arena_printf(arena, "%s%s", *names[i], framework->choice.suffix)))
			return out_of_memory(error);
	}
	return true;
}
