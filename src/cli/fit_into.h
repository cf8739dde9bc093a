/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_FIT_INTO_H
#define CLI_FIT_INTO_H

#include "cli/session.h"

/* Returns whether --into names, or links to, a shipped profile or device; if it does, the error is set. */
bool fit_into_shipped(struct session *session);
/* Returns the same of the device file `name`, which is written to devices/ beside the profile of --into. */
bool fit_device_shipped(struct session *session, const char *name);
/*
 * Returns whether the folder of --into is, or leads to, profiles that were installed with the program; if so, the
 * error is set. Those in the sources of a program are there to be fitted.
 */
bool fit_folder_installed(struct session *session);

#endif
