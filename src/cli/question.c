/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/question.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "result/launch/launch.h"

bool question_assume(struct session *session, struct report_head *head, const char *text)
{
	return text_list_add(session->arena, &head->assumptions, text) || out_of_memory(&session->error);
}

static bool digest_take(struct session *session, struct report_input *input)
{
	return *input->sha256 || strcmp(input->path, "-") == 0 ||
	       file_sha256(session->arena, input->path, input->sha256, &session->error);
}

bool question_digests(struct session *session, struct report_head *head)
{
	bool ok = true;
	for (size_t i = 0; ok && i < head->input_count; i++)
		ok = digest_take(session, &head->inputs[i]);
	return ok;
}

bool question_input(struct session *session, struct report_head *head, const char *path)
{
	struct report_input *const input = &head->inputs[head->input_count];
	if (head->input_count == REPORT_INPUTS_MAX)
		return true;
	head->input_count++;
	input->path = path;
	if (session->arguments.verbose)
		diagnostic_print(session, "paradl: read %s", path);
	return !session->format->names_inputs || digest_take(session, input);
}

bool question_command(struct session *session, struct report_head *head)
{
	bool ok = text_list_add(session->arena, &head->command, "paradl");
	for (size_t i = 0; ok && i < session->argument_count; i++)
		ok = text_list_add(session->arena, &head->command, session->typed[i]);
	return ok || out_of_memory(&session->error);
}

