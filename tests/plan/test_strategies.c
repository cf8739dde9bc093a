/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each strategy cuts and sends of one layer, by hand; and that tables which name layers and axes agree. */
#include "oracle/setup.h"

#include <limits.h>

#include "plan/strategy.h"

static const struct cut_rules ideal = {.even = true, .pool_messages = true};
static const struct cut_rules whole = {.even = false, .pool_messages = true};

/* The layer at a position of a model whose input is 10 x 30 x 20. */
static const struct layer *layer_at(struct setup *setup, const char *layers, unsigned position)
{
	const struct paradl_model *const model =
		setup_model(setup, "\"input\": {\"channels\": 10, \"shape\": [30, 20]}", layers);
	return &model->layers[model->order[position]];
}

#define FIRST "{\"type\": \"conv\", \"out\": 14, \"kernel\": 1, \"bias\": false}"
#define MIDDLE                                                                                               \
	"{\"type\": \"conv\", \"out\": 22, \"kernel\": [5, 3], \"pad\": [2, 1], \"stride\": [1, 2], "        \
	"\"bias\": false}"
#define LAST    "{\"type\": \"linear\", \"out\": 9, \"bias\": false}"
#define NETWORK FIRST ", " MIDDLE ", " LAST

/* The middle layer: x 14 x 30 x 20, y 22 x 30 x 10, w 22 x 14 x 15. */
#define X (14.0 * 30 * 20)
#define Y (22.0 * 30 * 10)
#define W (22.0 * 14 * 15)

static struct shard split(
	const struct layer *layer, const char *text, double samples, const struct cut_rules *rules)
{
	const struct paradl_plan plan = setup_plan(text, samples);
	struct shard shard = shard_whole(layer, samples);
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		if (plan.degree[axis] > 1 && strategies[axis]->split)
			strategies[axis]->split(&shard, layer, &plan, rules);
	return shard;
}

static struct traffic_list traffic(
	const struct layer *layer, const char *text, double samples, const struct cut_rules *rules)
{
	const struct paradl_plan plan = setup_plan(text, samples);
	const struct shard shard = split(layer, text, samples, rules);
	struct traffic_list list = {.count = 0};
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		if (plan.degree[axis] > 1 && strategies[axis]->communicate)
			strategies[axis]->communicate(&list, layer, &shard, &plan, rules);
	return list;
}

static void assert_traffic(const struct traffic *got, enum paradl_axis axis, enum traffic_kind kind,
	enum pass pass, double items)
{
	assert_int_equal(got->axis, axis);
	assert_int_equal(got->kind, kind);
	assert_int_equal(got->pass, pass);
	assert_close(got->items, items, 1e-12);
}

static void the_whole_is_not_cut(void **state)
{
	const struct shard shard = shard_whole(layer_at(*state, NETWORK, 1), 5);
	assert_close(shard.samples, 5, 0);
	assert_close(shard.filters, 22, 0);
	assert_close(shard.channels, 14, 0);
	assert_close(shard.x_items, X, 0);
	assert_close(shard.y_items, Y, 0);
	assert_close(shard.positions, 300, 0);
	assert_close(shard.weight_items, W, 0);
	assert_close(shard.filter_pieces, 1, 0);
	assert_close(shard.channel_pieces, 1, 0);
	assert_close(shard.x_extent[0] * shard.x_extent[1] * shard.x_extent[2], 600, 0);
	assert_close(shard.y_extent[0] * shard.y_extent[1] * shard.y_extent[2], 300, 0);
}

static void data_cuts_samples(void **state)
{
	const struct layer *const layer = layer_at(*state, NETWORK, 1);
	assert_close(split(layer, "data=4", 10, &ideal).samples, 2.5, 0);
	assert_close(split(layer, "data=4", 10, &whole).samples, 3, 0);
	assert_close(split(layer, "data=4", 10, &whole).weight_items, W, 0);
	assert_int_equal(traffic(layer, "data=4", 10, &whole).count, 0);
	assert_true(strategies[PARADL_DATA]->replicates_weights);
}

static void filter_cuts_output_channels(void **state)
{
	const struct layer *const layer = layer_at(*state, NETWORK, 1);
	struct shard shard = split(layer, "filter=4", 3, &whole);
	assert_close(shard.filters, 6, 0);
	assert_close(shard.channels, 14, 0);
	assert_close(shard.weight_items, 6.0 / 22 * W, 1e-12);
	assert_close(shard.x_items, X, 0);
	assert_close(shard.y_items, Y, 0); /* gathered: every device holds all of y */
	shard = split(layer, "filter=4", 3, &ideal);
	assert_close(shard.filters, 5.5, 0);
	assert_close(shard.weight_items, W / 4, 1e-12);
	const struct traffic_list list = traffic(layer, "filter=4", 3, &whole);
	assert_int_equal(list.count, 2);
	assert_traffic(&list.items[0], PARADL_FILTER, TRAFFIC_ALLGATHER, PASS_FORWARD, 3 * Y);
	assert_traffic(&list.items[1], PARADL_FILTER, TRAFFIC_ALLREDUCE, PASS_BACKWARD, 3 * X);
	assert_false(strategies[PARADL_FILTER]->replicates_weights);
}

