/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes which parts of a network are measured: a line for each distinct matrix product, linear layer or convolution,
 * at each batch size, of the whole layer and of each shard of --shards.
 *
 *   convolution layer=res2/0/a model=resnet50 batch=8 dimensions=2 channels=64 filters=64 groups=1 kernel=3x3x1 ...
 *   linear layer=fc model=resnet50 batch=8 channels=2048 filters=1000 bias=1 backward_data=1
 *   gemm layer=block/mlp model=gpt2 m=8192 n=3072 k=768 count=1 precision=bf16
 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "runner/calibrate.h"

enum { BATCHES_USUAL = 3, EXTENTS = 3 };

/* The file of cases while it is written. */
struct writer {
	struct campaign *campaign;
	const struct paradl_model *model;
	struct paradl_model_info info;
	const char *name; /* of the network, without blanks */
	FILE *file;
	struct text_list lines; /* lines that were written already, without "layer=" and "model=" */
	const struct option_counts *batches;
	const struct shard *shards;
	size_t shard_count;
	bool failed;
};

/*
 * Returns `text` as a value of the file, with '_' for control characters, blanks, quotes and backslashes: values end
 * at a blank, and names of points have no quotes or backslashes. NULL: out of memory.
 */
static const char *as_word(struct paradl_arena *arena, const char *text)
{
	char *const word = arena_text(arena, text);
	for (char *c = word; c && *c; c++)
		if ((unsigned char)*c <= ' ' || *c == '"' || *c == '\\' || *c == '\'' || *c == 0x7f)
			*c = '_';
	return word;
}

/* Writes a line unless there is one already that differs in its layer only. */
static void write_line(struct writer *writer, const char *kind, const char *layer, const char *rest)
{
	struct paradl_arena *const arena = writer->campaign->runner->arena;
	const char *const line = rest ? arena_printf(arena, "%s %s", kind, rest) : NULL;
	const char *const word = as_word(arena, layer);
	for (size_t i = 0; line && i < writer->lines.count; i++)
		if (strcmp(writer->lines.items[i], line) == 0)
			return;
	if (!line || !word || !text_list_add(arena, &writer->lines, line)) {
		writer->failed = true;
		return;
	}
	fprintf(writer->file, "%s layer=%s model=%s %s\n", kind, word, writer->name, rest);
}

static const char *extents(struct paradl_arena *arena, const char *name, const unsigned of[EXTENTS])
{
	const char *const text = arena_printf(
		arena, "%s=%ux%ux%u", name, of[0] ? of[0] : 1, of[1] ? of[1] : 1, of[2] ? of[2] : 1);
	return text ? text : "";
}

/* Returns "pad=1x1x0"; unlike other extents, padding is 0 where there is none. */
static const char *padding(struct paradl_arena *arena, const unsigned of[EXTENTS])
{
	const char *const text = arena_printf(arena, "pad=%ux%ux%u", of[0], of[1], of[2]);
	return text ? text : "";
}

/*
 * Reduces x and y to the rows that one of `degree` devices computes, and those of x that these need: with halos on
 * both sides, as a shard in the middle has. false: the layer has no rows, or fewer than devices.
 */
static bool cut_rows(struct paradl_layer_shape *shape, unsigned degree)
{
	if (degree == 1)
		return true;
	if (shape->tokens || !shape->dimensions || shape->y[0] < degree)
		return false;
	const unsigned dilation = shape->dilation[0] ? shape->dilation[0] : 1;
	const unsigned stride = shape->stride[0] ? shape->stride[0] : 1;
	const unsigned reach = dilation * (shape->kernel[0] - 1) + 1;
	shape->y[0] = (shape->y[0] + degree - 1) / degree;
	shape->x[0] = (shape->y[0] - 1) * stride + reach;
	shape->pad[0] = 0;
	return true;
}

