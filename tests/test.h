/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmocka with the headers it needs before it, and a comparison of doubles by relative tolerance. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

/* clang-format off */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
/* clang-format on */

/* Returns whether a test takes all the cases it has, as scripts/test.sh --long asks, instead of some of each kind. */
static inline bool takes_all(void)
{
	return getenv("PARADL_TESTS_LONG") != NULL;
}

#define assert_close(got, want, relative)                                                                    \
	do {                                                                                                 \
		const double close_got = (got), close_want = (want);                                         \
		if (!(fabs(close_got - close_want) <= (relative)*fabs(close_want)))                          \
			fail_msg("%s is %.17g, expected %.17g", #got, close_got, close_want);                \
	} while (0)

#endif
