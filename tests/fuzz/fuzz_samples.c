/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of measurements: of what is accepted, numbers and curves are finite, positive and inside their intervals. */
#include <math.h>
#include <unistd.h>

#include "input.h"
#include "paradl/fit.h"

static void check_curve(const struct paradl_fitted_curve *curve)
{
	REQUIRE(curve->point_count >= 2 && curve->segment_count >= 1);
	REQUIRE(curve->segment_count <= PARADL_FITTED_SEGMENTS_MAX && curve->devices % curve->nodes == 0);
	for (unsigned i = 0; i < curve->point_count; i++) {
		REQUIRE(isfinite(curve->bytes[i]) && curve->bytes[i] > (i ? curve->bytes[i - 1] : 0));
		REQUIRE(curve->low_s[i] > 0 && curve->low_s[i] <= curve->time_s[i]);
		REQUIRE(curve->high_s[i] >= curve->time_s[i] && isfinite(curve->high_s[i]));
	}
	for (unsigned i = 0; i < curve->segment_count; i++) {
		const struct paradl_fitted_segment *segment = &curve->segments[i];
		REQUIRE(isfinite(segment->a_s) && segment->a_s >= 0);
		REQUIRE(isfinite(segment->s_per_byte) && segment->s_per_byte >= 0);
		REQUIRE(segment->from_bytes <= segment->upto_bytes);
	}
	REQUIRE(isfinite(curve->segment_error) && curve->segment_error >= 0);
	REQUIRE(isfinite(curve->held_out_error) && isfinite(curve->interpolation_error));
}

static void check_fit(const struct paradl_calibration *fit)
{
	for (size_t i = 0; i < fit->number_count; i++) {
		const struct paradl_fitted_number *number = &fit->numbers[i];
		REQUIRE(number->path && number->unit && number->from);
		REQUIRE(isfinite(number->value) && number->value > 0);
		REQUIRE(number->low <= number->value && number->value <= number->high);
		REQUIRE(isfinite(number->low) && isfinite(number->high));
	}
	for (size_t i = 0; i < fit->curve_count; i++)
		check_curve(&fit->curves[i]);
	for (size_t i = 0; i < fit->outlier_count; i++)
		REQUIRE(fit->outliers[i].file && fit->outliers[i].point && fit->outliers[i].text);
	for (size_t i = 0; i < fit->verdict_count; i++)
		REQUIRE(fit->verdicts[i].judge && fit->verdicts[i].text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_calibration fit;
	struct paradl_error error = {.status = PARADL_OK};
	char path[64];

	REQUIRE(arena != NULL);
	snprintf(path, sizeof path, "/tmp/paradl-fuzz-samples-%ld.jsonl", (long)getpid());
	input_write(path, data, size);
	const char *const paths[] = {path};
	if (paradl_calibration_fit(arena, paths, 1, NULL, &fit, &error))
		check_fit(&fit);
	else
		require_explained(&error);
	remove(path);
	paradl_arena_free(arena);
	return 0;
}
