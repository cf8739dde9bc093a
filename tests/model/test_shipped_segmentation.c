/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks that label every point. Parameters and work are summed up here again by closed forms, stage by stage, and held
 * against published sizes: 31.2 M parameters of nnU-Net's 3-D network with five halvings; 56 M of DeepCAM.
 */
#include "test.h"

#include "model/model.h"

struct sum {
	double parameters, flop;
};

/* Without bias, and the norm after it: a factor and a shift for each channel. */
static void add_conv(struct sum *sum, double in, double out, double volume, double positions)
{
	sum->parameters += in * out * volume;
	sum->flop += 2 * in * out * volume * positions;
}

static void add_norm(struct sum *sum, double channels)
{
	sum->parameters += 2 * channels;
}

static struct sum unet(void)
{
	static const double width[] = {32, 64, 128, 256, 320, 320};
	struct sum sum = {0, 0};
	double positions = 128.0 * 128 * 128;
	for (int i = 0; i < 6; i++) {
		positions /= i > 0 ? 8 : 1;
		add_conv(&sum, i > 0 ? width[i - 1] : 1, width[i], 27, positions);
		add_conv(&sum, width[i], width[i], 27, positions);
		add_norm(&sum, 2 * width[i]);
	}
	for (int i = 4; i >= 0; i--) {
		add_conv(&sum, width[i + 1], width[i], 8, positions);
		sum.parameters += width[i]; /* bias of what is transposed */
		positions *= 8;
		add_conv(&sum, 2 * width[i], width[i], 27, positions);
		add_conv(&sum, width[i], width[i], 27, positions);
		add_norm(&sum, 2 * width[i]);
	}
	add_conv(&sum, 32, 3, 1, positions);
	sum.parameters += 3;
	return sum;
}

/* Depthwise 3 x 3, then 1 x 1. */
static void add_separable(struct sum *sum, double in, double out, double positions)
{
	add_conv(sum, in, 1, 9, positions);
	add_conv(sum, in, out, 1, positions);
}

static struct sum deepcam(void)
{
	struct sum sum = {0, 0};
	const double half = 384.0 * 576, quarter = half / 4, eighth = half / 16, sixteenth = half / 64;
	add_conv(&sum, 16, 32, 9, half);
	add_conv(&sum, 32, 64, 9, half);
	add_norm(&sum, 32 + 64);
	/* Entry flow: two separable convolutions, a third that halves, a shortcut. */
	const double width[] = {64, 128, 256, 728}, before[] = {half, quarter, eighth},
		     after[] = {quarter, eighth, sixteenth};
	for (int i = 0; i < 3; i++) {
		add_separable(&sum, width[i], width[i + 1], before[i]);
		add_separable(&sum, width[i + 1], width[i + 1], before[i]);
		add_separable(&sum, width[i + 1], width[i + 1], after[i]);
		add_conv(&sum, width[i], width[i + 1], 1, after[i]);
		add_norm(&sum, 3 * width[i + 1]);
	}
	for (int i = 0; i < 16 * 3; i++) {
		add_separable(&sum, 728, 728, sixteenth);
		add_norm(&sum, 728);
	}
	/* Exit flow */
	add_separable(&sum, 728, 728, sixteenth);
	add_separable(&sum, 728, 1024, sixteenth);
	add_separable(&sum, 1024, 1024, sixteenth);
	add_conv(&sum, 728, 1024, 1, sixteenth);
	add_separable(&sum, 1024, 1536, sixteenth);
	add_separable(&sum, 1536, 1536, sixteenth);
	add_separable(&sum, 1536, 2048, sixteenth);
	add_norm(&sum, 728 + 2 * 1024 + 2 * 1536 + 2048);
	/* Pyramid: 1 x 1, three dilated 3 x 3, the mean of all places */
	add_conv(&sum, 2048, 256, 1 + 3 * 9, sixteenth);
	add_conv(&sum, 2048, 256, 1, 1);
	add_conv(&sum, 5 * 256, 256, 1, sixteenth);
	add_norm(&sum, 6 * 256);
	/* Decoder */
	add_conv(&sum, 256, 256, 9, sixteenth);
	add_conv(&sum, 256, 256, 9, eighth);
	add_conv(&sum, 128, 48, 1, quarter);
	add_conv(&sum, 256 + 48, 256, 9, quarter);
	add_conv(&sum, 256, 256, 9, quarter);
	add_conv(&sum, 256, 256, 9, quarter);
	add_norm(&sum, 5 * 256 + 48);
	add_conv(&sum, 256, 3, 9, half);
	sum.parameters += 3;
	return sum;
}

static void check(const char *path, struct sum sum, double published_parameters)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct paradl_model *const model =
		paradl_model_load(arena, &(struct paradl_source){.path = path}, &error);
	if (!model)
		fail_msg("%s: %s", path, error.message);
	const struct paradl_model_info info = paradl_model_info(model);
	assert_close(info.parameters, sum.parameters, 0);
	assert_close(info.forward_flop_per_sample, sum.flop, 1e-12);
	assert_close(info.parameters, published_parameters, 0.01);
	paradl_arena_free(arena);
}

static void work_is_the_closed_form(void **state)
{
	(void)state;
	check("models/unet-3d.json", unet(), 31.2e6);
	check("models/deepcam.json", deepcam(), 56e6);
}

/* What the last convolution gives has as many places as the input. */
static void every_point_gets_a_label(void **state)
{
	(void)state;
	static const char *const paths[] = {"models/unet-3d.json", "models/deepcam.json"};
	static const char *const labels[] = {"3x128x128x128", "3x768x1152"};
	for (size_t i = 0; i < 2; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		const struct paradl_model *const model =
			paradl_model_load(arena, &(struct paradl_source){.path = paths[i]}, &error);
		assert_non_null(model);
		assert_string_equal(paradl_model_layer(model, model->order_count - 1).x, labels[i]);
		paradl_arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_is_the_closed_form),
		cmocka_unit_test(every_point_gets_a_label),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
