/* SPDX-License-Identifier: BSD-3-Clause */
/* What this program knows of the storage it was pointed at. */
#ifndef CALIBRATE_STORAGE_H
#define CALIBRATE_STORAGE_H

#include <stdbool.h>

#include "bench.h"

/* Adds to the environment; `directory` is there and can be written. */
void storage_describe(const char *directory);
/* Reads and writes past the cache of this host are possible. */
bool storage_direct(void);
/* "shared" when it is a file system that many hosts mount, else "local". */
const char *storage_tier(void);

/* Makes and removes some small files, for what a file takes (files.c). */
void files_probe(bool at_work, struct rates *rates);

#endif
