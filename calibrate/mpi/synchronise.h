/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_MPI_SYNCHRONISE_H
#define CALIBRATE_MPI_SYNCHRONISE_H

#include <mpi.h>

#include "clock_model.h"

/* The clock of rank 0 over this rank's own; every rank of the group calls it. Takes about a quarter of a second. */
struct clock_model synchronise(MPI_Comm group);

/* The fastest of a burst of ping-pongs between `client` and rank 0; of use to the client only. */
struct ping ping_burst(MPI_Comm group, int client);

#endif
