/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_COMMAND_COMPARE_H
#define CLI_COMMAND_COMPARE_H

#include "cli/session.h"
#include "result/documents.h"

/* Runs compare with a page for a browser as answer, for whatever command was typed. */
enum exit_status compare_page(struct session *session);

/*
 * Reads --exchange: fills in the report's common currency and, for each machine, the worth of one unit of its
 * currency in the common one; 0: its costs are not compared. false: error is set.
 */
bool compare_rates(struct session *session, const struct paradl_machine_info *machines,
	struct report_compare *report, double *rates);

#endif
