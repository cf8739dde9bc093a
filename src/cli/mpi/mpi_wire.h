/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages between the processes of a team. No process waits for another: one that was killed or stopped leaves
 * requests that never complete, and those are left alone. Only one of all these calls may run at a time.
 */
#ifndef CLI_MPI_MPI_WIRE_H
#define CLI_MPI_MPI_WIRE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum wire_kind {
	WIRE_BEAT,     /* the sender is there */
	WIRE_FINDINGS, /* a member's findings: the round's number (unsigned long long), then bytes */
	WIRE_ROUND,    /* the findings of all, in the same form */
	WIRE_LEFT,     /* the sender does no more work: the reason as text; "": it is done */
	WIRE_END,      /* the first process has its answer: there are no more rounds */
	WIRE_CLOSE,    /* all have left: a byte says whether some are silent and the job is to be aborted */
	WIRE_BROKEN    /* no message: mark of one that could not be received */
};

struct parcel {
	struct parcel *next;
	int peer; /* rank that it is from or goes to */
	enum wire_kind kind;
	size_t bytes;
	MPI_Request request;
	char *data; /* followed by a zero byte */
};

struct wire {
	struct parcel *coming, *going;
};

/* Returns a parcel with zeroed data. NULL: memory ran out, or it is too long. */
struct parcel *parcel_create(int peer, enum wire_kind kind, size_t bytes);
void parcel_free(struct parcel *parcel);
/* Sends a message without waiting. False: it cannot be sent, for want of memory or because it is too long. */
bool wire_send(struct wire *wire, int peer, enum wire_kind kind, const void *data, size_t bytes);
/* Returns a message that has arrived, which is the caller's to free; NULL: there is none. */
struct parcel *wire_receive(struct wire *wire);
/* Reports whether all messages to this peer have been sent. */
bool wire_sent(struct wire *wire, int peer);

#endif
