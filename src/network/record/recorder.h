/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A listener that gathers what a schedule says about each step, for code that prints it, simulates it or writes it
 * to a file. (The compiler, compile.c, has a listener of its own, which adds up loads and keeps no messages.)
 */
#ifndef NETWORK_RECORD_RECORDER_H
#define NETWORK_RECORD_RECORDER_H

#include "network/algorithm/messages.h"

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

#endif
