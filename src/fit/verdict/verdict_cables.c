/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges whether cables inside a node can carry what was measured there, as the profile has them. Where no rate of
 * theirs does (fitter_cables.c), the profile keeps its own, and all but the measured collective is answered by it.
 */
#include <math.h>

#include "base/error.h"
#include "fit/fitter/fitter.h"
#include "fit/verdict/verdict.h"

static const double much = 0.05;

void judge_cables(struct calibration *calibration)
{
	struct series_list list;
	struct node_cables cables;
	struct paradl_error error = {0};
	if (fitted_number_find(calibration, PARADL_FITTED_MACHINE, "network/links/device/sustained"))
		return;
	if (!series_make(calibration, &list, &error) ||
		!cables_of_node(calibration, &list, &cables, &error)) {
		verdict_out_of_memory(calibration);
		return;
	}
	if (!cables.ring || !(fabs(cables.modelled / cables.ring->value - 1) > much))
		return;
	const struct verdict_head head = {PARADL_NOTE, "cables",
		cell_place(calibration, series_last(cables.series)),
		"network.node and network.links of the profile: how many links a device has, and to where"};
	verdict_say(calibration, &head,
		"%s: %s of bus bandwidth, where the cables of the profile give %s, and no rate that they can "
		"have "
		"gives as much: they stay as they are. This collective is answered as measured, others by "
		"the "
		"cables",
		series_name(calibration, cables.series),
		verdict_quantity(calibration, cables.ring->value, DIMENSION_BYTES_PER_S),
		verdict_quantity(calibration, cables.modelled, DIMENSION_BYTES_PER_S));
}
