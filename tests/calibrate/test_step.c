/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The training step of paradl-measure-step on one rank: gradients against differences of the loss, cuts against counting. */
#include "test.h"

#include <time.h>

#include "step/passes.h"
#include "step/trainer.h"

double clock_s(void) /* the harness's */
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct parameter number(const char *name, double value)
{
	return (struct parameter){name, NULL, value};
}

static struct parameter text(const char *name, const char *value)
{
	return (struct parameter){name, value, 0};
}

/* 6 x 4 samples of 2 channels; kernels of 3 and 2, a stride of 2, pools of both kinds, biases, two linear layers. */
static const struct network *small(void)
{
	static struct network network;
	char reason[REASON_LENGTH];
	const struct case_line lines[] = {
		{"plan", {number("batch", 4)}, 1},
		{"convolution",
			{number("channels", 2), number("filters", 6), text("kernel", "3,3"),
				text("pad", "1,1"), text("x", "8,4"), text("y", "8,4"), number("bias", 1)},
			7},
		{"relu", {{0}}, 0},
		{"max-pool",
			{text("kernel", "2,2"), text("stride", "2,2"), text("x", "8,4"), text("y", "4,2")},
			4},
		{"convolution",
			{number("channels", 6), number("filters", 5), text("kernel", "2,1"),
				text("stride", "2,1"), text("x", "4,2"), text("y", "2,2")},
			6},
		{"relu", {{0}}, 0},
		{"mean-pool",
			{text("kernel", "1,2"), text("stride", "1,2"), text("x", "2,2"), text("y", "2,1")},
			4},
		{"linear", {number("channels", 10), number("filters", 7), number("bias", 1)}, 3},
		{"relu", {{0}}, 0},
		{"linear", {number("channels", 7), number("filters", 3)}, 2},
		{"softmax-loss", {{0}}, 0},
	};
	assert_null(network_read(&network, lines, sizeof lines / sizeof lines[0], reason));
	return &network;
}

static struct trainer *create(
	const struct network *network, enum axis axis, unsigned rank, unsigned ranks, size_t micro_batches)
{
	const struct assignment assignment = {
		.axis = axis, .peers = {rank, ranks}, .batch = 4, .micro_batches = micro_batches};
	char reason[REASON_LENGTH] = "";
	bool absent;
	struct trainer *trainer = trainer_create(network, &assignment, reason, &absent);
	if (!trainer)
		fail_msg("%s", reason);
	return trainer;
}

/* Central differences of the loss; the largest error as a share of the largest gradient of the layer. */
static void gradients_are_differences_of_the_loss(void **state)
{
	(void)state;
	const double step = 1e-3;
	struct trainer *trainer = create(small(), AXIS_NONE, 0, 1, 1);
	struct trainer *other = create(small(), AXIS_NONE, 0, 1, 1);
	trainer_gradients(trainer);
	double worst = 0, most = 0;
	for (size_t i = 0; i < trainer->weight_count; ++i) {
		const float before = other->weights[i];
		other->weights[i] = before + (float)step;
		trainer_gradients(other);
		double difference = other->loss;
		other->weights[i] = before - (float)step;
		trainer_gradients(other);
		difference = (difference - other->loss) / (2 * step) / 4;
		other->weights[i] = before;
		worst = fmax(worst, fabs(difference - (double)trainer->gradients[i]));
		most = fmax(most, fabs(difference));
	}
	assert_true(most > 0.01);
	if (worst > 0.02 * most)
		fail_msg("gradients are off by %g, the largest is %g", worst, most);
	trainer_free(trainer);
	trainer_free(other);
}

static void micro_batches_add_up(void **state)
{
	(void)state;
	struct trainer *whole = create(small(), AXIS_NONE, 0, 1, 1);
	struct trainer *parts = create(small(), AXIS_NONE, 0, 1, 4);
	trainer_gradients(whole);
	trainer_gradients(parts);
	for (unsigned i = 0; i < whole->network->count; ++i)
		if (layer_has_weights(&whole->network->layers[i]))
			assert_true(gradient_difference(parts, whole, i) < 1e-5);
	assert_close(parts->loss, whole->loss, 1e-5);
	trainer_free(whole);
	trainer_free(parts);
}

