/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/mpi/mpi_crew.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct parcel *parcel_create(int peer, enum wire_kind kind, size_t bytes)
{
	struct parcel *const parcel = bytes < INT_MAX ? malloc(sizeof *parcel) : NULL;
	char *const data = parcel ? calloc(bytes + 1, 1) : NULL;
	if (!data) {
		free(parcel);
		return NULL;
	}
	*parcel = (struct parcel){
		.peer = peer, .kind = kind, .bytes = bytes, .request = MPI_REQUEST_NULL, .data = data};
	return parcel;
}

void parcel_free(struct parcel *parcel)
{
	if (parcel)
		free(parcel->data);
	free(parcel);
}

/* Reports whether a request has ended; one that failed has, too, and sets *failed. */
static bool is_over(struct parcel *parcel, bool *failed)
{
	int done = 0;
	*failed = MPI_Test(&parcel->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
	return done || *failed;
}

static void sweep(struct wire *wire)
{
	struct parcel **link = &wire->going;
	bool failed;
	while (*link) {
		struct parcel *const parcel = *link;
		if (is_over(parcel, &failed)) {
			*link = parcel->next;
			parcel_free(parcel);
		} else {
			link = &parcel->next;
		}
	}
}

/* Requests end in sweep() and wire_receive(), if ever. NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker) */

bool wire_send(struct wire *wire, int peer, enum wire_kind kind, const void *data, size_t bytes)
{
	struct parcel *const parcel = parcel_create(peer, kind, bytes);
	if (!parcel)
		return false;
	if (bytes > 0)
		memcpy(parcel->data, data, bytes);
	if (MPI_Isend(parcel->data, (int)bytes, MPI_BYTE, peer, (int)kind, MPI_COMM_WORLD,
		    &parcel->request) != MPI_SUCCESS) {
		parcel_free(parcel);
		return true; /* a peer that is gone is lost for its silence */
	}
	parcel->next = wire->going;
	wire->going = parcel;
	return true;
}

/* NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker) */

bool wire_sent(struct wire *wire, int peer)
{
	sweep(wire);
	for (const struct parcel *parcel = wire->going; parcel; parcel = parcel->next)
		if (parcel->peer == peer)
			return false;
	return true;
}

/* Begins to receive the next announced message. False: there is none, or memory ran out. */
static bool begin_next(struct wire *wire)
{
	MPI_Message message;
	MPI_Status status;
	int found = 0, bytes = 0;
	if (MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message, &status) !=
			MPI_SUCCESS ||
		!found)
		return false;
	MPI_Get_count(&status, MPI_BYTE, &bytes);
	struct parcel *const parcel =
		parcel_create(status.MPI_SOURCE, (enum wire_kind)status.MPI_TAG, (size_t)bytes);
	if (!parcel)
		return false;
	if (MPI_Imrecv(parcel->data, bytes, MPI_BYTE, &message, &parcel->request) != MPI_SUCCESS)
		parcel->kind = WIRE_BROKEN;
	struct parcel **link = &wire->coming;
	while (*link)
		link = &(*link)->next;
	*link = parcel;
	return true;
}

struct parcel *wire_receive(struct wire *wire)
{
	sweep(wire);
	while (begin_next(wire))
		;
	for (struct parcel **link = &wire->coming; *link; link = &(*link)->next) {
		struct parcel *const parcel = *link;
		bool failed;
		if (!is_over(parcel, &failed))
			continue;
		if (failed)
			parcel->kind = WIRE_BROKEN;
		*link = parcel->next;
		return parcel;
	}
	return NULL;
}
