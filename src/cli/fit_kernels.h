/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_FIT_KERNELS_H
#define CLI_FIT_KERNELS_H

#include "cli/session.h"

/* Runs `paradl fit KERNELS.csv...`: fits the numbers of a device file about kernels to tables of their times. */
enum exit_status fit_kernels(struct session *session);
/* Runs `paradl validate --kernels FILE`: compares device files with such tables. */
enum exit_status validate_kernels(struct session *session);

#endif
