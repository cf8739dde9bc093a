/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A dimension (one byte) and a text: what is accepted is finite and not negative, and reads back within the three
 * digits that it is printed with; what is refused says why and leaves the value alone.
 */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "base/quantity.h"

static void require_reads_back(double value, enum dimension dimension)
{
	char text[64];
	double again;
	struct paradl_error error;
	quantity_format(text, sizeof text, value, dimension);
	REQUIRE(strlen(text) < 20);
	REQUIRE(quantity_parse(text, dimension, "x", &again, &error) || strstr(error.message, "too large"));
	if (value > 1e-300 && value < 1e300)
		REQUIRE(fabs(again - value) <= 0.0051 * value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	const enum dimension dimension = (enum dimension)(data[0] % DIMENSION_COUNT);
	char *const text = calloc(size, 1);
	struct paradl_error error = {.status = PARADL_OK};
	double value = -7;
	REQUIRE(text);
	memcpy(text, data + 1, size - 1);
	if (quantity_parse(text, dimension, "bandwidth", &value, &error)) {
		REQUIRE(isfinite(value) && value >= 0);
		require_reads_back(value, dimension);
	} else {
		REQUIRE(error.status == PARADL_SCHEMA && strncmp(error.message, "bandwidth", 9) == 0);
		REQUIRE(value < -6);
	}
	free(text);
	return 0;
}
