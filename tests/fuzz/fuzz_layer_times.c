/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured layer times: whatever is accepted, estimates with them are finite. */
#include "estimates.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *arena = paradl_arena_create();

	REQUIRE(arena != NULL);
	estimates_begin(arena);
	const char *path = estimates_path(arena, "times.json");
	const struct paradl_options options = {.layer_times = path},
				    ideal = {.layer_times = path, .ideal = true};

	input_write(path, data, size);
	estimates_lint(arena, path);
	estimates_run(arena, &options);
	estimates_run(arena, &ideal);
	remove(path);
	paradl_arena_free(arena);
	return 0;
}
