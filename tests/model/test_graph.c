/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Order, names, distinct layers, units, "from". */
#include "model/build.h"

#define CONV(name, out)                                                                                      \
	"{ \"name\": \"" name "\", \"type\": \"conv\", \"out\": " #out ", \"kernel\": 1, \"bias\": false }"
#define RELU "{ \"type\": \"act\", \"kind\": \"relu\" }"
#define NORM "{ \"type\": \"norm\", \"kind\": \"batch\" }"

static void assert_names(const struct built *built, const char *expected)
{
	char names[1024] = "";
	size_t used = 0;
	for (unsigned i = 0; i < built->model->order_count; i++)
		used += (size_t)snprintf(
			names + used, sizeof names - used, "%s%s", i > 0 ? " " : "", built->model->names[i]);
	assert_string_equal(names, expected);
}

/* "first..end:items ..." */
static void assert_units(const struct built *built, const char *expected)
{
	char units[1024] = "";
	size_t used = 0;
	for (unsigned i = 0; i < built->model->unit_count; i++) {
		const struct unit *const unit = &built->model->units[i];
		used += (size_t)snprintf(units + used, sizeof units - used, "%s%u..%u:%.0f", i > 0 ? " " : "",
			unit->first, unit->end, unit->boundary_items);
	}
	assert_string_equal(units, expected);
}

/* Of each position, whose output it reads: "- 0 0,1"; "-" is the network's input. */
static void assert_reads(const char *layers, const char *expected)
{
	struct built built = build_at("3", "[8]", layers);
	char reads[1024] = "";
	size_t used = 0;
	for (unsigned i = 0; i < built.model->order_count; i++)
		for (unsigned k = 0; k < built.model->reads[i].count; k++) {
			const int position = built.model->reads[i].positions[k];
			const char *const between = k > 0 ? "," : i > 0 ? " " : "";
			used += (size_t)(position == READS_INPUT
						 ? snprintf(reads + used, sizeof reads - used, "%s-", between)
						 : snprintf(reads + used, sizeof reads - used, "%s%d",
							   between, position));
		}
	assert_string_equal(reads, expected);
	paradl_arena_free(built.arena);
}

/* The weights of a frozen group are frozen, except those of layers and groups in it that say otherwise. */
static void groups_freeze(void **state)
{
	(void)state;
	static const bool frozen[] = {false, true, false, true, false, true, false, true, false};
	struct built built = build_at("3", "[8]",
		CONV("a", 3) ", { \"repeat\": 2, \"freeze\": true, \"layers\": [ " CONV("b",
			3) ", "
			   "{ \"name\": \"c\", \"type\": \"conv\", \"out\": 3, \"kernel\": 1, \"freeze\": "
			   "false }, "
			   "{ \"layers\": [ " CONV("d", 3) " ] }, { \"freeze\": false, \"layers\": [ " CONV(
				   "e", 3) " ] } ] }, " CONV("f",
				   3) ", { \"type\": \"loss\", \"kind\": \"mse\" }");
	assert_int_equal(built.model->order_count, 11);
	for (unsigned i = 0; i < sizeof frozen / sizeof frozen[0]; i++)
		assert_int_equal(layer_at(&built, i)->frozen_items > 0, frozen[i]);
	paradl_arena_free(built.arena);
}

static void check(const char *layers, const char *names, const char *units)
{
	struct built built = build_at("3", "[8]", layers);
	if (names)
		assert_names(&built, names);
	if (units)
		assert_units(&built, units);
	paradl_arena_free(built.arena);
}

