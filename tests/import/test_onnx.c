/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks in ONNX: real ones with published counts, and ones written here with counts by hand. */
#include "onnx_writer.h"

/* Parameters as published; flop of convolutions and products, two for each multiplication and addition. */
static void test_real_networks(void **state)
{
	static const struct {
		const char *file;
		double params, gflop;
	} networks[] = {
		{"resnet50", 25557032, 8.178},
		{"vgg19", 143667240, 39.264},
		{"bvlc_alexnet", 60965224, 1.309},
		{"inception_v1", 6998552, 2.863},
		{"squeezenet", 1235496, 0.698},
	};
	(void)state;
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
		char path[96];
		(void)snprintf(path, sizeof path, "tests/data/onnx/light_%s.onnx", networks[i].file);
		struct imported imported = import_path(path, NULL);
		if (!imported.model)
			fail_msg("%s: %s", path, imported.error.message);
		assert_close(imported.model->weight_items, networks[i].params, 0);
		assert_close(imported.model->forward_flop, networks[i].gflop * 1e9, 1e-3);
		assert_int_equal(imported.model->input.channels, 3);
		assert_int_equal(imported.model->input.extent[0], 224);
		imported_free(&imported);
	}
}

static double kept_items(const struct paradl_model *model)
{
	double items = 0;
	for (unsigned i = 0; i < model->layer_count; i++)
		items += model->layers[i].count * model->layers[i].kept_items;
	return items;
}

static double pass_items(const struct paradl_model *model)
{
	double items = 0;
	for (unsigned i = 0; i < model->layer_count; i++)
		items += model->layers[i].count *
			 (model->layers[i].forward_items + model->layers[i].backward_items);
	return items;
}

/* The same network, imported and as we ship it. */
static void test_shipped_networks(void **state)
{
	static const char *const names[] = {"vgg19", "resnet50"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[96];
		struct paradl_error error;
		(void)snprintf(path, sizeof path, "tests/data/onnx/light_%s.onnx", names[i]);
		struct imported imported = import_path(path, NULL);
		(void)snprintf(path, sizeof path, "models/%s.json", names[i]);
		const struct paradl_model *const shipped =
			paradl_model_load(imported.arena, &(struct paradl_source){.path = path}, &error);
		assert_non_null(shipped);
		assert_close(imported.model->weight_items, shipped->weight_items, 0);
		assert_close(imported.model->forward_flop, shipped->forward_flop, 0);
		assert_close(imported.model->backward_flop, shipped->backward_flop, 0);
		assert_close(kept_items(imported.model), kept_items(shipped), 0);
		assert_close(pass_items(imported.model), pass_items(shipped), 0);
		imported_free(&imported);
	}
}

static struct out image(const char *dims)
{
	struct out graph = {NULL, 0, 0};
	put_value(&graph, 11, "x", dims);
	put_value(&graph, 12, "y", "");
	return graph;
}

/* Places of a window by trying all: the first at -before, each one stride on, none over the edge. */
static unsigned places(int extent, int kernel, int stride, int before, int after, int dilation)
{
	unsigned count = 0;
	for (int at = -before; at + dilation * (kernel - 1) < extent + after; at += stride)
		count++;
	return count;
}

static void test_windows(void **state)
{
	static const struct {
		int kernel, stride, before, after, dilation;
	} windows[] = {{3, 1, 1, 1, 1}, {3, 2, 0, 1, 1}, {3, 2, 1, 0, 1}, {7, 2, 3, 3, 1}, {3, 1, 2, 2, 2},
		{5, 3, 1, 2, 1}, {2, 2, 0, 0, 1}, {4, 1, 0, 3, 1}, {1, 4, 0, 0, 1}};
	(void)state;
	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
		char dims[64], attributes[160];
		struct out graph = image("1,6,17,17");
		(void)snprintf(dims, sizeof dims, "8,3,%d,%d", windows[i].kernel, windows[i].kernel);
		put_tensor(&graph, "w", dims, NULL);
		(void)snprintf(attributes, sizeof attributes,
			"group:2;strides=%d,%d;pads=%d,%d,%d,%d;dilations=%d,%d", windows[i].stride,
			windows[i].stride, windows[i].before, windows[i].before, windows[i].after,
			windows[i].after, windows[i].dilation, windows[i].dilation);
		put_node(&graph, "Conv", "x,w", "y", attributes);
		struct imported imported = import_graph(&graph);
		const double out = places(17, windows[i].kernel, windows[i].stride, windows[i].before,
			windows[i].after, windows[i].dilation);
		const double weights = 8.0 * 3 * windows[i].kernel * windows[i].kernel;
		assert_counts(&imported, weights, 2 * weights * out * out);
		imported_free(&imported);
	}
}

