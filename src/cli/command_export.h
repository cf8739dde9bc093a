/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exports of `paradl export` other than networks and collectives. */
#ifndef CLI_COMMAND_EXPORT_H
#define CLI_COMMAND_EXPORT_H

#include "cli/command.h"

/* Exports a plan as a workload of ASTRA-sim 1.0. */
enum exit_status export_astra(struct session *session);

#endif
