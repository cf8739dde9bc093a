/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows say how files of other tools are read, apart from import: the library reads all options, and has no import. */
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
	{ROW("import", "from", OPTION_CHOICE, import.from, "FORMAT"), .choice = format_name, .group = "Input",
		.help = "format of FILE; without it, as it looks"},
	{ROW("import", "layer-config", OPTION_TEXT, import.layer_config, "FILE"), .completes = "file",
		.group = "Input", .help = ".net: the .lc file of layers that take part in a strategy"},
	{ROW("import", "input", OPTION_TEXT, import.input, "DIMS"), .group = "Input",
		.help = "ONNX: shape of the input: 3,640,640; channels first, or NAME=3,640,640"},
	{ROW("import", "assume-shape", OPTION_TEXTS, import.shapes, "NAME=DIMS"), .group = "Input",
		.help = "ONNX: shape of what an unknown operator makes: NAME=1,64,56,56; samples first; may "
			"be given several times"},
	{ROW("import", "assume", OPTION_TEXT, import_assume, "TYPE"), .group = "Input",
		.help = "Hugging Face: read an unknown model_type like this: llama"},
	{ROW("advise compare estimate io report search whatif", "assume", OPTION_TEXT, import_assume, "TYPE"),
		.group = "Question",
		.help = "read a config.json of an unknown model_type like this one: llama"},
	{ROW("import", "part", OPTION_CHOICE, import.part, "PART"), .choice = part_name, .initial = "whole",
		.group = "Input",
		.help = "Hugging Face: all, or text alone; of a network of text and images"},
	{ROW("import", "weights", OPTION_TEXT, import.weights, "FILE"), .completes = "file", .group = "Input",
		.help = "Hugging Face: model.safetensors to compare sizes with; or its .index.json: are "
			"there as many parameters?"},
	{ROW("import", "as", OPTION_CHOICE, import.as, "WHAT"), .choice = import_name, .initial = "model",
		.group = "Output",
		.help = "DLIO: what to write; model: a network that takes as long, with its data set; "
			"dataset: that alone"},
};

const struct option_table arguments_import = {rows, sizeof rows / sizeof rows[0], NULL};