static void test_same_padding(void **state)
{
	(void)state;
	struct out graph = image("4,6,17,17");
	put_tensor(&graph, "w", "8,6,3,3", NULL);
	put_tensor(&graph, "b", "8", NULL);
	put_node(&graph, "Conv", "x,w,b", "y", "auto_pad\"SAME_UPPER;strides=2,2");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 8 * 6 * 9 + 8, 2.0 * 8 * 6 * 9 * 81);
	imported_free(&imported);
}

/* 2 C F k^2 for each place of x; y of an odd output padding is twice x. */
static void test_transposed(void **state)
{
	(void)state;
	struct out graph = image("1,16,8,8");
	put_tensor(&graph, "w", "16,8,3,3", NULL);
	put_node(&graph, "ConvTranspose", "x,w", "t", "strides=2,2;pads=1,1,1,1;output_padding=1,1");
	put_tensor(&graph, "v", "8,4,2,2", NULL);
	put_node(&graph, "ConvTranspose", "t,v", "y", "strides=2,2");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 16 * 8 * 9 + 8 * 4 * 4, 2.0 * 16 * 8 * 9 * 64 + 2.0 * 8 * 4 * 4 * 256);
	assert_string_equal(paradl_model_layer(imported.model, 1).y, "4x32x32");
	imported_free(&imported);
}

/* A residual block with squeeze-and-excitation nests; SiLU is x sigmoid(x). */
static void test_squeeze_and_excite(void **state)
{
	(void)state;
	struct out graph = image("1,8,6,6");
	put_tensor(&graph, "w", "8,8,1,1", NULL);
	put_tensor(&graph, "v", "8,8,1,1", NULL);
	put_node(&graph, "Conv", "x,w", "a", "");
	put_node(&graph, "Sigmoid", "a", "s", "");
	put_node(&graph, "Mul", "a,s", "b", "");
	put_node(&graph, "GlobalAveragePool", "b", "g", "");
	put_node(&graph, "Conv", "g,v", "h", "");
	put_node(&graph, "HardSigmoid", "h", "i", "");
	put_node(&graph, "Mul", "i,b", "m", "");
	put_node(&graph, "Add", "x,m", "y", "");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 128, 2.0 * 64 * 36 + 2.0 * 64);
	assert_non_null(strstr(imported.text, "silu"));
	assert_non_null(strstr(imported.text, "multiply"));
	assert_null(strstr(imported.text, "\"from\""));
	imported_free(&imported);
}

/* Every layer reads all before it: no nesting says that. */
static void test_dense_block(void **state)
{
	(void)state;
	struct out graph = image("1,4,5,5");
	put_tensor(&graph, "w1", "4,4,1,1", NULL);
	put_tensor(&graph, "w2", "4,8,1,1", NULL);
	put_tensor(&graph, "w3", "4,12,1,1", NULL);
	put_node(&graph, "Conv", "x,w1", "a", "");
	put_node(&graph, "Concat", "x,a", "xa", "axis:1");
	put_node(&graph, "Conv", "xa,w2", "b", "");
	put_node(&graph, "Concat", "x,a,b", "xab", "axis:1");
	put_node(&graph, "Conv", "xab,w3", "y", "");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 16 + 32 + 48, 2.0 * 25 * (16 + 32 + 48));
	assert_non_null(strstr(imported.text, "\"input\""));
	imported_free(&imported);
}

