/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options about groups of devices and networks on paper, which collective and export share. */
#ifndef CLI_REQUEST_H
#define CLI_REQUEST_H

#include "cli/session.h"
#include "paradl/network.h"

/* Reads all of the request but the sizes. */
bool request_read(struct session *session, const char *operation, struct paradl_collective_request *request);
/* Reads --link "12.5 GB/s,500 ns"; rate or latency may be left out. */
bool request_link(struct session *session, struct paradl_paper *paper);

#endif
