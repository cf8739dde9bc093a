/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_FIT_SAMPLES_H
#define CLI_FIT_SAMPLES_H

#include "cli/session.h"

/* Runs `paradl fit FILES...`: fits numbers and curves of a machine to samples. */
enum exit_status fit_samples(struct session *session);
/* Returns whether --into names a shipped profile or device, which is never changed; if it does, the error is set. */
bool fit_into_shipped(struct session *session);

#endif
