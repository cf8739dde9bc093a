/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "cli/session.h"
#include "result/documents.h"

/* Answers compare as a page for a browser, whatever the command is. */
enum exit_status compare_page(struct session *session);

/*
 * Reads --exchange: fills the common currency of the report, and for each machine what one of its currency is in that; 0: its costs do not compare.
 */
bool compare_rates(struct session *session, const struct paradl_machine_info *machines,
	struct report_compare *report, double *rates);

#endif
