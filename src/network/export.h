/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network and its collectives as SimGrid reads them (3.32): a platform with our routes, and the messages of a schedule as
 * a trace that smpirun replays. Process p of a trace runs on device p, so the two need no list of hosts between them.
 */
#ifndef NETWORK_EXPORT_H
#define NETWORK_EXPORT_H

#include "network/network.h"

/* A collective as it is about to run: what compile() takes. */
struct run_of {
	const struct group *group;
	const struct party *party;
	const struct collective *collective;
	unsigned variant;
	double bytes;
};

/* Text for the caller's function, in pieces; once it returned false, nothing more is written. */
struct sink {
	bool (*write)(void *context, const char *text, size_t length);
	void *context;
	size_t used;
	bool failed;
	char text[8192];
};
void sink_format(struct sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What is left; false when the function ever returned false. */
bool sink_end(struct sink *sink, struct paradl_error *error);

enum {
	EXPORT_DEVICES_MAX = 16384,
	EXPORT_ROUTES_MAX = 1 << 20, /* some 200 MB of file */
	EXPORT_MESSAGES_MAX = 1 << 22
};

/* One message between two devices. */
struct message {
	unsigned from, to;
	double bytes;
};

/* What is called for the steps of a collective, in turn; `repeat` times over. */
struct step_messages {
	const struct message *messages;
	size_t count;
	double repeat;
	unsigned ring, copies; /* as schedule.h; a message of each copy of the group, then the next message */
	double reduce_s, wait_s; /* of a device that receives the most; of every device with a message */
};
typedef bool step_function(void *context, const struct step_messages *step);

/* Refuses networks that are too large for any of the files; asked before the algorithm is sought, which may take long. */
bool export_fits(const struct network *network, struct paradl_error *error);
/* Tells the steps, of at most `most` messages, with those of all groups that run at the same time. False: too large, or not a sequence. */
bool steps_tell(struct paradl_arena *arena, const struct network *network, const struct run_of *run,
	size_t most, step_function *function, void *context, struct paradl_error *error);

/*
 * The platform: one zone with a route for each pair of devices, or for those only between which the collective `only`
 * sends (NULL: all). Links are as the graph has them; what a route's start-up and rate have beside those of its links is a
 * link of that route which flows do not share.
 */
bool export_platform(struct paradl_arena *arena, const struct network *network, const char *title,
	const struct run_of *only, struct sink *sink, struct paradl_error *error);
/* How many a trace has: one more than the last device that takes part; 0: out of memory. */
unsigned export_processes(struct paradl_arena *arena, const struct run_of *run);
/* The trace: irecv, isend, waitall of each rank and step; combining as compute. Bytes are rounded. */
bool export_trace(struct paradl_arena *arena, const struct network *network, const struct run_of *run,
	struct sink *sink, struct paradl_error *error);

#endif
