/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are not models: where the error points and what it says. The names that begin with "shape-" are those
 * that the JSON Schema cannot refuse (see schema_agreement.py).
 */
#include <dirent.h>

#include "test.h"

#include "model/model.h"

static const struct refused {
	const char *name;
	int line, column;
	const char *pointer, *message;
} files[] = {
	/* clang-format off */
	{"format-other", 1, 13, "/format", "\"paradl-hw\"; that of a model is"},
	{"format-missing", 1, 1, "", "format"},
	{"version-newer", 1, 40, "/version", "a newer paradl is needed"},
	{"version-text", 1, 40, "/version", "must be a whole number"},
	{"root-array", 1, 1, "", "object"},
	{"name-missing", 1, 1, "", "name"},
	{"input-missing", 1, 1, "", "input"},
	{"layers-missing", 1, 1, "", "layers"},
	{"layers-none", 1, 110, "/layers", "must have layers"},
	{"header-unknown-key", 2, 12, "/layer", "did you mean \"layers\""},
	{"input-tokens", 1, 67, "/input", "either tokens"},
	{"input-no-shape", 2, 12, "/input", "needs channels and shape"},
	{"input-four-extents", 2, 38, "/input/shape", "4 extents"},
	{"input-zero", 2, 42, "/input/shape/1", "whole number from 1"},
	{"shape-input-too-large", 2, 12, "/input", "2^53"},
	{"dims-zero", 2, 22, "/dims/width", "whole number from 1"},
	{"dims-bad-name", 2, 22, "/dims/Width", "lower-case"},
	{"shape-dims-unknown", 5, 32, "/layers/0/out", "did you mean \"$width\""},
	{"training-precision", 2, 30, "/training/precision", "\"fp32\""},
	{"training-optimizer", 2, 30, "/training/optimizer", "\"adam\""},
	{"training-batch-half", 2, 34, "/training/batch_per_gpu", "whole number"},
	{"dataset-bare-size", 2, 31, "/dataset/sample_size", "unit"},
	{"dataset-wrong-unit", 2, 31, "/dataset/sample_size", "kB"},
	{"dataset-tokens", 2, 26, "/dataset/tokens", "only a model whose input is tokens"},
	{"dataset-no-samples", 2, 27, "/dataset/samples", "from 1"},
	{"layer-not-an-object", 5, 5, "/layers/0", "object"},
	{"layer-no-type", 5, 5, "/layers/0", "needs a type"},
	{"layer-type-number", 5, 15, "/layers/0/type", "must be a string"},
	{"layer-type-unknown", 5, 15, "/layers/0/type", "did you mean \"conv\""},
	{"layer-type-later", 5, 15, "/layers/0/type", "not supported yet"},
	{"layer-unknown-key", 5, 42, "/layers/0/kernl", "did you mean \"kernel\""},
	{"layer-wrong-key", 5, 48, "/layers/0/kernel", "unknown key"},
	{"layer-name-empty", 5, 15, "/layers/0/name", "must not be empty"},
	{"layer-freeze-text", 5, 36, "/layers/0/freeze", "true or false"},
	{"conv-no-out", 5, 5, "/layers/0", "out"},
	{"conv-no-kernel", 5, 5, "/layers/0", "kernel"},
	{"conv-stride-zero", 5, 56, "/layers/0/stride", "whole number from 1 to 65535"},
	{"conv-pad-text", 5, 53, "/layers/0/pad", "whole number"},
	{"conv-kernel-empty", 5, 43, "/layers/0/kernel", "one per dimension"},
	{"conv-kernel-huge", 5, 43, "/layers/0/kernel", "65535"},
	{"shape-conv-kernel-large", 5, 43, "/layers/0/kernel", "kernel is 10 but its input is 7x7 with pad 1"},
	{"shape-conv-kernel-volume", 3, 43, "/layers/0/kernel", "kernel is 9 but its input is 9x8x7 with pad 0"},
	{"conv-stride-half", 5, 60, "/layers/0/stride/1", "whole number"},
	{"conv-groups-text", 5, 56, "/layers/0/groups", "whole number"},
	{"custom-shape-zero", 5, 54, "/layers/0/out_shape/1", "whole number from 1"},
	{"shape-conv-dilated", 5, 43, "/layers/0/kernel", "kernel is 3 with dilation 4 but its input is 7x7 with pad 0"},
	{"shape-conv-kernel-count", 5, 43, "/layers/0/kernel", "kernel has 3 numbers but its input is 8x7x7, of 2 dimensions"},
	{"shape-conv-groups-in", 5, 56, "/layers/0/groups", "groups is 3, which does not divide the 8 channels"},
	{"shape-conv-groups-out", 5, 56, "/layers/0/groups", "groups is 4, which does not divide out, 6"},
	{"shape-conv-vector", 6, 5, "/layers/1", "vector of 392"},
	{"shape-linear-too-many-weights", 6, 5, "/layers/1", "2^53"},
	{"shape-conv-transposed-small", 5, 43, "/layers/0/kernel", "extent of -1"},
	{"shape-linear-too-many-items", 3, 5, "/layers/0", "7500000000 items"},
	{"shape-flatten-too-many-items", 3, 5, "/layers/0", "7500000000 items"},
	{"linear-no-out", 5, 5, "/layers/0", "out"},
	{"linear-tied", 5, 43, "/layers/0/tied", "tied"},
	{"norm-kind-unknown", 5, 31, "/layers/0/kind", "\"batch\""},
	{"norm-group-no-groups", 5, 5, "/layers/0", "needs groups"},
	{"norm-batch-groups", 5, 50, "/layers/0/groups", "\"group\" only"},
	{"shape-norm-groups", 5, 50, "/layers/0/groups", "does not divide the 8 channels"},
	{"pool-no-kernel", 5, 5, "/layers/0", "needs a kernel"},
	{"pool-global-kernel", 5, 64, "/layers/0/kernel", "a global pooling has no kernel"},
	{"shape-pool-large", 5, 48, "/layers/0/kernel", "kernel is 8 but its input is 7x7 with pad 0"},
	{"act-no-kind", 5, 5, "/layers/0", "kind"},
	{"dropout-p", 5, 31, "/layers/0/p", "from 0 to 1"},
	{"loss-kind", 5, 31, "/layers/0/kind", "cross-entropy"},
	{"custom-no-shape", 5, 5, "/layers/0", "out_shape"},
	{"custom-negative", 5, 34, "/layers/0/flops", "from 0"},
	{"custom-params-half", 5, 47, "/layers/0/params", "whole number"},
	{"custom-shape-empty", 5, 50, "/layers/0/out_shape", "0 numbers"},
	{"custom-split", 5, 65, "/layers/0/split/0", "\"batch\""},
	{"add-one-branch", 5, 34, "/layers/0/branches", "at least 2"},
	{"add-nothing", 5, 5, "/layers/0", "needs branches"},
	{"add-branch-not-a-list", 5, 40, "/layers/0/branches/1", "array of layers"},
	{"shape-add-unequal", 5, 83, "/layers/0/branches/1", "adds 8x7x7 to 4x7x7"},
	{"shape-concat-unequal", 6, 7, "/layers/0/branches/1", "joins 4x5x5 to 8x7x7 along axis 0"},
	{"shape-multiply-unequal", 5, 88, "/layers/0/branches/1", "multiplies 4x7x7 by 8x7x7"},
	{"upsample-scale-size", 5, 5, "/layers/0", "either scale or size"},
	{"upsample-no-kind", 5, 5, "/layers/0", "kind"},
	{"shape-upsample-shrinks", 5, 53, "/layers/0/size", "must not shrink"},
	{"shape-reshape-items", 5, 39, "/layers/0/out_shape", "a view has as many items"},
	{"shape-upsample-dimensions", 5, 54, "/layers/0/scale", "scale has 3 numbers"},
	{"concat-axis", 5, 33, "/layers/0/axis", "from 0 to 3"},
	{"shape-concat-axis", 5, 33, "/layers/0/axis", "axis is 3 but its input has 2 dimensions"},
	{"group-empty", 5, 30, "/layers/0/layers", "must have layers"},
	{"group-unknown-key", 5, 18, "/layers/0/repeats", "did you mean \"repeat\""},
	{"group-repeat-zero", 5, 17, "/layers/0/repeat", "whole number from 1"},
	{"shape-group-too-many", 5, 17, "/layers/0/repeat", "makes 2000000000 layers, more than 100000"},
	{"shape-group-nested-too-many", 5, 17, "/layers/0/repeat", "makes 1000000 layers"},
	{"shape-layers-too-many", 1, 110, "/layers", "makes 120000 layers"},
	{"shape-group-shrinks", 5, 83, "/layers/0/layers/0/kernel", "kernel is 3 but its input is 1x1 with pad 0"},
	{"from-text", 5, 70, "/layers/1/from", "array of names"},
	{"from-two-for-conv", 6, 34, "/layers/2/from", "takes one input, but from has 2"},
	{"from-one-for-add", 5, 66, "/layers/1/from", "at least 2 names"},
	{"from-number", 5, 71, "/layers/1/from/0", "names of earlier layers"},
	{"shape-from-unknown", 5, 74, "/layers/1/from/0", "did you mean \"stem\""},
	{"shape-from-later", 5, 35, "/layers/0/from/0", "no earlier layer"},
	{"shape-from-inside-group", 6, 35, "/layers/1/from/0", "no earlier layer"},
	{"shape-from-unequal", 6, 36, "/layers/2/from/1", "adds 8x3x3 to 8x5x5"},
	{"shape-attention-image", 4, 5, "/layers/0", "works on tokens"},
	{"attention-latent-no-rope", 6, 5, "/layers/1", "needs rope_dim and nope_dim"},
	{"attention-latent-kv-heads", 6, 97, "/layers/1/kv_heads", "does not go with kv_rank"},
	{"attention-rope-dim", 6, 52, "/layers/1/rope_dim", "goes with kv_rank"},
	{"attention-kernel", 6, 50, "/layers/1/kernel", "\"flash\" or \"unfused\""},
	{"attention-heads-many", 6, 37, "/layers/1/heads", "1048576"},
	{"shape-attention-heads", 6, 37, "/layers/1/heads", "does not divide the width 64"},
	{"shape-attention-block", 6, 66, "/layers/1/block", "does not divide the 32 tokens"},
	{"attention-block-causal", 6, 49, "/layers/1/block", "needs \"causal\": false"},
	{"attention-block-window", 6, 79, "/layers/1/window", "does not go with block"},
	{"reshape-tokens-grid", 5, 39, "/layers/0/out_shape", "two numbers"},
	{"shape-attention-kv-heads", 6, 52, "/layers/1/kv_heads", "does not divide the 4 heads"},
	{"mlp-act", 6, 44, "/layers/1/act", "\"silu\""},
	{"mlp-no-hidden", 6, 5, "/layers/1", "hidden"},
	{"shape-moe-top-k", 6, 45, "/layers/1/top_k", "there are 4 experts"},
	{"moe-gate-alone", 6, 77, "/layers/1/shared_gate", "needs a shared expert"},
	{"moe-imbalance", 6, 75, "/layers/1/imbalance", "a number from 1"},
	{"shape-head-tied-unknown", 6, 43, "/layers/1/tied", "did you mean \"embed\""},
	{"shape-head-tied-other", 7, 43, "/layers/2/tied", "no embedding"},
	{"shape-head-tied-rows", 6, 43, "/layers/1/tied", "needs 101 rows of 64"},
	{"head-tied-number", 6, 43, "/layers/1/tied", "name of an embedding"},
	{"shape-norm-batch-tokens", 6, 31, "/layers/1/kind", "normalised"},
	{"shape-conv-tokens", 6, 5, "/layers/1", "does not take tokens"},
	{"shape-pool-tokens", 6, 31, "/layers/1/kind", "pooled by"},
	{"shape-pool-masked-many", 6, 51, "/layers/1/tokens", "picks 33"},
	{"pool-masked-no-tokens", 6, 5, "/layers/1", "needs tokens"},
	{"pool-masked-both", 6, 63, "/layers/1/share", "either tokens or a share"},
	{"pool-first-share", 6, 49, "/layers/1/share", "share belongs to kind"},
	{"pool-first-tokens", 6, 50, "/layers/1/tokens", "masked"},
	{"shape-pool-first-image", 4, 31, "/layers/0/kind", "only tokens"},
	{"embedding-no-rows", 4, 5, "/layers/0", "needs rows"},
	{"embedding-token-patch", 4, 60, "/layers/0/patch", "kind \"patch\" only"},
	{"shape-embedding-positions", 4, 64, "/layers/0/positions", "31 learned positions"},
	{"shape-embedding-patches-of-tokens", 4, 5, "/layers/0", "cuts an image"},
	{"shape-embedding-image", 4, 5, "/layers/0", "looks tokens up"},
	{"embedding-patch-rows", 4, 76, "/layers/0/rows", "kind \"token\" only"},
	{"shape-embedding-patch-large", 4, 54, "/layers/0/patch", "into 0 tokens"},
	{"dataset-tokens-samples", 2, 14, "/dataset", "counted in tokens"},
	/* clang-format on */
};
enum { COUNT = sizeof files / sizeof files[0] };

