/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads of links, as an explanation tells them, against the time there is. Messages between stages do not count: those to
 * the next and to the one before go over links of their own in a schedule, at the same time.
 */
#include "golden/properties.h"

#include <stdio.h>
#include <string.h>

void links_hold(
	const struct subject *subject, const struct paradl_estimate *estimate, struct finding *finding)
{
	struct paradl_explanation explanation;
	struct paradl_arena *const arena = paradl_arena_create();
	double busy_s[2] = {0};
	if (paradl_explain(subject->oracle, &estimate->plan, arena, &explanation, NULL)) {
		for (size_t i = 0; i < explanation.load_count; ++i)
			if (strcmp(explanation.loads[i].by, "pipeline") != 0)
				busy_s[explanation.loads[i].across] += explanation.loads[i].seconds;
		finding->applies = explanation.load_count > 0;
	}
	for (unsigned across = 0; across < 2; ++across) {
		const double ratio = busy_s[across] / estimate->iteration_s;
		if (ratio <= 1 + 1e-9 || ratio < 1 + finding->apart)
			continue;
		finding->broken = true;
		finding->apart = ratio - 1;
		snprintf(finding->text, sizeof finding->text, "%s nodes for %.6g s of %.6g s",
			across ? "across" : "inside", busy_s[across], estimate->iteration_s);
	}
	paradl_arena_free(arena);
}
