/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULT_LAUNCH_TITAN_H
#define RESULT_LAUNCH_TITAN_H

#include "result/launch/launch.h"

/* Writes the module with the network. Returns false where torchtitan has no such network, and reports why. */
bool titan_network(struct launch *launch, const struct launch_job *job);

#endif
