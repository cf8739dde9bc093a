/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structs of the library's interface that begin with their size, so that later versions can add members at their end. */
#ifndef BASE_SIZED_H
#define BASE_SIZED_H

#include "paradl.h"
#include <stdbool.h>
#include <stddef.h>

struct paradl_error;

/* Size of a struct that ends with a member: how the size of version 1 is written down once there are later members. */
#define SIZE_TO(type, member) (offsetof(struct type, member) + sizeof((struct type *)0)->member)

/*
 * Copies a caller's struct of unknown version into one of ours, of `size` bytes; `first`: size that a 0 stands for.
 * Members that the caller does not know become 0. False with PARADL_USAGE where it gives one that we do not know.
 */
bool sized_read(void *ours, size_t size, size_t first, const void *theirs, struct paradl_error *error);

/* Copies our struct, of `size` bytes, into a caller's: what it has room for, and its size as it was. */
void sized_write(void *theirs, size_t first, const void *ours, size_t size);

#endif