/* Returns a word for a shell: in single quotes unless it has only harmless characters. */
static const char *shell_word(struct paradl_arena *arena, const char *word)
{
	static const char harmless[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
	const char *quoted = "'";
	if (*word && !word[strspn(word, harmless)])
		return word;
	while (quoted && *word) {
		const size_t length = strcspn(word, "'");
		quoted = arena_printf(
			arena, "%s%.*s%s", quoted, (int)length, word, word[length] ? "'\\''" : "");
		word += length + (word[length] == '\'');
	}
	return quoted ? arena_printf(arena, "%s'", quoted) : NULL;
}

void question_word(struct session *session, const char **text, const char *option, const char *value)
{
	struct paradl_arena *const arena = session->arena;
	const char *const word = value ? shell_word(arena, value) : "";
	if (*text && word)
		*text = arena_printf(arena, "%s %s%s%s", *text, option, value ? " " : "", word);
}

/* Adds the options that describe requests. */
static void requests_again(struct session *session, const char **text)
{
	const struct arguments *const arguments = &session->arguments;
	const struct {
		const char *option, *unit;
		double value; /* value of the option; 0: not given */
	} numbers[] = {
		{"--input-tokens", "", arguments->input_tokens},
		{"--output-tokens", "", arguments->output_tokens},
		{"--requests", "", arguments->requests},
		{"--spread", "", arguments->spread},
		{"--rate", "/s", arguments->rate_per_s},
		{"--speculative-tokens", "", arguments->speculative_tokens},
		{"--accepted-tokens", "", arguments->accepted_tokens},
		{"--cached-prefix", "", arguments->cached_prefix},
	};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (numbers[i].value > 0)
			question_word(session, text, numbers[i].option,
				arena_printf(session->arena, "%.17g%s", numbers[i].value, numbers[i].unit));
	if (arguments->prefill)
		question_word(session, text, "--prefill", arguments->prefill);
	if (arguments->trace)
		question_word(session, text, "--trace", arguments->trace);
}

static const char *again(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const char *text = shell_word(session->arena, session->operands.items[0]);
	question_word(session, &text, "--hw", arguments->hw);
	if (arguments->framework)
		question_word(session, &text, "--framework", arguments->framework);
	if (arguments->precision >= 0)
		question_word(session, &text, "--precision",
			paradl_precision_name((enum paradl_precision)arguments->precision));
	if (arguments->optimizer)
		question_word(session, &text, "--optimizer", arguments->optimizer);
	if (arguments->layer_times)
		question_word(session, &text, "--layer-times", arguments->layer_times);
	if (arguments->algorithm)
		question_word(session, &text, "--algo", arguments->algorithm);
	if (arguments->compress)
		question_word(session, &text, "--compress", arguments->compress);
	if (arguments->inference)
		question_word(session, &text, "--inference", NULL);
	requests_again(session, &text);
	if (arguments->seq > 0)
		question_word(session, &text, "--seq", arena_printf(session->arena, "%.0f", arguments->seq));
	for (size_t i = arguments->seq > 0; i < arguments->set.count; i++)
		question_word(session, &text, "--set", arguments->set.items[i]);
	if (arguments->ideal)
		question_word(session, &text, "--ideal", NULL);
	if (arguments->quiet_network)
		question_word(session, &text, "--quiet-network", NULL);
	input_options_again(session, &text);
	return text ? text : "";
}

static bool require_names(struct session *session)
{
	const char *const command = session->command->name;
	if (session->operands.count == 0)
		return session_missing(session, "%s needs a MODEL: a file, or one of %s", command,
			shipped_names(session, SHIPPED_MODELS));
	if (!session->arguments.hw)
		return session_missing(session, "%s needs --hw HW: a file, or one of %s", command,
			shipped_names(session, SHIPPED_HW));
	return true;
}

/*
 * Returns the name of the framework that is asked for: by --framework, or by the program of --flags. NULL: the
 * machine's own, which may be of that program too.
 */
static const char *framework_named(const struct arguments *arguments, const struct paradl_model *model,
	const struct paradl_machine *machine)
{
	if (arguments->framework || arguments->flags < 0 || !paradl_model_info(model).generates)
		return arguments->framework;
	const struct launcher *const program = launchers[arguments->flags]; /* NULL: no program */
	const char *const usual = paradl_machine_framework(machine, model, arguments->inference);
	return !program || launcher_of(usual) == program ? NULL : program->profile;
}

const struct paradl_framework *question_framework(
	struct session *session, const char *name, const struct paradl_changes *changes)
{
	const char *const path = shipped_find(session, SHIPPED_FRAMEWORKS, name);
	return path ? paradl_framework_load(session->arena,
			      &(struct paradl_source){.path = path, .changes = changes}, &session->error)
		    : NULL;
}

bool question_options(struct session *session, struct paradl_options *options)
{
	const struct arguments *const arguments = &session->arguments;
	*options = (struct paradl_options){
		.ideal = arguments->ideal,
		.quiet_network = arguments->quiet_network,
		.override_precision = arguments->precision >= 0,
		.precision =
			arguments->precision >= 0 ? (enum paradl_precision)arguments->precision : PARADL_FP32,
		.optimizer = arguments->optimizer,
		.layer_times = arguments->layer_times,
		.algorithm = arguments->algorithm,
		.compress = arguments->compress,
		.inference = arguments->inference,
		.prompt_tokens = arguments->input_tokens,
		.output_tokens = arguments->output_tokens,
		.requests = arguments->requests,
		.spread = arguments->spread,
		.rate_per_s = arguments->rate_per_s,
		.speculative_tokens = arguments->speculative_tokens,
		.accepted_tokens = arguments->accepted_tokens,
		.cached_prefix = arguments->cached_prefix,
		.prefill = arguments->prefill,
		.threads = session_threads(session),
	};
	struct paradl_input_options *const input = arena_alloc(session->arena, 1, sizeof *input);
	options->input = input;
	return input ? input_options_read(session, input) : out_of_memory(&session->error);
}

static bool load_oracle(struct session *session, struct question *question)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_error *const error = &session->error;
	struct paradl_options options;
	const struct paradl_changes *changes;
	if (!question_options(session, &options) || !question_changes(session, &changes) ||
		!question_trace(session, &options))
		return false;
	const struct paradl_framework *framework = NULL;
	const struct paradl_model *model = session_model(session, session->operands.items[0], changes);
	const bool complete = model && input_dataset_read(session, &model, &question->dataset_path);
	const struct paradl_machine *const machine =
		complete ? session_machine(session, arguments->hw, changes) : NULL;
	if (!machine)
		return false;
	const char *const named = framework_named(arguments, model, machine);
	question->head.launch_estimated = named && named != arguments->framework;
	if (named && !(framework = question_framework(session, named, changes)))
		return false;
	question->oracle = paradl_oracle_create(session->arena, model, machine, framework, &options, error);
	if (!question->oracle)
		return false;
	question->model = model;
	question->usual_framework = paradl_machine_framework(machine, model, arguments->inference);
	if (arguments->batch_tokens > 0 && !question_batch_tokens(session, model))
		return false;
	question->head.model = paradl_model_info(model);
	question->head.machine = paradl_machine_info(machine);
	question->head.framework = paradl_framework_info(paradl_oracle_framework(question->oracle));
	question_precision(&question->head, &options);
	question->head.optimizer = options.optimizer ? options.optimizer : question->head.model.optimizer;
	return true;
}