/* Scale and shift after a norm are the norm's own; an addend after a convolution is its bias. */
static void test_folding(void **state)
{
	(void)state;
	struct out graph = image("1,3,5,5");
	put_tensor(&graph, "w", "4,3,3,3", NULL);
	put_node(&graph, "Conv", "x,w", "a", "");
	put_tensor(&graph, "bias", "1,4,1,1", NULL);
	put_node(&graph, "Add", "a,bias", "b", "");
	for (unsigned i = 0; i < 4; i++)
		put_tensor(&graph, (const char *[]){"s", "t", "mean", "var"}[i], "4", NULL);
	put_node(&graph, "BatchNormalization", "b,s,t,mean,var", "n", "");
	put_tensor(&graph, "scale", "4", NULL);
	put_tensor(&graph, "shift", "4", NULL);
	put_tensor(&graph, "axes", "2", "1,2");
	put_node(&graph, "Unsqueeze", "scale,axes", "scale3", "");
	put_node(&graph, "Unsqueeze", "shift,axes", "shift3", "");
	put_node(&graph, "Mul", "n,scale3", "m", "");
	put_node(&graph, "Add", "m,shift3", "y", "");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 4 * 3 * 9 + 4 + 8, 2.0 * 4 * 3 * 9 * 9);
	imported_free(&imported);
}

static void test_tied_weights(void **state)
{
	(void)state;
	struct out graph = image("1,4,5,5");
	put_tensor(&graph, "w", "4,4,1,1", NULL);
	put_node(&graph, "Conv", "x,w", "a", "");
	put_node(&graph, "Conv", "a,w", "y", "");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 16, 2 * 2.0 * 25 * 16);
	assert_int_equal(imported.findings.count, 1);
	imported_free(&imported);
}

/* Exported without weights: they are inputs, too. */
static void test_weights_as_inputs(void **state)
{
	(void)state;
	struct out graph = {NULL, 0, 0};
	put_value(&graph, 11, "w", "4,3,3,3");
	put_value(&graph, 11, "junk", "7");
	put_value(&graph, 11, "x", "0,3,8,8");
	put_value(&graph, 12, "y", "");
	put_node(&graph, "Conv", "x,w", "a", "");
	put_node(&graph, "Relu", "a", "y", "");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 108, 2.0 * 108 * 36);
	imported_free(&imported);
}

/* Reshape(x, [Shape(x)[0], -1]) as exporters write it, of 4 samples; weights of a Constant of its shape. */
static void test_computed_shapes(void **state)
{
	(void)state;
	struct out graph = image("4,3,2,2");
	put_tensor(&graph, "zero", "1", "0");
	put_tensor(&graph, "rest", "1", "-1");
	put_tensor(&graph, "dims", "2", "10,12");
	put_node(&graph, "Shape", "x", "s", "");
	put_node(&graph, "Gather", "s,zero", "n", "axis:0");
	put_node(&graph, "Concat", "n,rest", "target", "axis:0");
	put_node(&graph, "Reshape", "x,target", "f", "");
	put_node(&graph, "ConstantOfShape", "dims", "w", "");
	put_node(&graph, "Gemm", "f,w", "y", "transB:1");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 120, 240);
	imported_free(&imported);
}

/* A slice that begins before the first item, backwards, has that item. */
static void test_slice_backwards(void **state)
{
	(void)state;
	struct out graph = image("4,3,2,2");
	put_tensor(&graph, "first", "1", "-9");
	put_tensor(&graph, "end", "1", "-20");
	put_tensor(&graph, "axis", "1", "0");
	put_tensor(&graph, "back", "1", "-1");
	put_tensor(&graph, "rest", "1", "-1");
	put_tensor(&graph, "w", "10,12", NULL);
	put_node(&graph, "Shape", "x", "s", "");
	put_node(&graph, "Slice", "s,first,end,axis,back", "n", "");
	put_node(&graph, "Concat", "n,rest", "target", "axis:0");
	put_node(&graph, "Reshape", "x,target", "f", "");
	put_node(&graph, "Gemm", "f,w", "y", "transB:1");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 120, 240);
	imported_free(&imported);
}

/*
 * Looks at what a node makes of 4 samples of 1x8x1, told by the last layer before the loss. NULL: nothing is known of it, where
 * a text or an unknown node would say the numbers.
 */
