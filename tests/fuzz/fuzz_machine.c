/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines and devices: whatever is accepted, estimates on it are finite. The text is both files, in turn. */
#include "estimates.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"machine.json", "devices/device.json"};
	static const char *const texts[] = {estimates_machine, estimates_device};
	const struct paradl_options calibrated = {.ideal = false}, ideal = {.ideal = true};
	struct paradl_arena *arena = paradl_arena_create();

	REQUIRE(arena != NULL);
	estimates_begin(arena);
	for (size_t i = 0; i < 2; ++i) {
		input_write(estimates_path(arena, names[i]), data, size);
		estimates_lint(arena, estimates_path(arena, names[i]));
		estimates_run(arena, &calibrated);
		estimates_run(arena, &ideal);
		estimates_write(arena, names[i], texts[i]);
	}
	paradl_arena_free(arena);
	return 0;
}
