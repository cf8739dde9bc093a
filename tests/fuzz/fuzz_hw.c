/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines, devices and frameworks: a file is of one format at most, and errors explain themselves. */
#include "input.h"
#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool (*const readers[])(struct paradl_arena *, const struct json *, struct paradl_findings *,
		struct paradl_error *) = {machine_check, device_check, framework_check};
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct json *root = json_parse(arena, (const char *)data, size, "input", &error);
	unsigned accepted = 0;

	for (size_t i = 0; root != NULL && i < sizeof(readers) / sizeof(readers[0]); ++i) {
		struct paradl_findings findings = {0};

		error = (struct paradl_error){0};
		if (readers[i](arena, root, &findings, &error))
			++accepted;
		else
			require_explained(&error);
	}
	REQUIRE(accepted <= 1);
	paradl_arena_free(arena);
	return 0;
}