static void test_optional_numbers(void **state)
{
	static const struct {
		const char *operation, *inputs, *attributes, *y;
	} nodes[] = {{"Squeeze", "r", "", "8"}, {"Squeeze", "r,last", "", "1x8"},
		{"Squeeze", "r,none", "", "1x8x1"}, {"Squeeze", "r,unknown", "", NULL},
		{"ReduceSum", "r,last", "keepdims:0", "1x8"}, {"ReduceSum", "r,third", "keepdims:0", "1x1"},
		{"ReduceSum", "r,unknown", "keepdims:0", NULL},
		{"ReduceSum", "r,none", "noop_with_empty_axes:1", "1x8x1"},
		{"ReduceMean", "r", "noop_with_empty_axes:1;keepdims:0", "1x8x1"},
		{"ReduceMax", "r,third", "noop_with_empty_axes:1", "1x1x1"},
		{"Split", "r,three", "axis:2", "1x3x1"}, {"Split", "r,unknown", "axis:2", NULL},
		{"Slice", "r,none1,last1,third", "", "1x7x1"}, {"Slice", "r,none1,last1,unknown", "", NULL},
		{"Slice", "r,none1,last1,third,unknown", "", NULL}, {"Expand", "r,eight", "", "1x8x8"},
		{"Expand", "r,text", "", NULL}, {"Expand", "r,texts", "", NULL}};
	(void)state;
	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
		struct out graph = image("4,1,8,1");
		put_tensor(&graph, "last", "1", "-1");
		put_tensor(&graph, "third", "1", "2");
		put_tensor(&graph, "none", "0", "");
		put_tensor(&graph, "none1", "1", "0");
		put_tensor(&graph, "last1", "1", "-1");
		put_tensor(&graph, "three", "2", "3,5");
		put_tensor(&graph, "eight", "1", "8");
		put_node(&graph, "Mystery", "last", "unknown", "");
		put_node(&graph, "Constant", "", "text", "value_string\"8");
		put_node(&graph, "Constant", "", "texts", "value_strings\"8");
		put_node(&graph, "Relu", "x", "r", "");
		put_node(&graph, nodes[i].operation, nodes[i].inputs,
			strcmp(nodes[i].operation, "Split") == 0 ? "s,rest" : "s", nodes[i].attributes);
		put_node(&graph, "Relu", "s", "y", "");
		struct imported imported = import_graph(&graph);
		if (!imported.model)
			fail_msg("%s %s: %s", nodes[i].operation, nodes[i].inputs, imported.error.message);
		assert_int_equal(imported.findings.count > 0 &&
					 strstr(imported.findings.warnings[0], "\"s\" is not known"),
			!nodes[i].y);
		if (nodes[i].y)
			assert_string_equal(paradl_model_layer(imported.model,
						    paradl_model_info(imported.model).layer_count - 2)
						    .y,
				nodes[i].y);
		imported_free(&imported);
	}
}

/* Nodes whose first output has no name have no layer that another node's could be taken for. */
static void test_outputs_without_names(void **state)
{
	static const char *const nodes[][3] = {
		{"Cast", "n", "to:7"}, {"Gather", "table,n", "axis:0"}, {"Resize", "c,,twice", ""}};
	(void)state;
	for (unsigned i = 0; i < sizeof nodes / sizeof *nodes; i++) {
		struct out graph = image("1,4,8,8");
		put_tensor(&graph, "w", "4,4,3,3", NULL);
		put_tensor(&graph, "table", "9,5", NULL);
		put_tensor(&graph, "n", "1", "1");
		put_tensor(&graph, "twice", "4", "1,1,2,2");
		put_node(&graph, "Conv", "x,w", "c", "");
		put_node(&graph, nodes[i][0], nodes[i][1], ",unused", nodes[i][2]);
		put_node(&graph, "Add", "c,unused", "y", "");
		struct imported imported = import_graph(&graph);
		assert_true(!imported.model || imported.findings.count > 0);
		imported_free(&imported);
	}
}

