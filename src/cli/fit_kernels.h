/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_FIT_KERNELS_H
#define CLI_FIT_KERNELS_H

#include "cli/session.h"

/* paradl fit KERNELS.csv...: what a device file says of kernels, from tables of their times. */
enum exit_status fit_kernels(struct session *session);
/* paradl validate --kernels FILE: device files against such tables. */
enum exit_status validate_kernels(struct session *session);

#endif
