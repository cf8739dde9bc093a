/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options that say how files of other tools are read. */
#include "cli/arguments_rows.h"

static const char *format_name(size_t index)
{
	return paradl_format(index).name;
}

static const char *import_name(size_t index)
{
	static const char *const names[] = {"model", "dataset"};
	return arguments_pick(names, sizeof names / sizeof names[0], index);
}

static const char *part_name(size_t index)
{
	static const char *const names[] = {"whole", "text"};
	return arguments_pick(names, sizeof names / sizeof names[0], index);
}

static const struct option_row rows[] = {
	{ROW("import", "from", OPTION_CHOICE, import_from, "FORMAT"), .choice = format_name, .group = "Input",
		.help = "what FILE is; without it, as it looks"},
	{ROW("import", "layer-config", OPTION_TEXT, layer_config, "FILE"), .completes = "file",
		.group = "Input", .help = "the .lc file of a .net: the layers that take part in a strategy"},
	{ROW("import", "input", OPTION_TEXT, import_input, "DIMS"), .group = "Input",
		.help = "of ONNX: extents of the input, channels first, as 3,640,640 or NAME=3,640,640"},
	{ROW("import", "assume-shape", OPTION_TEXTS, import_shapes, "NAME=DIMS"), .group = "Input",
		.help = "of ONNX: the shape of what an unknown operator makes, samples first, as "
			"NAME=1,64,56,56; "
			"may be given several times"},
	{ROW("import", "assume", OPTION_TEXT, import_assume, "TYPE"), .group = "Input",
		.help = "of Hugging Face: read a model_type that is not known like this one, as llama"},
	{ROW("advise compare estimate io report search whatif", "assume", OPTION_TEXT, import_assume, "TYPE"),
		.group = "Question",
		.help = "read a config.json whose model_type is not known like this one, as llama"},
	{ROW("import", "part", OPTION_CHOICE, import_part, "PART"), .choice = part_name, .initial = "whole",
		.group = "Input",
		.help = "of Hugging Face: whole, or the text of a network of text and images"},
	{ROW("import", "weights", OPTION_TEXT, weights, "FILE"), .completes = "file", .group = "Input",
		.help = "model.safetensors or its .index.json: are there as many parameters?"},
	{ROW("import", "as", OPTION_CHOICE, import_as, "WHAT"), .choice = import_name, .initial = "model",
		.group = "Output",
		.help = "of a workload: model, a network that takes as long, with its data set; or dataset, "
			"that alone"},
};

const struct option_table arguments_import = {rows, sizeof rows / sizeof rows[0], NULL};
