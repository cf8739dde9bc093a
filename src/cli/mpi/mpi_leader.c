/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leader, rank 0: it decides who is lost, joins the findings of a round and closes the team. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/mpi/mpi_crew.h"

static void keep_findings(struct crew *crew, struct peer *peer, struct parcel *parcel)
{
	unsigned long long number = 0;
	if (parcel->bytes >= sizeof number)
		memcpy(&number, parcel->data, sizeof number);
	if (parcel->bytes < sizeof number || number != crew->round || peer->lost || peer->findings)
		parcel_free(parcel);
	else
		peer->findings = parcel;
}

void leader_take(struct crew *crew, struct parcel *parcel)
{
	struct peer *const peer = &crew->peers[parcel->peer];
	peer->heard_s = crew->clock_s;
	if (parcel->kind == WIRE_FINDINGS) {
		keep_findings(crew, peer, parcel);
		return;
	}
	peer->left = peer->left || parcel->kind == WIRE_LEFT;
	peer->broken = peer->broken || parcel->kind == WIRE_BROKEN;
	if (parcel->kind == WIRE_LEFT)
		snprintf(peer->reason, sizeof peer->reason, "%s", parcel->data);
	parcel_free(parcel);
}

static const char *why_lost(const struct crew *crew, const struct peer *peer)
{
	if (peer->left)
		return *peer->reason ? peer->reason : "it ended before the others";
	if (peer->broken)
		return "a message of it could not be received";
	return crew_silent(crew, peer) ? "nothing was heard of it" : NULL;
}

static void lose(struct crew *crew, unsigned rank, const char *why)
{
	struct peer *const peer = &crew->peers[rank];
	char name[CREW_NAME_BYTES];
	fprintf(crew->complaints, "paradl-mpi: %s was lost: %s; its part is done again\n",
		crew_name(crew, rank, name), why);
	peer->lost = true;
	parcel_free(peer->findings);
	peer->findings = NULL;
}

/*
 * Reports whether every member has given its findings or is lost, and loses those that can give none. A member that
 * has given its findings may leave: that round may have been the last.
 */
static bool everyone_offers(struct crew *crew)
{
	bool complete = true;
	for (unsigned rank = 1; rank < crew->size; rank++) {
		const struct peer *const peer = &crew->peers[rank];
		const char *const why = peer->lost || peer->findings ? NULL : why_lost(crew, peer);
		if (why)
			lose(crew, rank, why);
		complete = complete && (peer->lost || peer->findings);
	}
	return complete;
}

/*
 * Joins the findings of all by rank, so that all have the same in whatever order they came. NULL: memory ran
 * out, or they are too long.
 */
static struct parcel *combine(struct crew *crew)
{
	const size_t head = sizeof crew->round;
	size_t bytes = head + crew->mine_bytes;
	for (unsigned rank = 1; rank < crew->size; rank++)
		if (crew->peers[rank].findings)
			bytes += crew->peers[rank].findings->bytes - head;
	struct parcel *const all = parcel_create(0, WIRE_ROUND, bytes);
	if (!all)
		return NULL;
	memcpy(all->data, &crew->round, head);
	if (crew->mine_bytes > 0)
		memcpy(all->data + head, crew->mine, crew->mine_bytes);
	size_t place = head + crew->mine_bytes;
	for (unsigned rank = 1; rank < crew->size; rank++) {
		struct peer *const peer = &crew->peers[rank];
		if (!peer->findings)
			continue;
		memcpy(all->data + place, peer->findings->data + head, peer->findings->bytes - head);
		place += peer->findings->bytes - head;
		parcel_free(peer->findings);
		peer->findings = NULL;
	}
	return all;
}

static void finish_round(struct crew *crew)
{
	parcel_free(crew->all);
	crew->all = combine(crew);
	bool sent = crew->all != NULL;
	for (unsigned rank = 1; sent && rank < crew->size; rank++)
		if (!crew->peers[rank].lost)
			sent = wire_send(
				&crew->wire, (int)rank, WIRE_ROUND, crew->all->data, crew->all->bytes);
	crew->failed = !sent;
	crew->round++;
	crew_turn(crew, CREW_WORKS);
}

static void send_everyone(struct crew *crew, enum wire_kind kind, const void *data, size_t bytes)
{
	for (unsigned rank = 1; rank < crew->size; rank++)
		wire_send(&crew->wire, (int)rank, kind, data, bytes);
}

/* Reports whether each member has left or is silent. */
static bool everyone_left(struct crew *crew)
{
	bool all = true;
	for (unsigned rank = 1; rank < crew->size; rank++)
		all = all && (crew->peers[rank].left || crew_silent(crew, &crew->peers[rank]));
	return all;
}

static bool everyone_told(struct crew *crew)
{
	bool all = true;
	for (unsigned rank = 1; rank < crew->size; rank++)
		all = all && (crew_silent(crew, &crew->peers[rank]) || wire_sent(&crew->wire, (int)rank));
	return all;
}

static void come_to_end(struct crew *crew)
{
	if (!crew->told)
		send_everyone(crew, WIRE_END, NULL, 0);
	crew->told = true;
	if (!crew->closed && everyone_left(crew)) {
		for (unsigned rank = 1; rank < crew->size; rank++)
			crew->aborts = crew->aborts || !crew->peers[rank].left;
		const char aborts = crew->aborts ? 1 : 0;
		send_everyone(crew, WIRE_CLOSE, &aborts, sizeof aborts);
		crew->closed = true;
	}
	if (crew->closed && everyone_told(crew))
		crew_turn(crew, CREW_OVER);
}

void leader_act(struct crew *crew)
{
	if (crew->state == CREW_OFFERS && everyone_offers(crew))
		finish_round(crew);
	if (crew->state == CREW_LEAVES)
		come_to_end(crew);
}