static void a_wrong_gradient_is_seen(void **state)
{
	(void)state;
	unsigned where;
	struct trainer *trainer = create(small(), AXIS_NONE, 0, 1, 1);
	assert_true(trainer_difference(trainer, &where) < 1e-6);
	trainer->weights[trainer->parts[8].weights_at] += 0.05F;
	assert_true(trainer_difference(trainer, &where) > 1e-3);
	trainer_free(trainer);
}

static void updates_lower_the_loss(void **state)
{
	(void)state;
	struct trainer *trainer = create(small(), AXIS_NONE, 0, 1, 1);
	trainer_gradients(trainer);
	const double before = trainer->loss;
	for (unsigned i = 0; i < 200; ++i) {
		trainer_update(trainer);
		trainer_gradients(trainer);
	}
	assert_true(trainer->loss < before * 0.95);
	assert_true(compute_s(trainer) > 0);
	assert_true(communication_s(trainer) <= 0);
	trainer_free(trainer);
}

/* What ranks hold of a cut layer is the whole, each item once. */
static void cuts_hold_each_weight_once(void **state)
{
	(void)state;
	const enum axis axes[] = {AXIS_FILTER, AXIS_CHANNEL};
	const struct network *network = small();
	for (unsigned axis = 0; axis < 2; ++axis)
		for (unsigned layer = 0; layer < network->count; ++layer) {
			const struct step_layer *whole = &network->layers[layer];
			const size_t biases = whole->bias ? whole->shape.filters : 0;
			unsigned seen[512] = {0};
			bool split = false;
			if (!layer_has_weights(whole))
				continue;
			for (unsigned rank = 0; rank < 3; ++rank) {
				struct trainer *trainer = create(network, axes[axis], rank, 3, 1);
				const struct part *part = &trainer->parts[layer];
				split = part->split;
				for (size_t i = 0; i < part->weights; ++i)
					++seen[part_whole_weight(trainer, layer, i)];
				for (size_t i = 0; i < (whole->bias ? part->here.filters : 0); ++i)
					++seen[part_whole_weight(trainer, layer, part->weights + i)];
				trainer_free(trainer);
			}
			const size_t weights = convolution_weights(&whole->shape);
			const bool own_bias = split && axes[axis] == AXIS_FILTER;
			for (size_t i = 0; i < weights + biases; ++i)
				assert_int_equal(seen[i], split && (i < weights || own_bias) ? 1 : 3);
		}
}

static void what_cannot_be_cut_is_said(void **state)
{
	(void)state;
	struct network network = *small();
	char reason[REASON_LENGTH];
	bool absent = false;
	struct assignment assignment = {
		.axis = AXIS_SPATIAL, .peers = {0, 3}, .batch = 4, .micro_batches = 1};
	assert_null(trainer_create(&network, &assignment, reason, &absent));
	assert_true(absent);
	assert_non_null(strstr(reason, "rows"));
	assignment = (struct assignment){.axis = AXIS_DATA, .peers = {0, 3}, .batch = 4, .micro_batches = 1};
	assert_null(trainer_create(&network, &assignment, reason, &absent));
	assert_non_null(strstr(reason, "batch"));
	assignment =
		(struct assignment){.axis = AXIS_FILTER, .peers = {0, 4}, .batch = 4, .micro_batches = 1};
	assert_null(trainer_create(&network, &assignment, reason, &absent));
	assert_non_null(strstr(reason, "filters"));
}

/* The largest sum of the best division, by trying all. */
static double best_division(const double *times, unsigned count, unsigned parts)
{
	double best = HUGE_VAL, sum = 0;
	if (parts == 1) {
		for (unsigned i = 0; i < count; ++i)
			sum += times[i];
		return sum;
	}
	for (unsigned first = 1; first + parts - 1 <= count; ++first) {
		sum += times[first - 1];
		best = fmin(best, fmax(sum, best_division(times + first, count - first, parts - 1)));
	}
	return best;
}