/*
 * Reports whether a number of the device decides nothing for such a network: contractions and convolutions are those
 * of images, products and attention those of tokens. Without a network there are messages only, so numbers of links
 * alone count.
 */
static bool is_of_others(const struct report_head *head, const char *path)
{
	const bool tokens = head->model.sequence > 0;
	const bool of_images = strncmp(path, "contraction", 11) == 0 || strncmp(path, "convolution", 11) == 0;
	const bool of_tokens = strncmp(path, "product", 7) == 0 || strncmp(path, "attention", 9) == 0;
	if (!head->model.name)
		return strncmp(path, "link", 4) != 0;
	return tokens ? of_images : of_tokens;
}

static bool assume_guessed(
	struct session *session, struct report_head *head, const char *file, const char *names)
{
	if (names && !*names)
		return true;
	return question_assume(
		session, head, names ? arena_printf(session->arena, "guessed in %s: %s", file, names) : NULL);
}

bool question_assumed_numbers(
	struct session *session, struct report_head *head, const struct paradl_machine_info *machine)
{
	const char *names = "", *of_device = "";
	for (unsigned i = 0; names && i < machine->assumed_count; i++)
		names = arena_printf(session->arena, "%s%s%s", names, i > 0 ? ", " : "", machine->assumed[i]);
	for (unsigned i = 0; of_device && i < machine->device_assumed_count; i++)
		if (!is_of_others(head, machine->device_assumed[i]))
			of_device = arena_printf(session->arena, "%s%s%s", of_device, *of_device ? ", " : "",
				machine->device_assumed[i]);
	for (unsigned i = 0; i < machine->device_assumed_count; i++)
		head->guesses += !is_of_others(head, machine->device_assumed[i]);
	head->guesses += machine->assumed_count;
	head->guess_lines += machine->assumed_count > 0;
	head->guess_lines += of_device && *of_device;
	return assume_guessed(session, head, machine->name, names) &&
	       assume_guessed(session, head, machine->device, of_device);
}

/* Returns what an answer assumes of requests: how they differ decides what they wait for one another. */
static const char *requests_alike(const struct arguments *arguments, const struct report_head *head)
{
	if (arguments->trace)
		return "the program's own time is the same for all requests of a trace: equal ones that "
		       "are sent together stay together, and wait for one another";
	if (!head->framework.serves || head->rate_per_s > 0)
		return "requests are alike";
	return "requests are alike, but for the program's own time, which parts those that are sent "
	       "together (not in a --trace, nor where prompts are read alone and answers have one length)";
}

