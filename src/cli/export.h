/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `paradl export` writes besides networks. */
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include "cli/command.h"

/* A plan as a workload of ASTRA-sim 1.0. */
enum exit_status export_astra(struct session *session);

#endif