static void stages_are_the_best(void **state)
{
	(void)state;
	unsigned seed = 12345;
	for (unsigned turn = 0; turn < 200; ++turn) {
		double times[9];
		unsigned ends[9];
		const unsigned count = 1 + turn % 9, parts = 1 + turn % count;
		for (unsigned i = 0; i < count; ++i) {
			seed = seed * 1664525u + 1013904223u;
			times[i] = (double)(seed >> 24);
		}
		stages_divide(times, count, parts, ends);
		double slowest = 0;
		for (unsigned part = 0, at = 0; part < parts; ++part) {
			double sum = 0;
			assert_true(ends[part] > at);
			for (; at < ends[part]; ++at)
				sum += times[at];
			slowest = fmax(slowest, sum);
		}
		assert_int_equal(ends[parts - 1], count);
		assert_close(slowest, best_division(times, count, parts), 1e-12);
	}
}

static void networks_that_are_none(void **state)
{
	(void)state;
	struct network network;
	char reason[REASON_LENGTH];
	const struct case_line strange[] = {{"dropout", {{0}}, 0}};
	const struct case_line open[] = {{"linear", {number("channels", 2), number("filters", 2)}, 2}};
	const struct case_line broken[] = {{"linear", {number("channels", 2), number("filters", 2)}, 2},
		{"linear", {number("channels", 3), number("filters", 2)}, 2}};
	assert_non_null(network_read(&network, strange, 1, reason));
	assert_non_null(strstr(reason, "no such layer"));
	assert_non_null(network_read(&network, open, 1, reason));
	assert_non_null(strstr(reason, "softmax-loss"));
	assert_non_null(network_read(&network, broken, 2, reason));
	assert_non_null(strstr(reason, "layer 2"));
}

/* Windows that hang over the edges, against a definition by coordinates. */
static void pools_at_edges(void **state)
{
	(void)state;
	const struct convolution c = {.batch = 2,
		.channels = 3,
		.filters = 3,
		.groups = 1,
		.kernel = {3, 2, 1},
		.stride = {2, 1, 1},
		.pad = {1, 1, 0},
		.dilation = {1, 1, 1},
		.x = {5, 4, 1},
		.y = {3, 5, 1}};
	float x[2 * 5 * 4 * 3], y[2 * 3 * 5 * 3], dx[sizeof x / sizeof x[0]];
	double sum = 0, given = 0;
	for (unsigned i = 0; i < sizeof x / sizeof x[0]; ++i)
		x[i] = (float)((i * 37) % 101) - 50;
	pass_pool(&c, false, x, y);
	for (unsigned n = 0; n < 2; ++n)
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 5; ++j)
				for (int channel = 0; channel < 3; ++channel) {
					float most = -1000;
					for (int a = 2 * i - 1; a < 2 * i + 2; ++a)
						for (int b = j - 1; b < j + 1; ++b)
							if (a >= 0 && a < 5 && b >= 0 && b < 4)
								most = fmaxf(
									most, x[((n * 5 + (unsigned)a) * 4 +
											(unsigned)b) *
											      3 +
										      (unsigned)channel]);
					const unsigned place = ((n * 3 + (unsigned)i) * 5 + (unsigned)j) * 3 +
							       (unsigned)channel;
					assert_close((double)y[place], (double)most, 0);
				}
	for (unsigned i = 0; i < sizeof y / sizeof y[0]; ++i)
		sum += (double)y[i];
	pass_max_gradient(&c, x, y, y, dx);
	for (unsigned i = 0; i < sizeof x / sizeof x[0]; ++i)
		given += (double)dx[i];
	assert_close(given, sum, 1e-5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gradients_are_differences_of_the_loss),
		cmocka_unit_test(micro_batches_add_up),
		cmocka_unit_test(a_wrong_gradient_is_seen),
		cmocka_unit_test(updates_lower_the_loss),
		cmocka_unit_test(cuts_hold_each_weight_once),
		cmocka_unit_test(what_cannot_be_cut_is_said),
		cmocka_unit_test(stages_are_the_best),
		cmocka_unit_test(networks_that_are_none),
		cmocka_unit_test(pools_at_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
