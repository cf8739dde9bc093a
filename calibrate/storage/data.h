/* SPDX-License-Identifier: BSD-3-Clause */
/* Files with data to read, made once for all points that read; each block of theirs says where it is. */
#ifndef CALIBRATE_DATA_H
#define CALIBRATE_DATA_H

#include "bench.h"

enum { DATA_FILES = 16, DATA_ALIGNMENT = 4096 };

/* Files of `directory` can be read past the cache of this host. Leaves nothing behind. */
bool data_direct_works(const char *directory);

/* Makes the files, `bytes` together, if they are not there yet. */
enum ready data_make(struct run *run, double bytes);
double data_file_bytes(void);

/* One of them, to be read with or without the cache; negative with errno: it cannot be opened. */
int data_open(unsigned file, bool direct);
int data_open_path(const char *path, bool direct);
/* All of it, from the place where the file is; false with errno. */
bool data_write(int descriptor, const void *block, size_t bytes);

/* What was read from `offset` of a file is what was written there. */
bool data_right(const void *block, double bytes, unsigned file, double offset);

/* Something that no file system or device makes smaller. */
void data_fill(void *block, size_t bytes);

/* The cache of this host drops what it has of a file. */
void data_drop(int descriptor);

#endif
