/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pointer, a NUL byte and any text: what is found lies in the text, what is not is 0:0. */
#include "fuzz.h"

#include <string.h>

#include "base/json.h"

static int count_lines(const char *text, size_t length)
{
	int lines = 1;
	for (size_t i = 0; i < length; i++)
		lines += text[i] == '\n';
	return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *const end = size > 0 ? memchr(data, '\0', size) : NULL;
	if (!end)
		return 0;
	const char *const text = (const char *)end + 1;
	const size_t length = size - (size_t)(end - data) - 1;
	unsigned indices[8];
	int line = -1, column = -1;
	const bool is_found = json_locate(text, length, (const char *)data, &line, &column);
	REQUIRE(is_found ? line > 0 && column > 0 : line == 0 && column == 0);
	REQUIRE(line <= count_lines(text, length) && (size_t)column <= length + 1);
	for (size_t i = 0; i < 8; i++)
		indices[i] = i < size ? data[i] % 4 : 0;
	for (size_t depth = 0; depth <= 8; depth++) {
		const bool is_child = json_locate_child(text, length, indices, depth, &line, &column);
		REQUIRE(is_child ? line > 0 && column > 0 : line == 0 && column == 0);
	}
	return 0;
}