static void test_options(void **state)
{
	static const char *const shapes[] = {"u=1,4,6,6"};
	const struct paradl_import_options sized = {.input = "x=3,8,8"},
					   assumed = {.shapes = shapes, .shape_count = 1};
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct out graph = image("0,3,0,0");
		put_tensor(&graph, "w", "4,3,3,3", NULL);
		put_node(&graph, "Conv", "x,w", "y", "");
		struct imported imported = import_graph_with(&graph, i == 0 ? NULL : &sized);
		if (i == 0)
			assert_non_null(strstr(imported.error.hint, "--input"));
		else
			assert_counts(&imported, 108, 2.0 * 108 * 36);
		imported_free(&imported);
	}
	for (unsigned i = 0; i < 2; i++) {
		struct out graph = image("1,4,8,8");
		put_tensor(&graph, "w", "4,4,3,3", NULL);
		put_node(&graph, "Mystery", "x", "u", "");
		put_node(&graph, "Conv", "u,w", "y", "");
		struct imported imported = import_graph_with(&graph, i == 0 ? NULL : &assumed);
		if (i == 0)
			assert_non_null(strstr(imported.error.hint, "--assume-shape u="));
		else
			assert_counts(&imported, 144, 2.0 * 144 * 16);
		imported_free(&imported);
	}
}

/* What only sorts boxes, at the end, is left out. */
static void test_unknown_tail(void **state)
{
	(void)state;
	struct out graph = image("1,4,8,8");
	put_tensor(&graph, "w", "4,4,3,3", NULL);
	put_node(&graph, "Conv", "x,w", "c", "");
	put_node(&graph, "SortBoxes", "c", "d", "");
	put_node(&graph, "Relu", "d", "y", "");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 144, 2.0 * 144 * 36);
	assert_int_equal(imported.findings.count, 2);
	imported_free(&imported);
}

/* A network at random: each layer reads what comes; at the end a sum of all that nobody read. */
static void random_network(unsigned seed)
{
	enum { LAYERS = 24 };
	struct out graph = image("1,4,6,6");
	unsigned reads[LAYERS + 1] = {0}, state = seed * 2654435761U + 1;
	double weights = 0, flop = 0;
	char sum[512] = "", name[16];
	for (unsigned i = 1; i <= LAYERS; i++) {
		char inputs[48], output[16], dims[32];
		state = state * 1664525U + 1013904223U;
		const unsigned a = (state >> 8) % i, b = (state >> 16) % i, kind = (state >> 24) % 3;
		(void)snprintf(output, sizeof output, "v%u", i);
		reads[a]++;
		if (kind > 0 && a != b) {
			(void)snprintf(
				inputs, sizeof inputs, "%c%u,%c%u", a ? 'v' : 'x', a, b ? 'v' : 'x', b);
			reads[b]++;
		} else {
			(void)snprintf(inputs, sizeof inputs, "%c%u", a ? 'v' : 'x', a);
		}
		if (kind == 1 && a != b) {
			put_node(&graph, "Add", inputs, output, "");
			continue;
		}
		const unsigned channels = kind == 2 && a != b ? 8 : 4;
		if (channels == 8) {
			(void)snprintf(name, sizeof name, "c%u", i);
			put_node(&graph, "Concat", inputs, name, "axis:1");
			(void)snprintf(inputs, sizeof inputs, "c%u,w%u", i, i);
		} else {
			(void)snprintf(inputs, sizeof inputs, "%c%u,w%u", a ? 'v' : 'x', a, i);
		}
		(void)snprintf(name, sizeof name, "w%u", i);
		(void)snprintf(dims, sizeof dims, "4,%u,1,1", channels);
		put_tensor(&graph, name, dims, NULL);
		put_node(&graph, "Conv", inputs, output, "");
		weights += 4.0 * channels;
		flop += 2 * 4.0 * channels * 36;
	}
	for (unsigned i = 1; i <= LAYERS; i++)
		if (reads[i] == 0)
			(void)snprintf(
				sum + strlen(sum), sizeof sum - strlen(sum), "%sv%u", *sum ? "," : "", i);
	put_node(&graph, "Identity", "x", "x0", "");
	put_node(&graph, "Sum", sum, "s", "");
	put_node(&graph, "Relu", "s", "y", "");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, weights, flop);
	imported_free(&imported);
}