static void channel_cuts_input_channels(void **state)
{
	const struct layer *const layer = layer_at(*state, NETWORK, 1);
	const struct shard shard = split(layer, "channel=4", 3, &whole);
	assert_close(shard.channels, 4, 0);
	assert_close(shard.filters, 22, 0);
	assert_close(shard.weight_items, 4.0 / 14 * W, 1e-12);
	assert_close(split(layer, "channel=4", 3, &ideal).channels, 3.5, 0);
	const struct traffic_list list = traffic(layer, "channel=4", 3, &whole);
	assert_int_equal(list.count, 2);
	assert_traffic(&list.items[0], PARADL_CHANNEL, TRAFFIC_ALLREDUCE, PASS_FORWARD, 3 * Y);
	assert_traffic(&list.items[1], PARADL_CHANNEL, TRAFFIC_ALLGATHER, PASS_BACKWARD, 3 * X);
}

/* A device with a quarter of the filters makes a partial quarter of y; one with half the channels half of dL/dx. */
static void filter_and_channel_compose(void **state)
{
	const struct layer *const layer = layer_at(*state, NETWORK, 1);
	const struct shard shard = split(layer, "filter=4,channel=2", 3, &ideal);
	assert_close(shard.weight_items, W / 8, 1e-12);
	const struct traffic_list list = traffic(layer, "filter=4,channel=2", 3, &whole);
	assert_int_equal(list.count, 4);
	assert_traffic(&list.items[0], PARADL_FILTER, TRAFFIC_ALLGATHER, PASS_FORWARD, 3 * Y);
	assert_traffic(&list.items[1], PARADL_FILTER, TRAFFIC_ALLREDUCE, PASS_BACKWARD, 3 * X / 2);
	assert_traffic(&list.items[2], PARADL_CHANNEL, TRAFFIC_ALLREDUCE, PASS_FORWARD, 3 * Y / 4);
	assert_traffic(&list.items[3], PARADL_CHANNEL, TRAFFIC_ALLGATHER, PASS_BACKWARD, 3 * X);
}

/* dL/dx of the input is nobody's; the last y is gathered by programs, but not in Table III (l < G). */
static void ends_of_the_network(void **state)
{
	struct setup *const setup = *state;
	const double first_y = 14.0 * 30 * 20, last_x = Y, last_y = 9;
	const struct layer *layer = layer_at(setup, NETWORK, 0);
	struct traffic_list list = traffic(layer, "filter=2", 3, &whole);
	assert_int_equal(list.count, 1);
	assert_traffic(&list.items[0], PARADL_FILTER, TRAFFIC_ALLGATHER, PASS_FORWARD, 3 * first_y);
	list = traffic(layer, "filter=2", 3, &ideal);
	assert_int_equal(list.count, 1);
	layer = layer_at(setup, NETWORK, 2);
	list = traffic(layer, "filter=2", 3, &whole);
	assert_int_equal(list.count, 2);
	assert_traffic(&list.items[0], PARADL_FILTER, TRAFFIC_ALLGATHER, PASS_FORWARD, 3 * last_y);
	assert_traffic(&list.items[1], PARADL_FILTER, TRAFFIC_ALLREDUCE, PASS_BACKWARD, 3 * last_x);
	list = traffic(layer, "filter=2", 3, &ideal);
	assert_int_equal(list.count, 1);
	assert_traffic(&list.items[0], PARADL_FILTER, TRAFFIC_ALLREDUCE, PASS_BACKWARD, 3 * last_x);
	list = traffic(layer, "channel=2", 3, &ideal);
	assert_int_equal(list.count, 1);
	assert_traffic(&list.items[0], PARADL_CHANNEL, TRAFFIC_ALLGATHER, PASS_BACKWARD, 3 * last_x);
}

