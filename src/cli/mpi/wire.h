/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages between the processes of a team, none of which waits for another: a process that was killed or stopped leaves
 * requests that never complete, and those are left alone. Of all calls only one may run at a time.
 */
#ifndef CLI_MPI_WIRE_H
#define CLI_MPI_WIRE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum wire_kind {
	WIRE_BEAT,     /* its sender is there */
	WIRE_FINDINGS, /* of a member, of one round: its number (unsigned long long), bytes */
	WIRE_ROUND,    /* the findings of all: the same */
	WIRE_LEFT,     /* its sender does no more work: why, as text; "": it is done */
	WIRE_END,      /* the first process has its answer: there are no more rounds */
	WIRE_CLOSE,    /* all have left: a byte, whether some are silent and the job is to be aborted */
	WIRE_BROKEN    /* no message: one could not be received */
};

struct parcel {
	struct parcel *next;
	int peer; /* where it is from or goes to */
	enum wire_kind kind;
	size_t bytes;
	MPI_Request request;
	char *data; /* followed by a zero byte */
};

struct wire {
	struct parcel *coming, *going;
};

struct parcel *parcel_create(int peer, enum wire_kind kind, size_t bytes); /* NULL: as below */
void parcel_free(struct parcel *parcel);
/* False: it cannot be sent, for want of memory or as it is too long. */
bool wire_send(struct wire *wire, int peer, enum wire_kind kind, const void *data, size_t bytes);
/* A message that has arrived, which is the caller's to free; NULL: there is none. */
struct parcel *wire_receive(struct wire *wire);
/* Whether all is sent that was for this peer. */
bool wire_sent(struct wire *wire, int peer);

#endif