static void names_are_paths(void **state)
{
	(void)state;
	check(CONV("a", 3) ", " NORM ", " RELU ", " NORM, "a norm1 act1 norm2", NULL);
	check("{ \"name\": \"res\", \"repeat\": \"$times\", \"layers\": [ " CONV("a", 3) ", " RELU " ] }",
		"res/0/a res/0/act1 res/1/a res/1/act1 res/2/a res/2/act1", NULL);
	check("{ \"name\": \"res\", \"layers\": [ " CONV("a", 3) " ] }, " RELU, "res/a act1", NULL);
	check("{ \"repeat\": 1, \"layers\": [ " RELU " ] }, { \"layers\": [ " RELU " ] }",
		"group1/0/act1 group2/act1", NULL);
	/* Branches of an unnamed block count with the layers around it, those of a named one are below it. */
	check(NORM ", { \"type\": \"add\", \"branches\": [ [ " NORM " ], [ " NORM " ] ] }, " NORM,
		"norm1 norm2 norm3 add1 norm4", NULL);
	check(NORM ", { \"name\": \"sum\", \"type\": \"add\", \"branches\": [ [ " NORM " ], [ " NORM
		   " ] ] }, " NORM,
		"norm1 sum/norm1 sum/norm2 sum norm2", NULL);
	check("{ \"name\": \"o\", \"repeat\": 2, \"layers\": [ { \"name\": \"i\", \"repeat\": 2, \"layers\": "
	      "[ " RELU " ] } ] }",
		"o/0/i/0/act1 o/0/i/1/act1 o/1/i/0/act1 o/1/i/1/act1", NULL);
}

static void a_chain_may_be_cut_anywhere(void **state)
{
	(void)state;
	check(CONV("a", 4) ", " RELU ", { \"type\": \"flatten\" }, { \"type\": \"linear\", \"out\": 10 }",
		NULL, "0..1:32 1..2:32 2..3:32 3..4:10");
	check("{ \"repeat\": 2, \"layers\": [ " CONV("a", 4) ", " RELU " ] }", NULL,
		"0..1:32 1..2:32 2..3:32 3..4:32");
}

static void a_block_is_one_unit(void **state)
{
	(void)state;
	/* a | b c d add | relu */
	check(CONV("a", 4) ", { \"type\": \"add\", \"branches\": [ [ " CONV("b", 2) ", " CONV(
		      "c", 4) " ], [ " CONV("d", 4) " ] ] }, " RELU,
		NULL, "0..1:32 1..5:32 5..6:32");
	check(CONV("a", 4) ", { \"type\": \"add\", \"branches\": [ [ " CONV("b", 4) ", " RELU
										    " ], [] ] }, " RELU,
		NULL, "0..1:32 1..4:32 4..5:32");
	check(CONV("a", 4) ", { \"type\": \"add\", \"branches\": [ [], [ " CONV("b", 4) ", " RELU
											" ] ] }, " RELU,
		NULL, "0..1:32 1..4:32 4..5:32");
	check("{ \"type\": \"concat\", \"branches\": [ [ " CONV("a", 4) " ], [] ] }, " RELU, NULL,
		"0..2:56 2..3:56");
	/* A block in a branch of a block: one unit. */
	check(CONV("a", 4) ", { \"type\": \"add\", \"branches\": [ [ " CONV(
		      "b", 4) ", { \"type\": \"add\", \"branches\": [ [ " CONV("c",
		      4) " ], [] ] } ], [] ] }, " RELU,
		NULL, "0..1:32 1..5:32 5..6:32");
	check("{ \"repeat\": 2, \"layers\": [ { \"type\": \"add\", \"branches\": [ [ " CONV(
		      "a", 3) " ], [] ] } ] }",
		NULL, "0..2:24 2..4:24");
}

