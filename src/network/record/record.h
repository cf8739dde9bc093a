/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a schedule says, step by step, for code that prints it, simulates it or writes it to a file. */
#ifndef NETWORK_RECORD_RECORD_H
#define NETWORK_RECORD_RECORD_H

#include "network/algorithm/messages.h"
#include "network/machine_network.h"

/*
 * A listener that gathers what a schedule says about each step. (The compiler, compile.c, has a listener of its own,
 * which adds up loads and keeps no messages.)
 */
struct recorder {
	struct schedule schedule; /* first: the listener's functions get its address */
	const char *phase;
	unsigned depth;    /* number of forks around the next step */
	bool open, forked; /* a step has begun; there was a fork */
	struct recorded_step {
		const char *phase;
		double repeat, reduce_share, memory_share, wait_s;
		unsigned depth, ring;
	} step;
	void (*message)(struct recorder *recorder, unsigned from, unsigned to, double share);
	void (*all_pairs)(struct recorder *recorder, double share);
	void (*end)(struct recorder *recorder); /* called when `step` is complete */
};

extern const struct schedule_listener recorder_listener;
/* Closes the last step. */
void recorder_end(struct recorder *recorder);

/* ---- messages of a run -------------------------------------------------------------------------------- */

/* A collective as it is about to run: the arguments of compile(). */
struct run_of {
	const struct group *group;
	const struct communicator *comm;
	const struct collective *collective;
	unsigned variant;
	double bytes;
};

/* One message between two devices. */
struct message {
	unsigned from, to;
	double bytes;
};

/* One step of a collective, as it is passed to a step_function: its messages, and how many times it repeats. */
struct step_messages {
	const struct message *messages;
	size_t count;
	double repeat;
	/* `ring` is that of messages.h. Each message comes in `copies` entries, one of each copy of the group. */
	unsigned ring, copies;
	double reduce_s, wait_s; /* of a device that receives the most; of every device with a message */
};
typedef bool step_function(void *context, const struct step_messages *step);

/*
 * Gives each step in turn, of at most `most` messages, to a function, with the messages of all groups that run at
 * the same time. False: a step is too large, the schedule is not a sequence, the function returned false, or out of
 * memory.
 */
bool steps_emit(struct paradl_arena *arena, const struct network *network, const struct run_of *run,
	size_t most, step_function *function, void *context, struct paradl_error *error);

/* ---- files of SimGrid --------------------------------------------------------------------------------- */

/*
 * Files in which SimGrid (3.32) reads a network and its collectives: a platform with our routes, and the messages of
 * a schedule as a trace that smpirun replays. Process p of a trace runs on device p, so the two need no list of
 * hosts between them.
 */
enum {
	EXPORT_DEVICES_MAX = 16384,
	EXPORT_ROUTES_MAX = 1 << 20, /* a file of some 200 MB */
	EXPORT_MESSAGES_MAX = 1 << 22
};

/* Text that is passed to the caller's function in pieces; once that returned false, nothing more is written. */
struct sink {
	bool (*write)(void *context, const char *text, size_t length);
	void *context;
	size_t used;
	bool failed;
	char text[8192];
};
void sink_format(struct sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes the rest of the text; false when the function ever returned false. */
bool sink_end(struct sink *sink, struct paradl_error *error);

/*
 * Refuses networks that are too large for any of the files; called before the algorithm is sought, which may take
 * long.
 */
bool export_fits(const struct network *network, struct paradl_error *error);

/*
 * Writes the platform: one zone with a route for each pair of devices, or only for the pairs between which the
 * collective `only` sends (NULL: all). Links are as the graph has them. The start-up and the rate limit that a route
 * has in addition to those of its links are a link of that route, which flows do not share.
 */
bool export_platform(struct paradl_arena *arena, const struct network *network, const char *title,
	const struct run_of *only, struct sink *sink, struct paradl_error *error);
/* Returns how many processes a trace has: one more than the last device that takes part; 0: out of memory. */
unsigned export_processes(struct paradl_arena *arena, const struct run_of *run);
/* Writes the trace: irecv, isend and waitall of each rank and step, and combining as compute. Bytes are rounded. */
bool export_trace(struct paradl_arena *arena, const struct network *network, const struct run_of *run,
	struct sink *sink, struct paradl_error *error);

#endif
