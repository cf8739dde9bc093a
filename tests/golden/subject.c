/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "golden/golden.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Adds words to what a question says of its options. */
__attribute__((format(printf, 3, 4))) static void say(char *words, size_t size, const char *format, ...)
{
	const size_t length = strlen(words);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(words + length, size - length, format, arguments);
	va_end(arguments);
}

void input_options_draw(struct draw *draw, struct paradl_input_options *input, char *words, size_t size)
{
	*input = (struct paradl_input_options){.off = draw_chance(draw, 10)};
	input->store = (enum paradl_store)draw_between(draw, 0, PARADL_STORE_COUNT - 1);
	input->shuffle = (enum paradl_shuffle)draw_between(draw, 0, PARADL_SHUFFLE_COUNT - 1);
	if (draw_chance(draw, 60)) {
		input->store = PARADL_STORE_AUTO;
		input->shuffle = PARADL_SHUFFLE_GLOBAL;
	}
	const double exchanged = draw_real(draw, 0, 1);
	if (input->shuffle == PARADL_SHUFFLE_PARTIAL || input->shuffle == PARADL_SHUFFLE_PAIRWISE)
		input->exchanged = exchanged;
	if (input->shuffle == PARADL_SHUFFLE_MODELS)
		input->hops = 1 + floor(4 * exchanged);
	input->cache = (enum paradl_cache)draw_between(draw, 0, PARADL_CACHE_COUNT - 1);
	if (draw_chance(draw, 30))
		input->cache_bytes = 1e9 * draw_between(draw, 1, 500);
	if (draw_chance(draw, 30))
		input->epochs = draw_between(draw, 1, 100);
	if (draw_chance(draw, 30))
		input->workers = draw_between(draw, 1, 16);
	if (draw_chance(draw, 30))
		input->prefetch = draw_between(draw, 1, 8);
	input->in_turn = draw_chance(draw, 10);
	say(words, size, " input=%d:%s:%s:%.3g:%s:%g:%g:%g:%g:%d", input->off,
		paradl_store_name(input->store), paradl_shuffle_name(input->shuffle),
		input->exchanged + input->hops, paradl_cache_name(input->cache), input->cache_bytes,
		input->epochs, input->workers, input->prefetch, input->in_turn);
}

static void names_draw(
	struct subject *subject, struct draw *draw, unsigned index, enum networks network, unsigned flags)
{
	static const char *const cutting[] = {"nccl", "chainermn", "mpi-step", "nccl"};
	static const char *const few[] = {"abci", "dgx-a100-superpod", "abci-2", "dgx-h100-superpod", "alps",
		"gb200-nvl72", "aws-p4d", "tsubame3", "laptop"},
				 *const storing[] = {"abci", "abci-2", "aws-p5", "cloud-object", "frontier",
					 "fugaku", "juwels-booster", "perlmutter", "summit", "tsubame3"};
	bool images = network == NETWORK_IMAGES;
	if (network == NETWORK_ANY)
		images = draw_chance(draw, 50);
	const unsigned image = index % image_model_count, token = index % token_model_count;
	subject->model_name = network == NETWORK_SMALL ? small_models[index % small_model_count]
			      : images                 ? image_models[image]
						       : token_models[token];
	subject->machine_name = machine_names[draw_between(draw, 0, machine_count - 1)];
	if (flags & SUBJECT_SMALL_MACHINE)
		subject->machine_name = DRAW_FROM(draw, few);
	if (flags & SUBJECT_INPUT && draw_chance(draw, 80))
		subject->machine_name = DRAW_FROM(draw, storing);
	subject->framework_name = framework_names[draw_between(draw, 0, framework_count - 1)];
	if (images && draw_chance(draw, 55))
		subject->framework_name = DRAW_FROM(draw, cutting);
	if (draw_chance(draw, 30))
		subject->framework_name = "";
}

static void precision_draw(struct subject *subject, struct draw *draw)
{
	static const char *const optimizers[] = {
		"sgd", "sgd-momentum", "adam", "adamw", "lamb", "lars", "adafactor", "adamw-8bit"};
	struct paradl_options *const options = &subject->options;
	char *const words = subject->options_text;
	const size_t size = sizeof subject->options_text;
	options->override_precision = draw_chance(draw, 40);
	options->precision = (enum paradl_precision)draw_between(draw, 0, PARADL_PRECISION_COUNT - 1);
	if (options->override_precision)
		say(words, size, " precision=%s", paradl_precision_name(options->precision));
	if (draw_chance(draw, 25))
		options->optimizer = DRAW_FROM(draw, optimizers);
	if (options->optimizer)
		say(words, size, " optimizer=%s", options->optimizer);
}

static void exchange_draw(struct subject *subject, struct draw *draw)
{
	static const char *const algorithms[] = {"auto", "auto", "ring", "ring-segmented", "doubling",
		"rabenseifner", "tree", "double-tree", "leaders-ring", "blueconnect", "pipelined", "sharp"};
	static const char *const compressions[] = {"none", "fp16", "topk:0.01", "topk:0.001", "auto"};
	struct paradl_options *const options = &subject->options;
	char *const words = subject->options_text;
	const size_t size = sizeof subject->options_text;
	options->events = draw_chance(draw, 10);
	options->quiet_network = draw_chance(draw, 20);
	if (draw_chance(draw, 20))
		options->algorithm = DRAW_FROM(draw, algorithms);
	if (draw_chance(draw, subject->tokens ? 2 : 20))
		options->compress = DRAW_FROM(draw, compressions);
	say(words, size, "%s%s", options->events ? " events" : "", options->quiet_network ? " quiet" : "");
	if (options->algorithm)
		say(words, size, " algorithm=%s", options->algorithm);
	if (options->compress)
		say(words, size, " compress=%s", options->compress);
}