static void test_random_networks(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 300; seed++)
		random_network(seed);
}

/* Channels last, turned before anything else reads them; and shapes of a model have them first. */
static void test_channels_last(void **state)
{
	(void)state;
	struct out graph = image("1,8,10,3");
	put_tensor(&graph, "w", "4,3,3,3", NULL);
	put_node(&graph, "Transpose", "x", "t", "perm=0,3,1,2");
	put_node(&graph, "Conv", "t,w", "y", "");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 108, 2.0 * 108 * 6 * 8);
	assert_int_equal(imported.model->input.channels, 3);
	assert_int_equal(imported.model->input.extent[1], 10);
	imported_free(&imported);
}

/* GroupNorm as PyTorch writes it: scale and shift of the groups are ones and zeros, those of channels follow. */
static void test_group_norm(void **state)
{
	(void)state;
	struct out graph = image("1,8,4,4");
	put_tensor(&graph, "groups", "3", "0,2,-1");
	put_tensor(&graph, "whole", "4", "1,8,4,4");
	put_node(&graph, "Relu", "x", "r", "");
	put_node(&graph, "Reshape", "r,groups", "a", "");
	put_tensor(&graph, "ones", "2", NULL);
	put_tensor(&graph, "zeros", "2", NULL);
	put_node(&graph, "InstanceNormalization", "a,ones,zeros", "b", "");
	put_node(&graph, "Reshape", "b,whole", "c", "");
	put_tensor(&graph, "scale", "8,1,1", NULL);
	put_tensor(&graph, "shift", "8,1,1", NULL);
	put_node(&graph, "Mul", "c,scale", "d", "");
	put_node(&graph, "Add", "d,shift", "y", "");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 16, 0);
	assert_non_null(strstr(imported.text, "\"kind\": \"group\", \"groups\": 2"));
	assert_null(strstr(imported.text, "reshape"));
	imported_free(&imported);
}

/* A channel shuffle, halves of it, and what Resize makes larger. */
static void test_moves(void **state)
{
	(void)state;
	struct out graph = image("1,4,6,6");
	put_tensor(&graph, "apart", "5", "1,2,2,6,6");
	put_tensor(&graph, "together", "4", "1,4,6,6");
	put_tensor(&graph, "sizes", "4", "1,4,12,9");
	put_tensor(&graph, "w", "4,4,1,1", NULL);
	put_node(&graph, "Conv", "x,w", "a", "");
	put_node(&graph, "Reshape", "a,apart", "b", "");
	put_node(&graph, "Transpose", "b", "c", "perm=0,2,1,3,4");
	put_node(&graph, "Reshape", "c,together", "d", "");
	put_node(&graph, "Split", "d", "e,f", "axis:1");
	put_node(&graph, "Concat", "f,e", "g", "axis:1");
	put_node(&graph, "Resize", "g,,,sizes", "y", "mode\"linear");
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 16, 2.0 * 16 * 36);
	assert_non_null(strstr(imported.text, "\"kind\": \"linear\", \"size\": [ 12, 9 ]"));
	imported_free(&imported);
}

static void refused(struct imported imported, const char *because)
{
	if (imported.model)
		fail_msg("was read, and should not be: %s", because);
	if (!strstr(imported.error.message, because))
		fail_msg("refused with \"%s\", expected \"%s\"", imported.error.message, because);
	imported_free(&imported);
}