static void from_reads_an_earlier_layer(void **state)
{
	(void)state;
	/* The same block as "add" with branches, written as a list: the same shapes, the same units. */
	check(CONV("a", 4) ", " CONV("b", 2) ", " CONV(
		      "c", 4) ", { \"name\": \"d\", \"type\": \"conv\", \"out\": 4, \"kernel\": 1, \"from\": "
			      "[\"a\"] }, "
			      "{ \"type\": \"add\", \"from\": [\"c\", \"d\"] }, " RELU,
		"a b c d add1 act1", "0..1:32 1..5:32 5..6:32");
	/* A skip over several layers keeps them together; the chain goes on from what "from" read. */
	struct built built = build_at("3", "[8]",
		CONV("a", 4) ", { \"name\": \"side\", \"type\": \"linear\", \"out\": 7 }, { \"type\": "
			     "\"loss\", \"kind\": \"mse\" }, "
			     "{ \"name\": \"b\", \"type\": \"conv\", \"out\": 5, \"kernel\": 1, \"from\": "
			     "[\"a\"] }");
	assert_units(&built, "0..1:32 1..3:32 3..4:40");
	assert_string_equal(paradl_model_layer(built.model, 3).x, "4x8");
	paradl_arena_free(built.arena);
	built = build_at("3", "[8]",
		"{ \"name\": \"g\", \"repeat\": 2, \"layers\": [ " CONV("x", 6) " ] }, " CONV(
			"y", 2) ", "
				"{ \"type\": \"act\", \"kind\": \"relu\", \"from\": [\"g\"] }");
	assert_shape(&built, 3, "6x8"); /* a group's name is its last output */
	paradl_arena_free(built.arena);
}

/* A layer of `out` channels that reads the layer called `name`. */
#define READS(out, name) "{ \"type\": \"conv\", \"out\": " #out ", \"kernel\": 1, \"from\": [\"" name "\"] }"

static void check_reads(const char *layers, unsigned position, const char *x)
{
	struct built built = build_at("3", "[8]", layers);
	assert_string_equal(paradl_model_layer(built.model, position).x, x);
	paradl_arena_free(built.arena);
}

static void names_are_looked_up_from_the_inside_out(void **state)
{
	(void)state;
	/* Of equal names the later, the inner list's before the outer's, out of a group in a group, out of a branch. */
	check_reads(CONV("a", 4) ", " CONV("a", 5) ", " RELU ", " READS(2, "a"), 3, "5x8");
	check_reads(
		CONV("a", 4) ", { \"layers\": [ " CONV("a", 5) ", " CONV("b", 6) ", " READS(2, "a") " ] }", 3,
		"5x8");
	check_reads(CONV("a", 4) ", { \"layers\": [ " CONV("b", 6) ", " READS(2, "a") " ] }", 2, "4x8");
	check_reads(
		CONV("a", 4) ", { \"layers\": [ { \"layers\": [ " CONV("b", 6) ", " READS(2, "a") " ] } ] }",
		2, "4x8");
	check_reads(CONV("a", 4) ", " CONV("b", 2) ", { \"type\": \"add\", \"branches\": [ [], [ " READS(
			    2, "a") " ] ] }",
		2, "4x8");
	check_reads(CONV("a", 4) ", { \"repeat\": 2, \"layers\": [ " READS(2, "a") " ] }", 2, "4x8");
}

static void concat_takes_names_too(void **state)
{
	(void)state;
	struct built built = build_at("3", "[8]",
		CONV("a", 4) ", " CONV("b", 5) ", { \"type\": \"concat\", \"from\": [\"b\", \"a\"] }, " RELU);
	assert_shape(&built, 3, "9x8");
	assert_units(&built, "0..1:32 1..3:72 3..4:72"); /* after a only a is alive, after b both are */
	paradl_arena_free(built.arena);
}

static void a_block_may_read_from_elsewhere(void **state)
{
	(void)state;
	struct built built = build_at("3", "[8]",
		CONV("a", 4) ", " CONV(
			"b", 2) ", { \"type\": \"add\", \"from\": [\"a\"], \"branches\": [ [ " CONV("c",
			4) " ], [] ] }");
	assert_string_equal(paradl_model_layer(built.model, 2).x, "4x8");
	assert_string_equal(paradl_model_layer(built.model, 3).y, "4x8");
	paradl_arena_free(built.arena);
}

