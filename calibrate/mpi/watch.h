/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nobody waits for ever: a thread of each rank ends the job when nothing has moved for a while, because a peer hangs or was
 * stopped. Rank 0 first writes down that the point failed. Time that this process itself was stopped does not count.
 */
#ifndef CALIBRATE_MPI_WATCH_H
#define CALIBRATE_MPI_WATCH_H

#include "bench.h"

/* False: there is no thread. `rank` waits longer than rank 0, which is to speak. */
bool watch_begin(unsigned rank, double patience_s);
void watch_point(const struct run *run); /* this is being measured */
void watch_progress(void);               /* something moved */
void watch_end(void);

#endif
