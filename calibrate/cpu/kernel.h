/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all benches of this program do alike: memory is asked for before it is taken, the first result is checked, and
 * companions keep the other cores as busy as the point wants ("busy": processes that do the same at the same time).
 */
#ifndef CALIBRATE_KERNEL_H
#define CALIBRATE_KERNEL_H

#include "bench.h"

struct kernel {
	double (*bytes)(const struct point *point); /* of memory that create() takes */
	bool (*create)(struct run *run);            /* run->state; false: out of memory */
	void (*once)(struct run *run);
	bool (*right)(struct run
			*run); /* after one call on fresh arrays, against a reference; NULL: nothing to see */
	void (*free)(struct run *run); /* also after a create() that failed */
};

enum ready kernel_prepare(struct run *run, const struct kernel *kernel);
double kernel_sample(struct run *run, const struct kernel *kernel, unsigned long long calls);
void kernel_release(struct run *run, const struct kernel *kernel);

/*
 * Next of the busy levels that a point is measured at: all cores, and alone where that says more. Start with 0; 0: that
 * was all.
 */
unsigned busy_next(unsigned busy, bool also_alone);

/* A point of that name is listed. */
bool points_has(const struct points *points, const char *name);

/* The three functions that a bench needs, of `static const struct kernel kernel`. */
#define KERNEL_FUNCTIONS                                                                                     \
	static enum ready prepare(struct run *run)                                                           \
	{                                                                                                    \
		return kernel_prepare(run, &kernel);                                                         \
	}                                                                                                    \
	static double sample(struct run *run, unsigned long long calls)                                      \
	{                                                                                                    \
		return kernel_sample(run, &kernel, calls);                                                   \
	}                                                                                                    \
	static void release(struct run *run)                                                                 \
	{                                                                                                    \
		kernel_release(run, &kernel);                                                                \
	}

#endif
