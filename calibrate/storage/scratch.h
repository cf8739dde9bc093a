/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one place where this program writes: DIR/paradl-scratch-PID, made when a point first needs it and removed with all that
 * is in it when the program ends, however it ends. A process of its own sees to the latter: it waits for the end of this one.
 */
#ifndef CALIBRATE_SCRATCH_H
#define CALIBRATE_SCRATCH_H

#include "bench.h"

enum { PATH_LENGTH = 4096 };

/* Where, and how many bytes at most at one time. Writes nothing. The text outlives the program. */
void scratch_set(const char *directory, double limit_bytes);

/*
 * Makes the directory if it is not there yet, and looks whether `bytes` more are within the limit and half of the free space.
 * ABSENT or FAILED with a reason otherwise. What was taken is given back by scratch_give.
 */
enum ready scratch_take(struct run *run, double bytes);
void scratch_give(double bytes);

/* The path of a file in it. */
void scratch_path(char path[PATH_LENGTH], const char *name, unsigned number);

/* All of it; nothing happens when there is none. */
void scratch_remove(void);

#endif
