/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structs of the library's interface that begin with their size, so that later versions can add members at their end. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#include "paradl.h"

/*
 * Copies a caller's struct of unknown version into one of ours, of `size` bytes; `first`: the size that a 0 stands for,
 * that of version 1. Members that the caller does not know become 0. False with PARADL_USAGE where it gives one that we
 * do not know.
 */
bool sized_read(void *ours, size_t size, size_t first, const void *theirs, struct paradl_error *error);

/* Copies the members of our struct, of `size` bytes, for which a caller's has room; its size stays as it was. */
void sized_write(void *theirs, size_t first, const void *ours, size_t size);

#endif
