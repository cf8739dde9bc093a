/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that do the same as this one, over and over, so that a core is measured while the others are busy too. They
 * have arrays of their own, and end with this process, however it ends.
 */
#ifndef CALIBRATE_COMPANIONS_H
#define CALIBRATE_COMPANIONS_H

#include "kernel.h"

/* Starts `count` of them and waits until each has run its kernel once. False: run->reason says why; none is left. */
bool companions_start(struct run *run, const struct kernel *kernel, unsigned count);
/* All are still there; otherwise what was measured is not what it says. */
bool companions_alive(void);
void companions_stop(void);

#endif
