/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_SCRIPT_WRITE_H
#define REPORT_SCRIPT_WRITE_H

#include "report/report.h"
#include "result/launch/launch.h"

/* Writes a shell script that starts a plan as `launch` says; `launch` must have a command. */
void script_write(struct report_sink *sink, const struct report_head *head,
	const struct paradl_estimate *estimate, const struct launch *launch);

#endif