/* Reduces a layer to the part that one device has; false: the layer cannot be cut like this, or not at all. */
static bool cut(struct paradl_layer_shape *shape, const struct shard *shard)
{
	if (shape->y_channels < shard->filter || shape->x_channels < shard->channel)
		return false;
	if (shape->groups > 1 && (shard->filter > 1 || shard->channel > 1)) {
		const unsigned degree = shard->filter * shard->channel;
		if (shape->groups % degree)
			return false;
		shape->groups /= degree;
		shape->x_channels /= degree;
		shape->y_channels /= degree;
	} else {
		shape->y_channels = (shape->y_channels + shard->filter - 1) / shard->filter;
		shape->x_channels = (shape->x_channels + shard->channel - 1) / shard->channel;
	}
	return cut_rows(shape, shard->spatial);
}

static const char *convolution_text(
	struct paradl_arena *arena, const struct paradl_layer_shape *shape, double batch)
{
	return arena_printf(arena,
		"batch=%.0f dimensions=%u channels=%u filters=%u groups=%u %s %s %s %s %s %s "
		"backward_data=%d",
		batch, shape->dimensions, shape->x_channels, shape->y_channels, shape->groups,
		extents(arena, "kernel", shape->kernel), extents(arena, "stride", shape->stride),
		padding(arena, shape->pad), extents(arena, "dilation", shape->dilation),
		extents(arena, "x", shape->x), extents(arena, "y", shape->y), shape->backward_data);
}

static void write_contraction(struct writer *writer, size_t index, const struct shard *shard, double batch)
{
	struct paradl_arena *const arena = writer->campaign->runner->arena;
	struct paradl_layer_shape shape = paradl_model_shape(writer->model, index);
	const char *const layer = paradl_model_layer(writer->model, index).name;
	const bool is_convolution = strcmp(shape.type, "conv") == 0;
	if ((!is_convolution && strcmp(shape.type, "linear") != 0) || shape.tokens || shard->tensor > 1 ||
		(!is_convolution && shard->spatial > 1) || !cut(&shape, shard))
		return;
	if (is_convolution)
		write_line(writer, "convolution", layer, convolution_text(arena, &shape, batch));
	else
		write_line(writer, "linear", layer,
			arena_printf(arena, "batch=%.0f channels=%u filters=%u bias=%d backward_data=%d",
				batch, shape.x_channels, shape.y_channels, shape.bias, shape.backward_data));
}

/* Returns the number format of a network's matrix products: mixed precision multiplies in the shorter one. */
static const char *product_precision(enum paradl_precision precision)
{
	static const char *const names[PARADL_PRECISION_COUNT] = {
		[PARADL_FP32] = "fp32",
		[PARADL_TF32] = "tf32",
		[PARADL_FP16] = "fp16",
		[PARADL_BF16] = "bf16",
		[PARADL_FP16_MIXED] = "fp16",
		[PARADL_BF16_MIXED] = "bf16",
		[PARADL_FP8_MIXED] = "fp8",
		[PARADL_MXFP8_MIXED] = "fp8",
		[PARADL_FP4_MIXED] = "fp4",
	};
	return names[precision];
}

static void write_gemm(struct writer *writer, const char *layer, const double size[3], double count)
{
	write_line(writer, "gemm", layer,
		arena_printf(writer->campaign->runner->arena, "m=%.0f n=%.0f k=%.0f count=%.0f precision=%s",
			size[0], size[1], size[2], count, product_precision(writer->info.precision)));
}

/* Writes three products for each one of a layer of tokens: forward, the gradient of x, the gradient of w. */
static void write_products(struct writer *writer, size_t index, const struct shard *shard, double batch)
{
	const char *const layer = paradl_model_layer(writer->model, index).name;
	struct paradl_layer_product product;
	if (shard->filter > 1 || shard->channel > 1 || shard->spatial > 1)
		return;
	for (size_t i = 0; paradl_model_product(writer->model, index, i, &product); i++) {
		const double tokens = ceil(product.tokens * batch);
		const double rows = ceil(product.rows / (product.cut_rows ? shard->tensor : 1));
		const double columns = ceil(product.columns / (product.cut_columns ? shard->tensor : 1));
		const double passes[][3] = {
			{tokens, columns, rows}, {tokens, rows, columns}, {rows, columns, tokens}};
		for (size_t pass = 0; pass < sizeof passes / sizeof passes[0]; pass++)
			write_gemm(writer, layer, passes[pass], product.count);
	}
}

