/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of plans that are accepted, and that are not. */
#ifndef TESTS_STRATEGY_PARSE_H
#define TESTS_STRATEGY_PARSE_H

#include "test.h"

#include "paradl/oracle.h"

static inline struct paradl_plan parse(const char *text)
{
	struct paradl_plan plan;
	struct paradl_error error = {0};
	if (!paradl_plan_parse(text, &plan, &error))
		fail_msg("%s: %s", text, error.message);
	return plan;
}

static inline void assert_refused(const char *text, const char *message)
{
	struct paradl_plan plan;
	struct paradl_error error = {0};
	if (paradl_plan_parse(text, &plan, &error))
		fail_msg("\"%s\" is accepted", text);
	assert_int_equal(error.status, PARADL_USAGE);
	assert_string_equal(error.message, message);
	assert_false(paradl_plan_parse(text, &plan, NULL));
}

#endif
