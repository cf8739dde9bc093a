/* SPDX-License-Identifier: BSD-3-Clause */
/* What an MPI library calls itself, and which variables of the environment tell it what to do. */
#ifndef CALIBRATE_MPI_LIBRARY_H
#define CALIBRATE_MPI_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* "Open MPI v4.1.4, package: ..." is "open mpi 4.1.4": words up to the first number, in small letters. */
void library_name(const char *version, char *name, size_t size);

/* NAME=VALUE of somebody's making: mpirun itself sets variables of the same kind, other ones in every launch. */
bool library_variable(const char *setting);

#endif