/* The measured filter-parallel program summed its pieces first: |y| / p instead of |x|, at the first layer, too. */
static void partial_backward_of_filter(void **state)
{
	struct setup *const setup = *state;
	const struct cut_rules rules = {.filter_backward_partial = true, .pool_messages = true};
	struct traffic_list list = traffic(layer_at(setup, NETWORK, 1), "filter=4", 3, &rules);
	assert_int_equal(list.count, 2);
	assert_traffic(&list.items[1], PARADL_FILTER, TRAFFIC_ALLREDUCE, PASS_BACKWARD, 3 * Y / 4);
	list = traffic(layer_at(setup, NETWORK, 0), "filter=4", 3, &rules);
	assert_int_equal(list.count, 2);
	assert_traffic(
		&list.items[1], PARADL_FILTER, TRAFFIC_ALLREDUCE, PASS_BACKWARD, 3 * 14.0 * 30 * 20 / 4);
}

static void spatial_cuts_extents(void **state)
{
	const struct layer *const layer = layer_at(*state, NETWORK, 1);
	struct shard shard = split(layer, "spatial=4x3", 3, &whole); /* 30 x 20 -> 8 x 7; 30 x 10 -> 8 x 4 */
	assert_close(shard.x_items, 14.0 * 8 * 7, 1e-12);
	assert_close(shard.y_items, 22.0 * 8 * 4, 1e-12);
	assert_close(shard.positions, 8 * 4, 1e-12);
	assert_close(shard.weight_items, W, 0);
	shard = split(layer, "spatial=4x3", 3, &ideal);
	assert_close(shard.x_items, X / 12, 1e-12);
	assert_close(shard.y_items, Y / 12, 1e-12);
	const struct traffic_list list = traffic(layer, "spatial=4x3", 3, &whole);
	assert_int_equal(list.count, 4); /* 2 rows of x and dL/dy along one dimension, 1 along the other */
	assert_traffic(&list.items[0], PARADL_SPATIAL, TRAFFIC_HALO, PASS_FORWARD, 3 * 2 * 14.0 * 7);
	assert_traffic(&list.items[1], PARADL_SPATIAL, TRAFFIC_HALO, PASS_BACKWARD, 3 * 2 * 22.0 * 4);
	assert_traffic(&list.items[2], PARADL_SPATIAL, TRAFFIC_HALO, PASS_FORWARD, 3 * 1 * 14.0 * 8);
	assert_traffic(&list.items[3], PARADL_SPATIAL, TRAFFIC_HALO, PASS_BACKWARD, 3 * 1 * 22.0 * 8);
	assert_close(list.items[0].messages, 4, 0);
	assert_close(list.items[2].messages, 3, 0);
	assert_true(strategies[PARADL_SPATIAL]->replicates_weights);
}

/* Every extent in every number of pieces: ceil(n / pieces) rows on the fullest, n / pieces when ideal. */
static void spatial_pieces_are_of_the_fullest(void **state)
{
	struct layer layer = *layer_at(*state, NETWORK, 1);
	for (unsigned n = 1; n <= 230; ++n)
		for (unsigned pieces = 2; pieces <= n; ++pieces) {
			const unsigned most = (n + pieces - 1) / pieces, m = (n + 1) / 2,
				       least = (m + pieces - 1) / pieces;
			struct paradl_plan plan = setup_plan("serial", 3);
			layer.x.extent[0] = n;
			layer.y.extent[0] = n % 2 ? m : n; /* half of them with a stride of 2 */
			layer.x_items = 14.0 * n * 20;
			layer.y_items = 22.0 * layer.y.extent[0] * 10;
			plan.spatial[0] = plan.degree[PARADL_SPATIAL] = pieces;
			struct shard shard = shard_whole(&layer, 3);
			strategies[PARADL_SPATIAL]->split(&shard, &layer, &plan, &whole);
			assert_close(shard.x_extent[0], most, 0);
			assert_close(shard.y_extent[0], n % 2 ? least : most, 0);
			assert_close(shard.x_items, 14.0 * most * 20, 1e-12);
			assert_close(shard.y_items, 22.0 * (n % 2 ? least : most) * 10, 1e-12);
			shard = shard_whole(&layer, 3);
			strategies[PARADL_SPATIAL]->split(&shard, &layer, &plan, &ideal);
			assert_close(shard.x_extent[0], (double)n / pieces, 1e-12);
			assert_close(shard.y_items, layer.y_items / pieces, 1e-12);
		}
}

static void pipeline_cuts_no_tensor(void **state)
{
	const struct layer *const layer = layer_at(*state, NETWORK, 1);
	const struct shard shard = split(layer, "pipeline=3", 3, &whole);
	assert_close(shard.x_items * shard.y_items * shard.weight_items, X * Y * W, 1e-12);
	assert_int_equal(traffic(layer, "pipeline=3", 3, &whole).count, 0);
	assert_false(strategies[PARADL_PIPELINE]->replicates_weights);
}

