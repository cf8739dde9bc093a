/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "import/importer.h"
#include "import/onnx/onnx_network.h"

enum { FEW_CONVOLUTIONS = 10, MANY_SOFTMAXES = 4 };

/*
 * Warns of files that the user may not have meant to import, transformers and networks whose norms were folded on
 * export, or refuses them with an error.
 */
static bool network_remarks(struct onnx_network *network)
{
	if (network->embeddings > 0 && network->softmaxes >= MANY_SOFTMAXES) {
		graph_error(network->graph,
			"looks like a transformer: it has %u embeddings and %u softmaxes of attention",
			network->embeddings, network->softmaxes);
		error_hint(network->graph->error,
			"its config.json says what it is, and 'paradl import' reads that; "
			"an ONNX file has only its arithmetic");
		return false;
	}
	if (network->softmaxes >= MANY_SOFTMAXES)
		warn(network->warnings,
			"%u softmaxes: if these are attention, they are custom layers here, which no axis "
			"cuts but samples; "
			"its config.json would tell more",
			network->softmaxes);
	if (network->norms == 0 && network->convolutions > FEW_CONVOLUTIONS &&
		network->folded >= network->convolutions - 1) {
		warn(network->warnings,
			"%u convolutions with bias and no norm: batch norms may have been folded into them "
			"on export, "
			"which training does not do. In PyTorch: torch.onnx.export(model, x, \"model.onnx\", "
			"training=torch.onnx.TrainingMode.TRAINING, do_constant_folding=False)",
			network->convolutions);
	}
	return !network->warnings->out_of_memory || out_of_memory(network->graph->error);
}

/* Imports ONNX files. A file is read where it lies, never as a whole, and its weights are not read. */

/* Recognises a file by its name or its start: ModelProto begins with ir_version, a small number; text does not. */
static bool knows(const struct import_source *source)
{
	const char *const text = source->head.text, *const dot = strrchr(source->path, '.');
	if (source->root)
		return false;
	if (dot && strcmp(dot, ".onnx") == 0)
		return true;
	return source->head.length > 16 && text[0] == 0x08 && text[1] > 0 && text[1] < 32 &&
	       (text[2] & 7) == 2;
}

/* Writes a number of at most 2^53 as "25,557,032". Returns text. */
static const char *grouped(double number, char text[32])
{
	char digits[24];
	const int length = snprintf(digits, sizeof digits, "%.0f", number);
	int used = 0;
	for (int i = 0; i < length && used < 30; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = digits[i];
	}
	text[used] = '\0';
	return text;
}

/* Writes flop as "8.178 Gflop". Returns text. */
static const char *scaled(double flop, char text[32])
{
	static const char prefixes[] = "kMGTPE";
	unsigned prefix = 0;
	double number = flop / 1e3;
	for (; number >= 1e3 && prefixes[prefix + 1] != '\0'; prefix++)
		number /= 1e3;
	(void)snprintf(text, 32, "%.4g %cflop", number, prefixes[prefix]);
	return text;
}

static const char *note(const struct importing *importing, const struct onnx_network *network)
{
	double items = 0, flop = 0;
	for (unsigned i = 0; i < network->layer_count; i++) {
		const struct onnx_layer *const layer = &network->layers[i];
		items += layer->is_used ? layer->params : 0;
		flop += layer->is_used ? layer->flop : 0;
	}
	char count[32], work[32];
	return arena_printf(importing->arena, "%u nodes -> %u layers, %s parameters, %s/sample forward",
		network->graph->order_count, network->written, grouped(items, count), scaled(flop, work));
}

static const char *write(struct importing *importing, struct onnx_network *network)
{
	struct import_writing writing;
	struct onnx_list list;
	bool names_input;
	if (!network_nest(network, &list, &names_input) || !import_writing_begin(importing, &writing))
		return NULL;
	const bool written = network_write(network, &list, names_input, &writing.writer);
	importing->note = note(importing, network);
	return import_writing_end(importing, &writing, written && importing->note);
}

static const char *convert(
	struct importing *importing, const uint8_t *data, size_t length, const struct file_map *mapped)
{
	struct onnx_graph graph = {.arena = importing->arena,
		.path = importing->source.path,
		.mapped = mapped,
		.error = importing->error};
	struct onnx_network network = {.graph = &graph, .warnings = &importing->warnings};
	const struct onnx_options options = {.input = importing->options->input,
		.shapes = importing->options->shapes,
		.shape_count = importing->options->shape_count};
	if (!graph_read(&graph, data, length) || !graph_order(&graph) || !network_input(&network, &options) ||
		!network_infer(&network) || !network_remarks(&network))
		return NULL;
	return write(importing, &network);
}

static const char *read(struct importing *importing)
{
	const struct file_head *const head = &importing->source.head;
	struct file_map mapped;
	if (head->is_whole)
		return convert(importing, (const uint8_t *)head->text, head->length, NULL);
	if (!file_map(importing->source.path, &mapped, importing->error))
		return NULL;
	const char *const text = convert(importing, mapped.data, mapped.length, &mapped);
	file_unmap(&mapped);
	return text;
}

const struct importer importer_onnx = {
	.name = "onnx",
	.summary = "ONNX, networks of images",
	.becomes = "paradl-model",
	.options = IMPORT_SHAPES,
	.knows = knows,
	.read = read,
};