static void load(const char *name, struct paradl_error *error)
{
	struct paradl_arena *const arena = paradl_arena_create();
	char path[128];
	*error = (struct paradl_error){0};
	snprintf(path, sizeof path, "tests/data/invalid/models/%s.json", name);
	if (paradl_model_load(arena, &(struct paradl_source){.path = path}, error))
		fail_msg("%s is accepted", path);
	assert_string_equal(error->path, path);
	paradl_arena_free(arena);
}

static void errors_say_where_and_what(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		struct paradl_error error;
		load(files[i].name, &error);
		if (error.line != files[i].line || error.column != files[i].column ||
			strcmp(error.pointer, files[i].pointer) != 0 ||
			!strstr(error.message, files[i].message) || error.status != PARADL_SCHEMA)
			fail_msg("%s: %d:%d: %s: %s (status %d)\nexpected %d:%d: %s: ...%s...", files[i].name,
				error.line, error.column, error.pointer, error.message, (int)error.status,
				files[i].line, files[i].column, files[i].pointer, files[i].message);
	}
}

static void every_file_is_in_the_table(void **state)
{
	(void)state;
	size_t count = 0;
	DIR *const folder = opendir("tests/data/invalid/models");
	assert_non_null(folder);
	for (const struct dirent *entry; (entry = readdir(folder));)
		count += strstr(entry->d_name, ".json") != NULL;
	closedir(folder);
	assert_int_equal(count, COUNT);
}

static void a_failing_repetition_says_what_it_was_given(void **state)
{
	(void)state;
	struct paradl_error error;
	load("shape-group-shrinks", &error);
	assert_string_equal(
		error.hint, "in repetition 4 of 4 of g: its input was 8x7x7 at first and is now 8x1x1");
	load("layer-type-unknown", &error);
	assert_non_null(strstr(error.hint, "conv, linear, norm"));
}

static void a_missing_file_is_named(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	assert_null(paradl_model_load(arena, &(struct paradl_source){.path = "models/no-such.json"}, &error));
	assert_int_equal(error.status, PARADL_IO);
	assert_string_equal(error.path, "models/no-such.json");
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_say_where_and_what),
		cmocka_unit_test(every_file_is_in_the_table),
		cmocka_unit_test(a_failing_repetition_says_what_it_was_given),
		cmocka_unit_test(a_missing_file_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