/* Degrees of 1 cut nothing and send nothing. */
static void degrees_of_one_change_nothing(void **state)
{
	const struct layer *const layer = layer_at(*state, NETWORK, 1);
	const struct paradl_plan plan = setup_plan("serial", 3);
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		for (unsigned i = 0; i < 2 && strategies[axis]->split; ++i) {
			const struct shard before = shard_whole(layer, 3);
			struct shard shard = before;
			strategies[axis]->split(&shard, layer, &plan, i ? &ideal : &whole);
			assert_memory_equal(&shard, &before, sizeof shard);
		}
	struct traffic_list list = {.count = 0};
	const struct shard shard = shard_whole(layer, 3);
	strategies[PARADL_SPATIAL]->communicate(&list, layer, &shard, &plan, &whole);
	assert_int_equal(list.count, 0);
}

static void limits_are_least_extents(void **state)
{
	struct setup *const setup = *state;
	const struct layer *const first = layer_at(setup, NETWORK, 0), *const middle =
									       layer_at(setup, NETWORK, 1);
	const struct layer *const last = layer_at(setup, NETWORK, 2);
	assert_int_equal(strategies[PARADL_DATA]->limit(middle, 0), UINT_MAX);
	assert_int_equal(strategies[PARADL_PIPELINE]->limit(middle, 0), UINT_MAX);
	assert_int_equal(strategies[PARADL_FILTER]->limit(middle, 0), 22);
	assert_int_equal(strategies[PARADL_CHANNEL]->limit(first, 0), UINT_MAX);
	assert_int_equal(strategies[PARADL_CHANNEL]->limit(middle, 0), 14);
	assert_int_equal(strategies[PARADL_CHANNEL]->limit(last, 0), 22 * 30 * 10);
	assert_int_equal(strategies[PARADL_SPATIAL]->limit(middle, 0), 15); /* 2 rows of 30 in each piece */
	assert_int_equal(strategies[PARADL_SPATIAL]->limit(middle, 1), 10); /* a position of y in each */
	assert_int_equal(strategies[PARADL_SPATIAL]->limit(middle, 2), 1);
	assert_int_equal(strategies[PARADL_SPATIAL]->limit(last, 2), 1);
}

static void shares_are_of_the_fullest(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 300; ++n)
		for (unsigned pieces = 1; pieces <= 300; ++pieces) {
			assert_close(share(n, pieces, false), (n + pieces - 1) / pieces, 0);
			assert_close(share(n, pieces, true), (double)n / pieces, 0);
		}
	assert_close(share(1e15, 3, false), 333333333333334.0, 0);
	assert_close(share(1e15, 1, false), 1e15, 0);
	assert_close(share(0.5, 2, false), 1, 0);
}

static void tables_agree(void **state)
{
	struct setup *const setup = *state;
	static const char *const names[] = {
		"data", "pipeline", "expert", "context", "tensor", "filter", "channel", "spatial"};
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis) {
		assert_int_equal(strategies[axis]->axis, axis);
		assert_string_equal(strategies[axis]->name, names[axis]);
		assert_string_equal(paradl_strategy(axis).name, names[axis]);
		assert_string_equal(paradl_strategy(axis).summary, strategies[axis]->summary);
	}
	assert_null(paradl_strategy(PARADL_AXIS_COUNT).name);
	/* A framework's "split" names classes of layers: each name is the class of that name. */
	assert_true((int)LAYER_CLASS_COUNT <= (int)FRAMEWORK_CLASSES);
	for (unsigned i = 0; i < LAYER_CLASS_COUNT; ++i)
		for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis) {
			const struct paradl_framework *const framework = setup_framework(
				setup, arena_printf(setup->arena, ", \"split\": {\"%s\": [\"%s\"]}",
					       names[axis], layer_class_names[i]));
			for (unsigned k = 0; k < FRAMEWORK_CLASSES; ++k)
				for (unsigned other = 0; other < PARADL_AXIS_COUNT; ++other)
					assert_int_equal(
						framework->splits[other][k], k == i && other == axis);
		}
	assert_null(layer_class_names[LAYER_CLASS_COUNT]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(the_whole_is_not_cut),
		setup_test(data_cuts_samples),
		setup_test(filter_cuts_output_channels),
		setup_test(channel_cuts_input_channels),
		setup_test(filter_and_channel_compose),
		setup_test(ends_of_the_network),
		setup_test(partial_backward_of_filter),
		setup_test(spatial_cuts_extents),
		setup_test(spatial_pieces_are_of_the_fullest),
		setup_test(pipeline_cuts_no_tensor),
		setup_test(degrees_of_one_change_nothing),
		setup_test(limits_are_least_extents),
		cmocka_unit_test(shares_are_of_the_fullest),
		setup_test(tables_agree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
