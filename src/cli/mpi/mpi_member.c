/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A member, any process but the first: it speaks to the leader alone. */
#include <stdlib.h>
#include <string.h>

#include "cli/mpi/mpi_crew.h"

static bool take_round(struct crew *crew, struct parcel *parcel)
{
	if (crew->state != CREW_OFFERS || parcel->bytes < sizeof crew->round ||
		memcmp(parcel->data, &crew->round, sizeof crew->round) != 0)
		return false;
	parcel_free(crew->all);
	crew->all = parcel;
	crew->round++;
	crew_turn(crew, CREW_WORKS);
	return true;
}

void member_take(struct crew *crew, struct parcel *parcel)
{
	crew->peers[parcel->peer].heard_s = crew->clock_s;
	if (parcel->kind == WIRE_ROUND && take_round(crew, parcel))
		return;
	crew->failed = crew->failed || parcel->kind == WIRE_END || parcel->kind == WIRE_BROKEN;
	if (parcel->kind == WIRE_CLOSE) {
		crew->aborts = parcel->data[0];
		crew->closed = true;
	}
	parcel_free(parcel);
}

static bool send_findings(struct crew *crew)
{
	const size_t head = sizeof crew->round;
	char *const data = malloc(head + crew->mine_bytes);
	if (!data)
		return false;
	memcpy(data, &crew->round, head);
	if (crew->mine_bytes > 0)
		memcpy(data + head, crew->mine, crew->mine_bytes);
	const bool sent = wire_send(&crew->wire, 0, WIRE_FINDINGS, data, head + crew->mine_bytes);
	free(data);
	return sent;
}

void member_act(struct crew *crew)
{
	crew->stranded = crew->stranded || (!crew->closed && crew_silent(crew, &crew->peers[0]));
	crew->failed = crew->failed || crew->stranded;
	if (crew->state == CREW_OFFERS && !crew->told) {
		crew->failed = crew->failed || !send_findings(crew);
		crew->told = true;
	}
	if (crew->state == CREW_OFFERS && crew->failed)
		crew_turn(crew, CREW_WORKS);
	if (crew->state != CREW_LEAVES)
		return;
	if (!crew->told && !crew->stranded)
		wire_send(&crew->wire, 0, WIRE_LEFT, crew->reason, strlen(crew->reason));
	crew->told = true;
	if (crew->stranded || crew->closed)
		crew_turn(crew, CREW_OVER);
}