static void write_layers(struct writer *writer)
{
	for (size_t batch = 0; batch < writer->batches->count; batch++)
		for (size_t shard = 0; shard < writer->shard_count; shard++)
			for (size_t i = 0; i < writer->info.layer_count; i++) {
				write_contraction(
					writer, i, &writer->shards[shard], writer->batches->values[batch]);
				write_products(
					writer, i, &writer->shards[shard], writer->batches->values[batch]);
			}
}

/*
 * Returns the path of the cases, beside the samples, so that every host that writes samples can read them, too. A dry
 * run holds no lock of the samples, so that it has a file of its own. NULL: out of memory.
 */
static const char *path_of_cases(const struct campaign *campaign)
{
	struct runner *const runner = campaign->runner;
	return campaign->options->dry_run
		       ? arena_printf(runner->arena, "%s.%ld.cases", campaign->file, (long)getpid())
		       : arena_printf(runner->arena, "%s.cases", campaign->file);
}

/* Writes what is measured into a file that the programs read, and which ends with the calibration. */
static bool write_file(struct writer *writer)
{
	struct runner *const runner = writer->campaign->runner;
	const char *const path = path_of_cases(writer->campaign);
	struct file_output output;
	if (!path)
		return out_of_memory(runner->error);
	if (!file_create(&output, path, runner->error))
		return false;
	writer->file = output.file;
	write_layers(writer);
	if (writer->failed) {
		file_abandon(&output);
		return out_of_memory(runner->error);
	}
	writer->campaign->cases = path;
	return file_commit(&output, runner->error);
}

bool cases_write(struct campaign *campaign, const struct paradl_model *model,
	const struct option_counts *batches, const struct shard *shards, size_t shard_count)
{
	static const struct option_counts usual = {{1, 8, 32}, BATCHES_USUAL};
	struct writer writer = {.campaign = campaign,
		.model = model,
		.info = paradl_model_info(model),
		.batches = batches->count > 0 ? batches : &usual,
		.shards = shards,
		.shard_count = shard_count};
	writer.name = as_word(campaign->runner->arena, writer.info.name);
	return writer.name ? write_file(&writer) : out_of_memory(campaign->runner->error);
}

enum { TEXT_BYTES = 48, DEGREE_MAX = 65536 };

static bool wrong(const char *text, size_t length, struct paradl_error *error)
{
	char part[TEXT_BYTES], quoted[TEXT_BYTES];
	const size_t kept = length < sizeof part ? length : sizeof part - 1;
	memcpy(part, text, kept);
	part[kept] = '\0';
	error_set(
		error, PARADL_USAGE, "--shards: %s cuts no layer", error_quote(quoted, sizeof quoted, part));
	error_hint(
		error, "write AXIS=DEGREE, AXIS one of filter, channel, spatial, tensor: filter=2,spatial=4");
	return false;
}

static unsigned *degree_of(struct shard *shard, const char *axis, size_t length)
{
	static const char *const names[] = {"filter", "channel", "spatial", "tensor"};
	/* cppcheck-suppress constVariable */
	unsigned *const degrees[] = {&shard->filter, &shard->channel, &shard->spatial, &shard->tensor};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strlen(names[i]) == length && strncmp(axis, names[i], length) == 0)
			return degrees[i];
	return NULL;
}

bool shards_parse(
	const char *text, struct shard shards[SHARDS_MAX], size_t *count, struct paradl_error *error)
{
	static const struct shard whole = {1, 1, 1, 1};
	shards[0] = whole;
	*count = 1;
	while (text && *text) {
		const size_t length = strcspn(text, ","), axis = strcspn(text, "=,");
		double degree = 0;
		if (*count == SHARDS_MAX)
			return error_set(
				error, PARADL_USAGE, "--shards: at most %d are possible", SHARDS_MAX - 1);
		struct shard *const shard = &shards[(*count)++];
		*shard = whole;
		unsigned *const place = degree_of(shard, text, axis);
		if (!place || axis == length ||
			!option_count_parse(text + axis + 1, length - axis - 1, &degree) || degree < 2 ||
			degree > DEGREE_MAX)
			return wrong(text, length, error);
		*place = (unsigned)degree;
		text += length + (text[length] == ',');
	}
	return true;
}
