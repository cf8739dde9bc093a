/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property of a target, checked in every build. */
#define REQUIRE(condition)                                                                                   \
	do {                                                                                                 \
		if (!(condition)) {                                                                          \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);        \
			abort();                                                                             \
		}                                                                                            \
	} while (0)

#endif