static void layers_know_whose_output_they_read(void **state)
{
	(void)state;
	assert_reads(NORM ", " RELU ", " NORM, "- 0 1");
	/* Branches begin at the same layer and end in the add; an empty one is that layer itself. */
	assert_reads(RELU ", { \"type\": \"add\", \"branches\": [ [ " NORM ", " RELU " ], [ " NORM
			  " ], [] ] }, " RELU,
		"- 0 1 0 0,2,3 4");
	assert_reads("{ \"type\": \"concat\", \"branches\": [ [ " CONV("a", 4) " ], [ " CONV(
			     "b", 5) " ] ] }, " RELU,
		"- - 0,1 2");
	/* A flatten is a layer, though it makes no tensor of its own. */
	assert_reads(
		CONV("a", 4) ", { \"type\": \"flatten\" }, { \"type\": \"linear\", \"out\": 2 }", "- 0 1");
	assert_reads(CONV("a", 4) ", " CONV("b", 4) ", " CONV(
			     "c", 4) ", { \"type\": \"add\", \"from\": [\"c\", \"a\", \"a\"] }",
		"- 0 1 0,2");
}

static void identical_layers_are_one_row(void **state)
{
	(void)state;
	struct built built = build_at("3", "[8]",
		CONV("first", 4) ", { \"name\": \"r\", \"repeat\": 10, \"layers\": [ " CONV(
			"a", 4) ", " RELU " ] }, " CONV("last", 4));
	const struct paradl_model *const model = built.model;
	/* first (reads the input), the second conv (its x is kept as a conv's y, not a relu's: same layer), relu, last. */
	assert_int_equal(model->order_count, 22);
	unsigned total = 0;
	for (unsigned i = 0; i < model->layer_count; i++)
		total += model->layers[i].count;
	assert_int_equal(total, 22);
	assert_int_equal(model->order[1], model->order[3]);
	assert_int_equal(model->order[2], model->order[4]);
	assert_true(model->order[0] != model->order[1]);  /* no backward-data */
	assert_true(model->order[21] != model->order[1]); /* is_last */
	assert_string_equal(model->layers[model->order[3]].name, "r/0/a");
	assert_int_equal(model->layers[model->order[3]].count, 10);
	assert_string_equal(model->names[19], "r/9/a");
	paradl_arena_free(built.arena);
}

static void layers_that_differ_in_anything_are_rows_of_their_own(void **state)
{
	(void)state;
	static const char *const others[] = {
		"{ \"type\": \"conv\", \"out\": 4, \"kernel\": 3, \"pad\": 1 }", /* same shape, other work */
		"{ \"type\": \"conv\", \"out\": 4, \"kernel\": 1, \"bias\": false }",
		"{ \"type\": \"conv\", \"out\": 4, \"kernel\": 1, \"groups\": 2 }",
		"{ \"type\": \"conv\", \"out\": 4, \"kernel\": 1, \"freeze\": true }",
		"{ \"type\": \"pool\", \"kind\": \"max\", \"kernel\": 1 }",
		"{ \"type\": \"pool\", \"kind\": \"avg\", \"kernel\": 1 }",
		"{ \"type\": \"act\", \"kind\": \"relu\" }",
		"{ \"type\": \"act\", \"kind\": \"tanh\" }",
	};
	enum { COUNT = sizeof others / sizeof others[0] };
	char layers[2048];
	size_t used =
		(size_t)snprintf(layers, sizeof layers, "{ \"type\": \"conv\", \"out\": 4, \"kernel\": 1 }");
	for (size_t i = 0; i < COUNT;
		i++) /* a plain conv between any two: one row, because a conv follows each */
		used += (size_t)snprintf(layers + used, sizeof layers - used,
			", %s, { \"type\": \"conv\", \"out\": 4, \"kernel\": 1 }", others[i]);
	(void)snprintf(layers + used, sizeof layers - used, ", { \"type\": \"loss\", \"kind\": \"mse\" }");
	struct built built = build_at("3", "[8]", layers);
	for (unsigned i = 0; i < COUNT; i++)
		for (unsigned j = i + 1; j < COUNT; j++)
			if (built.model->order[2 * i + 1] == built.model->order[2 * j + 1])
				fail_msg("%s and %s share a row", others[i], others[j]);
	paradl_arena_free(built.arena);
}