/* There are layer times of these models. */
static void layer_times_draw(struct subject *subject, struct draw *draw)
{
	static const char *const files[][2] = {{"gpt2-xl", "tests/golden/gpt2-xl.layers.json"},
		{"resnet50", "tests/golden/resnet50.layers.json"},
		{"vgg16", "tests/golden/vgg16.layers.json"}};
	const bool wanted = draw_chance(draw, 60);
	for (unsigned i = 0; i < COUNT(files); ++i)
		if (wanted && strcmp(subject->model_name, files[i][0]) == 0)
			subject->options.layer_times = files[i][1];
	if (subject->options.layer_times)
		say(subject->options_text, sizeof subject->options_text, " layer-times");
}

static void dataset_draw(struct subject *subject, struct draw *draw)
{
	static const char *const of_images[] = {"imagenet-1k", "imagenet-21k", "cifar-100"},
				 *const of_tokens[] = {"openwebtext", "text-15t"};
	char path[64];
	const char *name = DRAW_FROM(draw, of_images);
	if (subject->tokens)
		name = DRAW_FROM(draw, of_tokens);
	if (!draw_chance(draw, 25))
		return;
	snprintf(path, sizeof path, "datasets/%s.json", name);
	const struct paradl_model *const model = paradl_model_with_dataset(
		subject->arena, subject->model, &(struct paradl_source){.path = path}, &subject->error);
	if (!model)
		return; /* not for such a network */
	subject->model = model;
	say(subject->options_text, sizeof subject->options_text, " dataset=%s", name);
}

static void inference_draw(struct subject *subject, struct draw *draw)
{
	static const double prompts[] = {0, 1, 128, 512, 1024, 2048, 777}, outputs[] = {0, 1, 16, 128, 300};
	struct paradl_options *const options = &subject->options;
	options->inference = true;
	if (!subject->tokens)
		return;
	options->prompt_tokens = DRAW_FROM(draw, prompts);
	options->output_tokens = DRAW_FROM(draw, outputs);
	say(subject->options_text, sizeof subject->options_text, " prompt=%g output=%g",
		options->prompt_tokens, options->output_tokens);
}

static void options_draw(struct subject *subject, struct draw *draw, unsigned flags)
{
	subject->options = (struct paradl_options){.threads = 1, .ideal = flags & SUBJECT_IDEAL};
	if (flags & SUBJECT_INFERENCE)
		inference_draw(subject, draw);
	if (flags & (SUBJECT_OPTIONS | SUBJECT_IDEAL | SUBJECT_INFERENCE))
		precision_draw(subject, draw);
	if (flags & SUBJECT_OPTIONS) {
		exchange_draw(subject, draw);
		layer_times_draw(subject, draw);
	}
	if (flags & SUBJECT_INPUT || (flags & SUBJECT_OPTIONS && draw_chance(draw, 30)))
		dataset_draw(subject, draw);
	if (flags & SUBJECT_OPTIONS && draw_chance(draw, 30)) {
		input_options_draw(
			draw, &subject->input, subject->options_text, sizeof subject->options_text);
		subject->options.input = &subject->input;
	}
}

/* Draws a subject; false: its oracle is refused. */
static bool subject_draw(struct subject *subject, const struct asking *asking, struct draw *draw,
	unsigned index, enum networks network, unsigned flags)
{
	const struct paradl_framework *framework = NULL;
	*subject = (struct subject){.arena = subject->arena};
	names_draw(subject, draw, index, network, flags);
	const struct paradl_machine *const machine = inputs_machine(asking->inputs, subject->machine_name);
	subject->model = inputs_model(asking->inputs, subject->model_name);
	subject->info = paradl_model_info(subject->model);
	subject->tokens = subject->info.dimensions.blocks > 0;
	subject->devices = paradl_machine_info(machine).devices;
	if (*subject->framework_name)
		framework = inputs_framework(asking->inputs, subject->framework_name);
	options_draw(subject, draw, flags);
	subject->options.threads = asking->threads;
	subject->oracle = paradl_oracle_create(
		subject->arena, subject->model, machine, framework, &subject->options, &subject->error);
	if (subject->oracle)
		subject->dimensions = paradl_oracle_dimensions(subject->oracle);
	return subject->oracle;
}

/* Most that are refused are drawn again: the usual reason is a device that does not compute in the model's precision. */
void subject_begin(struct subject *subject, const struct asking *asking, struct draw *draw, unsigned index,
	enum networks network, unsigned flags)
{
	*subject = (struct subject){.arena = paradl_arena_create()};
	if (!subject->arena)
		give_up("out of memory");
	while (!subject_draw(subject, asking, draw, index, network, flags) && draw_chance(draw, 97))
		;
}

void subject_question(const struct subject *subject, const struct asking *asking, const char *rest)
{
	text_question(asking->text, asking->name, "%s %s %s%s; %s", subject->model_name,
		subject->machine_name, *subject->framework_name ? subject->framework_name : "(its)",
		subject->options_text, rest);
}
