/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that are looked for when the program runs: a machine without one of them still measures all else. */
#ifndef CALIBRATE_CUDA_LOADER_H
#define CALIBRATE_CUDA_LOADER_H

#include <stdbool.h>
#include <stddef.h>

struct library {
	const char *file;    /* "libnccl.so.2"; "libcublasLt.so.", with versions */
	int newest, oldest;  /* that work, the newest is looked for first; 0: the file's name has it */
	const char *package; /* what to install, for messages */
	void *handle;
};

/* One function: its name, and where in a table of pointers to functions it belongs. */
struct symbol {
	const char *name; /* NULL ends a list */
	size_t offset;
};
/* A table whose members are called as the functions are. */
#define MEMBER(function) __typeof__(&function) function;

/*
 * Opens the library, once: where the dynamic linker looks, in the toolkit of the build, where pip and conda install such libraries. Of
 * functions that it lacks the table has NULL. False: it is not here; library_hint says what to do.
 */
bool library_open(struct library *library, void *table, const struct symbol *symbols);
/* The same, and all functions are there. False: it is not here, or lacks a function; library_hint says what to do. */
bool library_load(struct library *library, void *table, const struct symbol *symbols);
const char *library_hint(void);

#endif
