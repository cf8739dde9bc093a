/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The published curves of tests/data/nccl_curves.csv. */
#ifndef TESTS_FIT_PUBLISHED_H
#define TESTS_FIT_PUBLISHED_H

#include "test.h"

#include "base/csv.h"

enum { PUBLISHED_CURVES_MAX = 256, PUBLISHED_POINTS_MAX = 64 };

struct published_curve {
	const char *id, *system, *operation, *tool, *buffer, *notes;
	unsigned nodes, devices, points;
	double bytes[PUBLISHED_POINTS_MAX], time_s[PUBLISHED_POINTS_MAX];
};

struct published {
	struct csv csv;
	struct published_curve *curves;
	size_t count;
};

/* Rows of a curve follow one another, ascending in bytes; sizes of 0 bytes are left out. */
static inline void published_load(struct paradl_arena *arena, struct published *published)
{
	struct paradl_error error = {0};
	struct csv *csv = &published->csv;
	assert_true(csv_load(arena, "tests/data/nccl_curves.csv", csv, &error));
	published->curves = arena_alloc(arena, PUBLISHED_CURVES_MAX, sizeof *published->curves);
	published->count = 0;
	assert_non_null(published->curves);
	for (size_t row = 0; row < csv->rows; ++row) {
		const char *id = csv_cell(csv, row, "curve_id");
		struct published_curve *curve = &published->curves[published->count];
		if (!published->count || strcmp(curve[-1].id, id) != 0) {
			assert_true(published->count < PUBLISHED_CURVES_MAX);
			++published->count;
			*curve = (struct published_curve){id, csv_cell(csv, row, "system"),
				csv_cell(csv, row, "op"), csv_cell(csv, row, "tool"),
				csv_cell(csv, row, "buffer"), csv_cell(csv, row, "notes"),
				(unsigned)strtoul(csv_cell(csv, row, "nodes"), NULL, 10),
				(unsigned)strtoul(csv_cell(csv, row, "gpus"), NULL, 10), 0, {0}, {0}};
		} else {
			--curve;
		}
		const double bytes = strtod(csv_cell(csv, row, "bytes"), NULL);
		const double time_s = strtod(csv_cell(csv, row, "time_us"), NULL) / 1e6;
		if (!(bytes > 0 && time_s > 0))
			continue;
		assert_true(curve->points < PUBLISHED_POINTS_MAX);
		curve->bytes[curve->points] = bytes;
		curve->time_s[curve->points++] = time_s;
	}
}

/* Not times that were worked out of published rates, nor copies of a device to itself, nor fewer than six sizes. */
static inline bool published_is_healthy(const struct published_curve *curve)
{
	return curve->points >= 6 && !strstr(curve->notes, "reconstructed") && !strstr(curve->id, "selfcopy");
}

#endif
