/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_FIT_SAMPLES_H
#define CLI_FIT_SAMPLES_H

#include "cli/session.h"

/* Runs `paradl fit FILES...`: fits numbers and curves of a machine to samples. */
enum exit_status fit_samples(struct session *session);

#endif
