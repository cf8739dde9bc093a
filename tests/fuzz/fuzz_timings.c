/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of benchmarks: what is accepted has sizes and times that are positive and finite. */
#include <math.h>

#include "fuzz.h"
#include "paradl/network.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_timings timings;
	struct paradl_error error;
	const struct paradl_source source = {
		.path = "timings.txt", .text = size ? (const char *)data : "", .length = size};

	REQUIRE(arena != NULL);
	for (unsigned i = 0; i < PARADL_OPERATION_COUNT; i++) {
		if (!paradl_timings_load(arena, &source, (enum paradl_operation)i, 8, &timings, &error))
			continue;
		REQUIRE(timings.count > 0);
		for (size_t j = 0; j < timings.count; j++)
			REQUIRE(timings.items[j].bytes > 0 && isfinite(timings.items[j].bytes) &&
				timings.items[j].time_s > 0 && isfinite(timings.items[j].time_s));
	}
	paradl_arena_free(arena);
	return 0;
}
