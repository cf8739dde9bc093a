/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of benchmarks: what is accepted has sizes and times that are positive and finite. */
#include <math.h>
#include <unistd.h>

#include "fuzz.h"
#include "input.h"
#include "paradl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_timings timings;
	struct paradl_error error;
	char path[64];

	REQUIRE(arena != NULL);
	snprintf(path, sizeof path, "/tmp/paradl-fuzz-timings-%ld.txt", (long)getpid());
	input_write(path, data, size);
	for (unsigned i = 0; i < PARADL_OPERATION_COUNT; i++) {
		if (!paradl_timings_load(arena, path, (enum paradl_operation)i, 8, &timings, &error))
			continue;
		REQUIRE(timings.count > 0);
		for (size_t j = 0; j < timings.count; j++)
			REQUIRE(timings.items[j].bytes > 0 && isfinite(timings.items[j].bytes) &&
				timings.items[j].time_s > 0 && isfinite(timings.items[j].time_s));
	}
	remove(path);
	paradl_arena_free(arena);
	return 0;
}
