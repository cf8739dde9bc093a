/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what --set and --seq change in files before a question is asked. */
#include <string.h>

#include "cli/command.h"
#include "cli/question.h"

/* Reads the first changes. */
static bool read_changes(struct session *session, size_t count, const struct paradl_changes **changes)
{
	*changes = NULL;
	if (count > 0)
		*changes = paradl_changes_parse(
			session->arena, session->arguments.set.items, count, &session->error);
	return count == 0 || *changes;
}

bool question_changes(struct session *session, const struct paradl_changes **changes)
{
	return read_changes(session, session->arguments.set.count, changes);
}

bool question_sequence(struct session *session, const struct paradl_changes **changes)
{
	return read_changes(session, session->arguments.seq > 0, changes);
}

bool question_network_changes(
	struct session *session, struct option_texts *set, const struct paradl_changes **changes)
{
	const struct option_texts *const all = &session->arguments.set;
	for (size_t i = 0; i < all->count; i++)
		if (strncmp(all->items[i], "model.", strlen("model.")) == 0)
			set->items[set->count++] = all->items[i];
	*changes = set->count ? paradl_changes_parse(session->arena, set->items, set->count, &session->error)
			      : NULL;
	return *changes || !set->count;
}

bool question_assume_changes(struct session *session, struct report_head *head)
{
	const struct option_texts *const set = &session->arguments.set;
	bool ok = true;
	for (size_t i = 0; ok && i < set->count; i++)
		ok = question_assume(
			session, head, arena_printf(session->arena, "changed: %s", set->items[i]));
	return ok;
}
