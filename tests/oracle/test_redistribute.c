/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What moves between two layouts, against sets of (sample, row, column) written down item by item. */
#include "oracle/random.h"
#include "oracle/setup.h"

#include "oracle/layered.h"

enum { SAMPLES = 12, ROWS = 8, DEVICES_MOST = 24, ITEMS = SAMPLES * ROWS * ROWS };

/* The piece of `pieces` that an item of `extent` is in. */
static unsigned piece_of(unsigned item, unsigned extent, unsigned pieces)
{
	unsigned piece = 0;
	while ((piece + 1) * extent / pieces <= item)
		++piece;
	return piece;
}

/* The number of a device along an axis. */
static unsigned digit(const struct paradl_plan *plan, unsigned device, enum paradl_axis axis)
{
	unsigned i = PARADL_AXIS_COUNT;
	while (plan->order[--i] != axis)
		device /= plan->degree[plan->order[i]];
	return device % plan->degree[axis];
}

static bool holds(const struct paradl_plan *plan, unsigned device, unsigned item, bool cut)
{
	const unsigned sample = item / (ROWS * ROWS), row = item / ROWS % ROWS, column = item % ROWS;
	const unsigned experts = plan->degree[PARADL_EXPERT];
	const unsigned replica =
		digit(plan, device, PARADL_DATA) * experts + digit(plan, device, PARADL_EXPERT);
	if (piece_of(sample, SAMPLES, plan->degree[PARADL_DATA] * experts) != replica)
		return false;
	const unsigned piece = digit(plan, device, PARADL_SPATIAL);
	return !cut || (piece_of(row, ROWS, plan->spatial[0]) == piece / plan->spatial[1] &&
			       piece_of(column, ROWS, plan->spatial[1]) == piece % plan->spatial[1]);
}

/* Does somebody in the device's block hold the item? */
static bool found(const struct paradl_plan *from, bool cut, unsigned device, unsigned block, unsigned item)
{
	const unsigned base = device / block * block;
	for (unsigned d = base; d < base + block; ++d)
		if (holds(from, d, item, cut))
			return true;
	return false;
}

static bool suffices(const struct paradl_plan *from, const struct paradl_plan *to, const bool cut[2],
	unsigned devices, unsigned block)
{
	for (unsigned d = 0; d < devices; ++d)
		for (unsigned item = 0; item < ITEMS; ++item)
			if (holds(to, d, item, cut[1]) && !found(from, cut[0], d, block, item))
				return false;
	return true;
}

static unsigned most_lacking(
	const struct paradl_plan *from, const struct paradl_plan *to, const bool cut[2], unsigned devices)
{
	unsigned most = 0;
	for (unsigned d = 0; d < devices; ++d) {
		unsigned lacking = 0;
		for (unsigned item = 0; item < ITEMS; ++item)
			lacking += holds(to, d, item, cut[1]) && !holds(from, d, item, cut[0]);
		most = lacking > most ? lacking : most;
	}
	return most;
}

/* Degrees whose product is `devices`, in a random order of axes. */
static struct paradl_plan random_plan(struct random *random, unsigned devices)
{
	static const enum paradl_axis axes[] = {PARADL_DATA, PARADL_FILTER, PARADL_SPATIAL, PARADL_EXPERT};
	struct paradl_plan plan = setup_plan("serial", 1);
	for (unsigned factor = 2; devices > 1;) {
		if (devices % factor) {
			++factor;
			continue;
		}
		devices /= factor;
		const enum paradl_axis axis = axes[random_between(random, 0, 3)];
		plan.degree[axis] *= factor;
		if (axis == PARADL_SPATIAL)
			plan.spatial[random_between(random, 0, 1)] *= factor;
	}
	for (unsigned i = PARADL_AXIS_COUNT - 1; i > 0; --i) {
		const unsigned j = random_between(random, 0, i);
		const unsigned char swapped = plan.order[i];
		plan.order[i] = plan.order[j];
		plan.order[j] = swapped;
	}
	return plan;
}

static void moves_are_what_is_lacking(void **state)
{
	static const unsigned counts[] = {2, 4, 6, 8, 12, 16, 24};
	struct random random = {20261122};
	unsigned smaller = 0, gathers = 0;
	(void)state;
	for (unsigned i = 0; i < 800; ++i) {
		const unsigned devices = counts[random_between(&random, 0, 6)];
		const struct paradl_plan a = random_plan(&random, devices);
		const struct paradl_plan b = random_plan(&random, devices);
		const bool first = random_between(&random, 0, 3), second = random_between(&random, 0, 3);
		const bool cut[2] = {first, second};
		const struct layout from = layout_of(&a, cut[0]), to = layout_of(&b, cut[1]);
		const struct layout_move move =
			layout_move((struct layout_change){from, to, {SAMPLES, ROWS, ROWS, 1}});
		assert_int_equal((unsigned)move.items, most_lacking(&a, &b, cut, devices));
		if (!(move.items > 0))
			continue;
		assert_int_equal(devices % move.devices, 0);
		assert_true(suffices(&a, &b, cut, devices, move.devices));
		smaller += move.devices < devices;
		gathers += move.gathers;
	}
	assert_true(smaller > 80);
	assert_true(gathers > 30);
}

static struct layout_move move_between(const char *a, const char *b, bool extents_cut)
{
	const struct paradl_plan from = setup_plan(a, 64), to = setup_plan(b, 64);
	const struct layout x = layout_of(&from, extents_cut), y = layout_of(&to, extents_cut);
	return layout_move((struct layout_change){x, y, {64, 16, 16, 1}});
}

/* Closed forms: of one channel a sample is 256 items. */
static void closed_forms_hold(void **state)
{
	(void)state;
	struct layout_move move = move_between("data=64", "data=64", true);
	assert_true(move.items < 1);
	move = move_between("data=16,filter=4", "data=64", true); /* replicated to cut: a slice */
	assert_true(move.items < 1);
	move = move_between("data=64", "data=16,filter=4", true); /* three samples of the neighbours */
	assert_int_equal((int)move.items, 3 * 256);
	assert_int_equal(move.devices, 4);
	assert_true(move.gathers);
	move = move_between("data=16,spatial=2x2", "data=64", true); /* three quarters of a sample */
	assert_int_equal((int)move.items, 192);
	assert_int_equal(move.devices, 4);
	assert_false(move.gathers);
	move = move_between("data=16,spatial=2x2", "data=16,spatial=4x1", true);
	assert_int_equal((int)move.items, 4 * 4 * 8); /* the upper half, of both columns, is with two */
	assert_int_equal(move.devices, 2);
	move = move_between("data=16,tensor=4,sequence=on", "data=16,tensor=4", true); /* 12 of 16 tokens */
	assert_int_equal((int)move.items, 4 * 12 * 16);
	assert_true(move.gathers);
	move = move_between(
		"filter=4,data=16", "data=64", true); /* by order: neighbours have other samples */
	assert_true(move.items > 0 && move.devices > 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_are_what_is_lacking),
		cmocka_unit_test(closed_forms_hold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
