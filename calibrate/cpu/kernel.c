/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernel.h"

#include <string.h>

#include "companions.h"
#include "host.h"

/* Of what is available; the rest is for the library's buffers and for others. */
static const double share_of_memory = 0.8;

unsigned busy_next(unsigned busy, bool also_alone)
{
	unsigned cores = host_cores();
	if (busy == 0)
		return cores;
	return busy > 1 && also_alone ? 1 : 0;
}

bool points_has(const struct points *points, const char *name)
{
	for (size_t i = 0; i < points->count; i++)
		if (strcmp(points->items[i].name, name) == 0)
			return true;
	return false;
}

enum ready kernel_prepare(struct run *run, const struct kernel *kernel)
{
	unsigned busy = (unsigned)point_get(run->point, "busy");
	double needed = kernel->bytes(run->point) * busy, available = host_available_bytes();
	if (available > 0 && needed > available * share_of_memory)
		return run_say(run, ABSENT,
			"it needs %.1f GB of memory in %u process%s, %.1f GB are available", needed / 1e9,
			busy, busy > 1 ? "es" : "", available / 1e9);
	if (busy > 1 && !companions_start(run, kernel, busy - 1))
		return FAILED;
	if (!kernel->create(run))
		return run_say(run, FAILED, "out of memory for %.1f GB", needed / busy / 1e9);
	kernel->once(run);
	if (kernel->right && !kernel->right(run))
		return run_say(run, FAILED, "the result is wrong");
	return READY;
}

double kernel_sample(struct run *run, const struct kernel *kernel, unsigned long long calls)
{
	double start = clock_s(), seconds;
	for (unsigned long long call = 0; call < calls; call++)
		kernel->once(run);
	seconds = clock_s() - start;
	if (!companions_alive()) {
		run_say(run, FAILED, "a companion process ended while this was measured");
		return -1;
	}
	return seconds;
}

void kernel_release(struct run *run, const struct kernel *kernel)
{
	companions_stop();
	if (run->state)
		kernel->free(run);
}