/* Where memory ends makes no difference to what is said: out of memory, or the whole model. */
static void running_out_of_memory_is_an_error(void **state)
{
	(void)state;
	bool built = false;
	for (size_t limit = 64; limit < 1 << 20 && !built; limit += limit / 16) {
		struct paradl_arena *const arena = arena_create_limited(limit);
		struct paradl_error error = {0};
		const struct paradl_model *const model =
			arena ? paradl_model_load(arena,
					&(struct paradl_source){.path = "models/resnet50.json"}, &error)
			      : NULL;
		built = model != NULL;
		if (!built && arena)
			assert_int_equal(error.status, PARADL_NO_MEMORY);
		paradl_arena_free(arena);
	}
	assert_true(built);
}

static void info_is_what_the_file_says(void **state)
{
	(void)state;
	struct built built = build_variant(
		"{ \"format\": \"paradl-model\", \"version\": 1, \"name\": \"small\", \"_note\": [1, {}],\n"
		"\"dims\": { \"rows\": 6 }, \"input\": { \"channels\": 2, \"shape\": [\"$rows\", 5] },\n"
		"\"training\": { \"precision\": \"bf16-mixed\", \"optimizer\": \"lars\", \"batch_per_gpu\": "
		"16 },\n"
		"\"dataset\": { \"name\": \"few\", \"samples\": 1000, \"sample_size\": \"1.5 KiB\", "
		"\"files\": 4 },\n"
		"\"layers\": [ { \"name\": \"fc\", \"type\": \"linear\", \"out\": 3, \"$comment\": 7 } ] }",
		NULL);
	assert_non_null(built.model);
	const struct paradl_model_info info = paradl_model_info(built.model);
	assert_string_equal(info.name, "small");
	assert_string_equal(info.path, "model.json");
	assert_string_equal(info.dataset, "few");
	assert_string_equal(info.optimizer, "lars");
	assert_int_equal(info.precision, PARADL_BF16_MIXED);
	assert_close(info.samples, 1000, 0);
	assert_close(info.batch_per_gpu, 16, 0);
	assert_close(info.parameters, 183, 0);
	assert_close(info.forward_flop_per_sample, 360, 0);
	assert_int_equal(info.layer_count, 1);
	assert_close(built.model->dataset.sample_bytes, 1536, 0);
	assert_close(built.model->dataset.files, 4, 0);
	const struct paradl_layer_info layer = paradl_model_layer(built.model, 0);
	assert_string_equal(layer.name, "fc");
	assert_string_equal(layer.type, "linear");
	assert_string_equal(layer.kind, "");
	assert_string_equal(layer.x, "2x6x5");
	assert_string_equal(layer.y, "3");
	assert_string_equal(paradl_model_layer(built.model, 1).name, "");
	paradl_arena_free(built.arena);
}

static void defaults_are_fp32_and_sgd(void **state)
{
	(void)state;
	struct built built = build_at("3", "[8]", RELU);
	assert_int_equal(built.model->precision, PARADL_FP32);
	assert_string_equal(built.model->optimizer, "sgd");
	assert_close(
		built.model->batch_per_gpu + built.model->dataset.samples + built.model->dataset.sample_bytes,
		0, 0);
	assert_null(built.model->dataset.name);
	paradl_arena_free(built.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_paths),
		cmocka_unit_test(a_chain_may_be_cut_anywhere),
		cmocka_unit_test(a_block_is_one_unit),
		cmocka_unit_test(from_reads_an_earlier_layer),
		cmocka_unit_test(names_are_looked_up_from_the_inside_out),
		cmocka_unit_test(concat_takes_names_too),
		cmocka_unit_test(a_block_may_read_from_elsewhere),
		cmocka_unit_test(layers_know_whose_output_they_read),
		cmocka_unit_test(identical_layers_are_one_row),
		cmocka_unit_test(layers_that_differ_in_anything_are_rows_of_their_own),
		cmocka_unit_test(running_out_of_memory_is_an_error),
		cmocka_unit_test(groups_freeze),
		cmocka_unit_test(info_is_what_the_file_says),
		cmocka_unit_test(defaults_are_fp32_and_sgd),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
