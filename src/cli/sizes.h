/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes of messages as typed: 1K, 64KiB, 100 MB, lists 1K,4K, and ranges 1K..1G (doubling) or 1K..1G*4. */
#ifndef CLI_SIZES_H
#define CLI_SIZES_H

#include "paradl.h"

enum { SIZES_MAX = 256 };

struct sizes { /* sizes in ascending order, none twice */
	double bytes[SIZES_MAX];
	size_t count;
};

/* Reads sizes. K, M, G, T alone are powers of 1024, as nccl-tests takes them; KiB is the same, kB 1000. */
bool sizes_parse(const char *text, struct sizes *sizes, struct paradl_error *error);

/* Adds a size where it belongs, unless it is there; false: there are too many. */
bool sizes_add(struct sizes *sizes, double bytes);

#endif
