/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processes of a team check here that they have read the same files. Files of the same name may differ from host
 * to host; the processes would then search in different spaces.
 */
#include "cli/session.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/question.h"

struct roll {
	unsigned rank;
	char host[64];
	char digests[REPORT_INPUTS_MAX][sizeof((struct report_input *)0)->sha256];
};

static struct roll roll_of(unsigned rank, const struct report_head *head)
{
	struct roll roll;
	memset(&roll, 0, sizeof roll);
	roll.rank = rank;
	gethostname(roll.host, sizeof roll.host - 1);
	for (size_t i = 0; i < head->input_count; i++)
		memcpy(roll.digests[i], head->inputs[i].sha256, sizeof roll.digests[i]);
	return roll;
}

bool team_agrees(struct session *session, struct report_head *head)
{
	const struct paradl_team *const team = session->team ? &session->team->members : NULL;
	struct roll first, other;
	const void *all;
	size_t bytes;
	if (!team)
		return true;
	if (!question_digests(session, head))
		return false;
	const struct roll mine = roll_of(team->rank, head);
	if (!team->exchange(team->context, &mine, sizeof mine, &all, &bytes) || bytes < sizeof first)
		return error_set(&session->error, PARADL_NO_MEMORY, "the first process has given up");
	memcpy(&first, all, sizeof first);
	for (size_t place = sizeof first; place + sizeof other <= bytes; place += sizeof other) {
		memcpy(&other, (const char *)all + place, sizeof other);
		for (size_t i = 0; i < head->input_count; i++)
			if (strcmp(first.digests[i], other.digests[i]) != 0)
				return error_at(&session->error, PARADL_IO, head->inputs[i].path, 0, 0,
					"rank %u (%s) has another file of this name than rank 0 (%s)",
					other.rank, other.host, first.host);
	}
	return true;
}
