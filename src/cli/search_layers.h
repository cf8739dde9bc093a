/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_SEARCH_LAYERS_H
#define CLI_SEARCH_LAYERS_H

#include "cli/session.h"

/* Finds a plan for each layer, for search --per-layer. */
enum exit_status search_layers(struct session *session);

#endif
