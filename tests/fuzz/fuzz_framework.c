/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frameworks: whatever is accepted, estimates under it are finite. */
#include "estimates.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct paradl_options options = {.ideal = false};
	struct paradl_arena *arena = paradl_arena_create();

	REQUIRE(arena != NULL);
	estimates_begin(arena);
	const char *path = estimates_path(arena, "frameworks/framework.json");

	input_write(path, data, size);
	estimates_lint(arena, path);
	estimates_run(arena, &options);
	paradl_arena_free(arena);
	return 0;
}
