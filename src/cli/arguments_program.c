/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the options of commands that the library lacks: calibrate and import. */
#include "cli/arguments_rows.h"

/* These rows are the options of calibrate, apart from the command: the library reads all options, and does not measure. */

#define OF(name_, kind_, field, argument_) ROW("calibrate", name_, kind_, field, argument_)
#define PART(name_, field)                 OF(name_, OPTION_FLAG, field, NULL), .group = "Question"

static const struct option_row calibrate_rows[] = {
	{PART("cpu", calibrate.cpu),
		.help = "measure CPU cores: products, convolutions, memory; one core at a time"},
	{PART("mpi", calibrate.mpi), .help = "measure messages between processes, under mpirun"},
	{PART("gpu", calibrate.gpu),
		.help = "measure GPUs: products, memory, copies, NCCL; convolutions, too"},
	{OF("storage", OPTION_TEXT, calibrate.storage, "DIR"), .completes = "file", .group = "Question",
		.help = "measure reading and writing below DIR; it needs room, and is never done unasked"},
	{PART("fake", calibrate.fake),
		.help = "measure nothing: a made-up machine, to try things out; its numbers are known"},
	{OF("layers-of", OPTION_TEXT, calibrate.model, "MODEL"), .formerly = "layers", .completes = "models",
		.group = "Question",
		.help = "measure the layers of this network, too; their products and convolutions"},
	{OF("batches", OPTION_COUNTS, calibrate.batches, "N"), .min = 1, .group = "Question",
		.help = "samples that layers are measured with: 1,8,32, 1..32; without it 1,8,32"},
	{OF("shards", OPTION_TEXT, calibrate.shards, "LIST"), .group = "Question",
		.help = "and layers as plans cut them: filter=2,filter=4,spatial=2,tensor=8"},
	{OF("only", OPTION_TEXT, calibrate.only, "LIST"), .group = "Question",
		.help = "only these benches: gemm,allreduce; --dry-run -v shows the points of each"},
	{OF("launches", OPTION_COUNT, calibrate.launches, "L"), .min = 1, .max = 1000, .group = "Question",
		.help = "how often each program is started at least; without it 5, with --quick 2"},
	{OF("quick", OPTION_FLAG, calibrate.quick, NULL), .group = "Question",
		.help = "fewer points, each for at most half a second"},
	{OF("full", OPTION_FLAG, calibrate.full, NULL), .group = "Question",
		.help = "more points, each for at most 5 seconds instead of 2"},
	{OF("time-limit", OPTION_TEXT, calibrate.time_limit, "TIME"), .formerly = "budget",
		.group = "Question",
		.help = "measure for at most that long: 20m, 1h; points are shortened, and what is left then "
			"is left out"},
	{OF("ranks", OPTION_COUNT, calibrate.ranks, "N"), .min = 1, .max = 1e6, .group = "Question",
		.help = "processes under mpirun (default what it starts by itself)"},
	{OF("hostfile", OPTION_TEXT, calibrate.hostfile, "FILE"), .completes = "file", .group = "Question",
		.help = "the hosts, as mpirun reads them"},
	{OF("mpirun", OPTION_TEXT, calibrate.mpirun, "WORDS"), .group = "Question",
		.help = "launcher instead of mpirun: srun or 'mpirun --map-by core'; cut at blanks, without "
			"a shell"},
	{OF("patience", OPTION_QUANTITY, calibrate.patience_s, "TIME"), .dimension = DIMENSION_TIME,
		.min = 0.1, .group = "Question",
		.help = "end a program that says nothing for so long, also while it lists its points; "
			"without it 60 s and ten caps"},
	{OF("seed", OPTION_COUNT, calibrate.seed, "N"), .max = 1e15, .group = "Question",
		.help = "seed of random sizes and operands (default 1)"},
	{OF("dry-run", OPTION_FLAG, calibrate.dry_run, NULL), .group = "Output",
		.help = "only say how long it takes; and how many points there are"},
	{OF("resume", OPTION_FLAG, calibrate.resume, NULL), .group = "Output",
		.help = "go on with the file of a calibration that was stopped"},
	{OF("retry-failed", OPTION_FLAG, calibrate.retry_failed, NULL), .group = "Output",
		.help = "go on with a file, and measure its points again that failed"},
	{OF("output", OPTION_TEXT, calibrate.samples_file, "FILE"), .letter = 'o', .completes = "file",
		.group = "Output", .help = "file of samples (default HOST-samples.jsonl)"},
};

const struct option_table arguments_calibrate = {
	calibrate_rows, sizeof calibrate_rows / sizeof calibrate_rows[0], NULL};

/* These rows say how files of other tools are read, apart from import: the library reads all options, and has no import. */

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

static const struct option_row import_rows[] = {
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

const struct option_table arguments_import = {import_rows, sizeof import_rows / sizeof import_rows[0], NULL};