static void test_hostile_graphs(void **state)
{
	static const struct {
		const char *dims, *because;
	} tensors[] = {{"4,-3,3,3", "a dimension of -3"},
		{"2147483647,2147483647,2147483647", "cannot be counted"},
		{"9223372036854775807", "a dimension of"}, {"1,1,1,1,1,1,1,1,1", "more than 8 dimensions"},
		{"4,5,3,3", "weights for 5 channels"}, {"4,3,0,3", "a dimension of 0"},
		{"4,3,70000,3", "a dimension of 70000"}};
	(void)state;
	for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
		struct out graph = image("1,3,8,8");
		put_tensor(&graph, "w", tensors[i].dims, NULL);
		put_node(&graph, "Conv", "x,w", "y", "");
		refused(import_graph(&graph), tensors[i].because);
	}
	struct out cycle = image("1,3,8,8");
	put_node(&cycle, "Add", "x,b", "a", "");
	put_node(&cycle, "Relu", "a", "b", "");
	put_node(&cycle, "Relu", "b", "y", "");
	refused(import_graph(&cycle), "has a cycle: ");
	struct out twice = image("1,3,8,8");
	put_node(&twice, "Relu", "x", "y", "");
	put_node(&twice, "Tanh", "x", "y", "");
	refused(import_graph(&twice), "two things named \"y\"");
	struct out large = image("1,3,2000000000,2000000000");
	put_node(&large, "Relu", "x", "y", "");
	refused(import_graph(&large), "cannot be counted");
	struct out window = image("1,3,8,8");
	put_node(&window, "MaxPool", "x", "y", "kernel_shape=9,9");
	refused(import_graph(&window), "larger than its input");
	struct out two = image("1,3,8,8");
	put_value(&two, 11, "z", "1,3,8,8");
	put_node(&two, "Relu", "x", "a", "");
	put_node(&two, "Relu", "z", "b", "");
	put_node(&two, "Add", "a,b", "y", "");
	refused(import_graph(&two), "has several inputs");
	struct out none = {NULL, 0, 0};
	put_node(&none, "Relu", "x", "y", "");
	refused(import_graph(&none), "no outputs");
}

/* Attributes with graphs in graphs: they are not followed. */
static void test_nesting(void **state)
{
	(void)state;
	struct out inner = {NULL, 0, 0};
	for (unsigned i = 0; i < 100000; i++) {
		/* Lengths grow with depth: written from the inside, backwards, they need not be moved. */
		struct out head = {NULL, 0, 0};
		out_number(&head, 6 << 3 | 2);
		out_number(&head, inner.used);
		for (size_t b = head.used; b-- > 0;)
			out_byte(&inner, head.data[b]);
		free(head.data);
	}
	for (size_t i = 0; i < inner.used / 2; i++) {
		const uint8_t byte = inner.data[i];
		inner.data[i] = inner.data[inner.used - 1 - i];
		inner.data[inner.used - 1 - i] = byte;
	}
	struct out graph = image("1,3,8,8"), node = {NULL, 0, 0};
	out_text(&node, 1, "x");
	out_text(&node, 2, "y");
	out_text(&node, 4, "Relu");
	out_message(&node, 5, &inner);
	out_message(&graph, 1, &node);
	struct imported imported = import_graph(&graph);
	assert_counts(&imported, 0, 0);
	imported_free(&imported);
}

/* Every beginning of a file is refused with a reason. */
static void test_truncated(void **state)
{
	static char data[8192];
	FILE *const file = fopen("tests/data/onnx/light_bvlc_alexnet.onnx", "rb");
	(void)state;
	assert_non_null(file);
	const size_t length = fread(data, 1, sizeof data, file);
	(void)fclose(file);
	assert_true(length > 1000 && length < sizeof data);
	for (size_t part = 0; part < length; part += 7) {
		struct imported imported =
			import_bytes(data, part, &(struct paradl_import_options){.from = "onnx"});
		/* What follows the graph is the version of the operators only. */
		assert_true(imported.model ? part > length - 16 : imported.error.message[0] != '\0');
		imported_free(&imported);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real_networks),
		cmocka_unit_test(test_shipped_networks),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_same_padding),
		cmocka_unit_test(test_transposed),
		cmocka_unit_test(test_squeeze_and_excite),
		cmocka_unit_test(test_dense_block),
		cmocka_unit_test(test_folding),
		cmocka_unit_test(test_tied_weights),
		cmocka_unit_test(test_weights_as_inputs),
		cmocka_unit_test(test_computed_shapes),
		cmocka_unit_test(test_slice_backwards),
		cmocka_unit_test(test_optional_numbers),
		cmocka_unit_test(test_outputs_without_names),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_unknown_tail),
		cmocka_unit_test(test_random_networks),
		cmocka_unit_test(test_channels_last),
		cmocka_unit_test(test_group_norm),
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_hostile_graphs),
		cmocka_unit_test(test_nesting),
		cmocka_unit_test(test_truncated),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
