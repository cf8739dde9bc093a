/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that use the storage at the same time, as the readers of a training job do. */
#ifndef CALIBRATE_CLIENTS_H
#define CALIBRATE_CLIENTS_H

#include <stdbool.h>

struct clients;

/* What one client does in one call; false with errno: it failed. */
typedef bool client_work(void *state, unsigned client);

/* NULL: they could not be started. */
struct clients *clients_start(unsigned count, client_work *work, void *state);
/* All clients, `calls` times each: seconds until the last one is through; negative with errno when one failed. */
double clients_run(struct clients *clients, unsigned long long calls);
void clients_stop(struct clients *clients);

#endif
