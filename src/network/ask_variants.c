/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variants that a request names: "hierarchical:leaders=4:doubling" names those whose description has both words. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "network/ask.h"

enum { TEXT_BYTES = 96, LISTED_MOST = 8 };

/* Returns whether a description, "leaders=4, doubling", has this word. */
static bool has_word(const char *text, const char *word, size_t length)
{
	for (text += strspn(text, ", "); *text; text += strspn(text, ", ")) {
		const size_t here = strcspn(text, ", ");
		if (here == length && memcmp(text, word, length) == 0)
			return true;
		text += here;
	}
	return false;
}

/* Returns whether a description has all words of an item "NAME:WORD:WORD". */
static bool has_words(const char *text, const char *item)
{
	for (item += strcspn(item, ":,"); *item == ':'; item += strcspn(item, ":,")) {
		++item;
		if (!has_word(text, item, strcspn(item, ":,")))
			return false;
	}
	return true;
}

static void describe(const struct candidate *candidate, const struct communicator *comm, char *text)
{
	const struct collective *const collective = collectives[candidate->algorithm];
	*text = '\0';
	if (collective->describe)
		collective->describe(comm, candidate->variant, text, TEXT_BYTES);
}

static bool item_keeps(const char *item, const struct candidate *candidate, const struct communicator *comm)
{
	char text[TEXT_BYTES];
	if (!ask_is_named(collectives[candidate->algorithm], item, strcspn(item, ":,")))
		return false;
	describe(candidate, comm, text);
	return has_words(text, item);
}

/* Reports that no variant has these words, with a hint that lists some that exist; returns false. */
static bool variant_unknown(const char *item, const struct choice *choice, const struct communicator *comm,
	struct paradl_error *error)
{
	char list[LISTED_MOST * TEXT_BYTES] = "", text[TEXT_BYTES], quoted[TEXT_BYTES];
	unsigned listed = 0;
	for (unsigned i = 0; i < choice->count && listed < LISTED_MOST; ++i) {
		if (!ask_is_named(collectives[choice->candidates[i].algorithm], item, strcspn(item, ":,")))
			continue;
		describe(&choice->candidates[i], comm, text);
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", listed++ ? "; " : "", text);
	}
	snprintf(text, sizeof text, "%.*s", (int)strcspn(item, ","), item);
	error_set(
		error, PARADL_INFEASIBLE, "no variant here is %s", error_quote(quoted, sizeof quoted, text));
	if (*list)
		error_hint(error, "there are %s%s", list, listed == LISTED_MOST ? "; ..." : "");
	return false;
}

bool ask_variants(const struct paradl_collective_request *request, const struct communicator *comm,
	struct choice *choice, struct paradl_error *error)
{
	const char *const list = request->algorithms;
	unsigned kept = 0;
	if (!list || !strchr(list, ':'))
		return true;
	for (const char *item = list; *item; item += strcspn(item, ","), item += *item == ',') {
		bool found = false;
		for (unsigned i = 0; i < choice->count && !found; ++i)
			found = item_keeps(item, &choice->candidates[i], comm);
		if (!found && choice->count)
			return variant_unknown(item, choice, comm, error);
	}
	for (unsigned i = 0; i < choice->count; ++i) {
		bool keeps = false;
		for (const char *item = list; *item; item += strcspn(item, ","), item += *item == ',')
			keeps = keeps || item_keeps(item, &choice->candidates[i], comm);
		if (keeps)
			choice->candidates[kept++] = choice->candidates[i];
	}
	choice->count = kept;
	return true;
}