bool question_assumptions(struct session *session, struct report_head *head)
{
	bool ok = question_assume_changes(session, head);
	if (!ok)
		return false;
	if (head->ideal)
		ok = question_assume(session, head,
			"ideal: compute scales as 1/p, ring collectives, one latency and bandwidth per "
			"level, "
			"no overlap (Table III of the ParaDL paper)");
	if (head->inference)
		return question_assume(session, head,
			       arena_printf(session->arena,
				       "%s; nothing is hidden behind compute; "
				       "kernels of layers of tokens start from graphs, at no cost of the "
				       "host",
				       requests_alike(&session->arguments, head))) &&
		       question_assumed_numbers(session, head, &head->machine);
	for (unsigned i = 0; !head->ideal && ok && i < head->framework.assumption_count; i++)
		ok = question_assume(session, head, head->framework.assumptions[i]);
	return ok && (head->ideal || question_assumed_numbers(session, head, &head->machine));
}

/* Refuses the program of --flags where it does not do what is asked: programs either train or serve. */
static bool check_launcher(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const struct launcher *const launcher = arguments->flags < 0 ? NULL : launchers[arguments->flags];
	const char *others = "";
	if (!launcher || launcher->serves == arguments->inference)
		return true;
	for (size_t i = 0; others && launchers[i]; i++)
		if (launchers[i]->serves != launcher->serves)
			others = arena_printf(
				session->arena, "%s%s%s", others, *others ? ", " : "", launchers[i]->name);
	session_usage(session, "--flags %s is for %s", launcher->name,
		launcher->serves ? "answers (--inference), not for training"
				 : "training, not for --inference");
	return error_hint(&session->error, "%s are possible", others ? others : "others");
}

bool question_load(struct session *session, struct question *question)
{
	const struct arguments *const arguments = &session->arguments;
	struct report_head *const head = &question->head;
	memset(question, 0, sizeof *question);
	if (!require_names(session) || !check_launcher(session) || !load_oracle(session, question))
		return false;
	head->ideal = arguments->ideal;
	head->inference = arguments->inference;
	head->rate_per_s = paradl_oracle_rate(question->oracle);
	head->speculative_tokens = arguments->speculative_tokens;
	head->cached_prefix = arguments->cached_prefix;
	head->quiet_network = arguments->quiet_network;
	head->again = again(session);
	head->again_load = question_load_again(session);
	head->machine_word = shell_word(session->arena, arguments->hw);
	head->asks_launch = arguments->flags >= 0;
	head->launcher =
		arguments->flags < 0 ? launcher_of(head->framework.name) : launchers[arguments->flags];
	if (!question_command(session, head) || !question_input(session, head, head->model.path) ||
		!question_input(session, head, head->machine.path))
		return false;
	const char *const paths[] = {
		head->framework.path, question->dataset_path, arguments->trace, arguments->layer_times};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		if (paths[i] && *paths[i] && !question_input(session, head, paths[i]))
			return false;
	return input_dataset_assume(session, question) && question_serving_notes(session, head) &&
	       question_assumptions(session, head);
}

void question_finish(struct session *session, struct question *question)
{
	question->head.warnings = session->warnings;
}

bool question_plan(
	struct session *session, const struct question *question, const char *text, struct paradl_plan *plan)
{
	const struct paradl_machine_info *const machine = &question->head.machine;
	if (!paradl_plan_parse(text, plan, &session->error))
		return false;
	const double devices = paradl_plan_devices(plan);
	if (devices > machine->devices)
		return session_usage(session, "%s needs %.15g GPU%s, more than %s has: %u", text, devices,
			devices > 1 ? "s" : "", machine->name, machine->devices);
	plan->batch = question_batch(session, devices, paradl_plan_batch(question->oracle, plan));
	question_warn_epoch(session, question, plan->batch);
	return true;
}

bool question_gpus(struct session *session, const struct question *question, struct option_counts *gpus)
{
	const struct paradl_machine_info *const machine = &question->head.machine;
	*gpus = session->arguments.gpus;
	for (unsigned count = 1; session->arguments.gpus.count == 0 && count <= machine->devices;
		count *= 2) {
		gpus->values[gpus->count++] = count;
		if (count > machine->devices / 2)
			break;
	}
	const double most = gpus->values[gpus->count - 1];
	if (most <= machine->devices)
		return true;
	return question_too_many(session, machine, most);
}
