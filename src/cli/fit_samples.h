/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_FIT_SAMPLES_H
#define CLI_FIT_SAMPLES_H

#include "cli/session.h"

/* paradl fit FILES...: numbers and curves of a machine from samples. */
enum exit_status fit_samples(struct session *session);
/* Returns whether --into names a shipped profile or device, which stays as it is; then the error says so. */
bool fit_into_shipped(struct session *session);

#endif
