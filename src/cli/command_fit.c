/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/arguments_rows.h"
#include "cli/command.h"
#include "cli/question.h"

#define FIT(...) ROW("fit", __VA_ARGS__)

static const struct option_row rows[] = {
	{FIT("measured", OPTION_TEXT, measured, "CSV"), .completes = "file", .group = "Question",
		.help = "CSV table of measured steps; paradl-measured(5)"},
	{FIT("constants", OPTION_TEXT, fit.constants, "FILE"), .completes = "file", .group = "Question",
		.help = "which constants are free, and their bounds; instead of "
			"hw-profiles/fit-constants.csv"},
	{FIT("leave-out", OPTION_TEXT, fit.leave_out, "SET"), .group = "Question",
		.help = "a set of rows that is not fitted to, but projected"},
	{FIT("leave-each-out", OPTION_FLAG, fit.leave_each_out, NULL), .group = "Question",
		.help = "fit without each set in turn, and project that one; kernels: without each device. "
			"What to expect of new ones"},
	{FIT("device", OPTION_TEXT, device, "DEVICE"), .completes = "devices", .group = "Question",
		.help = "kernels: only rows of this device; or a file that stands for the shipped one of its "
			"name"},
	{FIT("shapes", OPTION_COUNT, fit.shapes, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "kernels: fit again to so many random rows of each kind and number format, and "
			"predict the others, five times"},
	{FIT("seed", OPTION_COUNT, fit.seed, "N"), .max = 1e15, .group = "Question",
		.help = "seed of --shapes (default 1)"},
	{FIT("base", OPTION_TEXT, fit.base, "HW"), .completes = "hw", .group = "Question",
		.help = "samples: profile that a new --into HW.json starts from"},
	{FIT("into", OPTION_TEXT, fit.into, "HW.json"), .completes = "file", .group = "Output",
		.help = "write the numbers into this machine profile; and its device, new ones where there "
			"is none; --measured: write constants into devices/ and frameworks/ of this folder; "
			"kernels: write numbers into this device file"},
	{FIT("force", OPTION_FLAG, force, NULL), .group = "Output",
		.help = "samples: write --into doubtful numbers, too; measured on a busy machine or "
			"following no fit, all of them as assumed"},
	{FIT("write-layer-times", OPTION_TEXT, layer_times, "FILE"), .formerly = "layer-times",
		.completes = "file", .group = "Output",
		.help = "samples: write measured times of layers here; for --layer-times of estimate and "
			"advise"},
	{FIT("layers-of", OPTION_TEXT, fit.model, "MODEL"), .formerly = "layers", .completes = "models",
		.group = "Question",
		.help = "samples: the network of --write-layer-times; where several were measured"},
};

const struct option_table arguments_fit = {rows, sizeof rows / sizeof rows[0], NULL};

enum { RESTARTS = 8, FILES_MAX = 4096 };

/* ---- where numbers may be written; links are followed, as they are when a file is written ---- */

/* Returns the folder part of a path, "." where it has none; NULL: out of memory. */
static const char *folder_of(struct session *session, const char *path)
{
	const char *const slash = strrchr(path, '/');
	if (!slash)
		return ".";
	return slash == path ? "/" : arena_copy(session->arena, path, (size_t)(slash - path));
}

/* Returns the real path of a file, of its folder where it is not there yet, to be freed, or NULL. */
static char *real_path(struct session *session, const char *path)
{
	char *const real = realpath(path, NULL);
	const char *const folder = real ? NULL : folder_of(session, path);
	return folder ? realpath(folder, NULL) : real;
}

/* Returns whether a path leads to hw-profiles of the folder `root`, or below it. */
static bool is_within(struct session *session, const char *root, const char *path)
{
	const char *const profiles = arena_join(session->arena, root, "/hw-profiles", "");
	char *const folder = profiles ? realpath(profiles, NULL) : NULL;
	char *const real = real_path(session, path);
	const size_t length = folder ? strlen(folder) : 0;
	const bool within = folder && real && strncmp(folder, real, length) == 0 &&
			    (real[length] == '\0' || real[length] == '/');
	free(folder);
	free(real);
	return within;
}

static bool is_shipped(struct session *session, const char *path)
{
	bool is_shipped = false;
	for (size_t i = 0; session->shipped[i] && !is_shipped; i++)
		is_shipped = is_within(session, session->shipped[i], path);
	return is_shipped;
}

bool fit_into_shipped(struct session *session)
{
	const char *const into = session->arguments.fit.into;
	if (!is_shipped(session, into))
		return false;
	session_usage(session, "%s is a shipped profile, which stays as it is", into);
	error_hint(&session->error, "write a copy: --into ./my.json");
	return true;
}

bool fit_device_shipped(struct session *session, const char *name)
{
	const char *const folder = folder_of(session, session->arguments.fit.into);
	const char *const path = folder ? arena_join(session->arena, folder, "/devices/", name) : NULL;
	if (path && !is_shipped(session, path))
		return false;
	if (!path)
		out_of_memory(&session->error);
	else {
		session_usage(session, "%s is a shipped device, which stays as it is", path);
		error_hint(&session->error, "remove the link, or name a profile in another folder");
	}
	return true;
}

/* Refuses a path that leads to an installed profile. Returns whether it does, or memory is out. */
static bool is_installed(struct session *session, const char *path)
{
	if (path && !is_within(session, session->installed, path))
		return false;
	if (!path)
		return !out_of_memory(&session->error);
	session_usage(session, "%s is of the installed profiles, which stay as they are", path);
	error_hint(&session->error, "write into a copy of the folder, and name its parent in PARADL_PATH");
	return true;
}

bool fit_folder_installed(struct session *session)
{
	static const char *const parts[] = {"", "/devices", "/frameworks"};
	const char *const into = session->arguments.fit.into;
	for (size_t i = 0; session->installed && i < sizeof parts / sizeof *parts; i++)
		if (is_installed(session, arena_join(session->arena, into, parts[i], "")))
			return true;
	return false;
}

bool fit_file_installed(struct session *session, const struct paradl_fit *fit)
{
	const char *const into = session->arguments.fit.into, *file;
	for (size_t i = 0; session->installed && (file = paradl_fit_file(fit, i)); i++)
		if (is_installed(session, arena_printf(session->arena, "%s/%s.json", into, file)))
			return true;
	return false;
}

/* ---- constants of training programs, and the command ---- */

static enum exit_status fit_constants(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_lookup lookup = {.directories = session->directories};
	const struct paradl_fit_request request = {.constants = arguments->fit.constants,
		.leave_out = arguments->fit.leave_out,
		.leave_each_out = arguments->fit.leave_each_out,
		.restarts = RESTARTS};
	struct paradl_fit fit;
	struct report_head head = {.input_count = 0};
	const struct report_fit report = {.head = &head, .fit = &fit, .into = arguments->fit.into};
	struct document document;
	if ((arguments->fit.into && fit_folder_installed(session)) || !question_command(session, &head) ||
		!paradl_fit(session->arena, arguments->measured, &lookup, &request, &fit, &session->error))
		return session_fail(session);
	if (arguments->fit.into &&
		(fit_file_installed(session, &fit) ||
			!paradl_fit_write(session->arena, &fit, arguments->fit.into, &session->error)))
		return session_fail_writing(session);
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->fit(&document.sink, &report);
	return document_end(session, &document, EXIT_ANSWER);
}

/* Returns the first given option that applies to FILES of samples only; NULL: none is given. */
static const char *option_of_samples(const struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	if (arguments->fit.base)
		return "--base";
	if (arguments->layer_times)
		return "--write-layer-times";
	if (arguments->fit.model)
		return "--layers-of";
	if (arguments->show)
		return "--show";
	return arguments->plot || session->picture ? "--plot" : NULL;
}

static enum exit_status run(struct session *session)
{
	const bool has_files = session->operands.count > 0, has_times = session->arguments.measured;
	const char *const option = option_of_samples(session);
	const char *const of_kernels = session->arguments.device           ? "--device"
				       : session->arguments.fit.shapes > 0 ? "--shapes"
				       : session->arguments.fit.seed > 0   ? "--seed"
									   : NULL;
	if (has_files && !has_times &&
		(of_kernels || paradl_kernels_known(session->arena, session->operands.items[0])))
		return fit_kernels(session);
	if (of_kernels) {
		session_usage(
			session, "%s is about times of kernels, and there are no FILES of them", of_kernels);
		return session_fail(session);
	}
	if (has_files && !has_times)
		return fit_samples(session);
	if (has_times && !has_files && !option)
		return fit_constants(session);
	if (!has_times) {
		session_missing(session,
			"fit needs FILES of samples ('paradl calibrate' takes them), or --measured "
			"CSV");
	} else if (has_files) {
		session_usage(session, "fit takes either FILES of samples or --measured CSV, not both");
		error_hint(&session->error,
			"samples make a machine's profile, --measured finds constants of training programs");
	} else {
		session_usage(session, "%s is about FILES of samples, not --measured", option);
	}
	return session_fail(session);
}

const struct command command_fit = {
	.name = "fit",
	.summary = "make the profile of a machine from measurements, judge its health",
	.synopsis = "FILES... | KERNELS.csv... | --measured CSV [--into HW.json] [--base HW] [options]",
	.details = "FILES are samples of 'paradl calibrate', what nccl-tests and the OSU benchmarks print,\n"
		   "or JSON of nccl-tests, fio and IOR. Numbers and curves of the machine are fitted to\n"
		   "them, what is odd about it is said, and --into puts all of it into a profile.\n"
		   "KERNELS.csv are times of single kernels: what a device file says of products and\n"
		   "attention is fitted to them, and --into puts it into a copy of that file.\n"
		   "With --measured, every row of a CSV is a measured training step: constants that are\n"
		   "free, and their bounds, are in hw-profiles/fit-constants.csv.",
	.operands = "file",
	.operand = "FILES",
	.operand_help = "samples of 'paradl calibrate', logs of nccl-tests, fio, ...",
	.usual = "into base force strict show measured device leave-each-out output plot",
	.examples = {"paradl calibrate --fake -o fake.jsonl && paradl fit fake.jsonl",
		"paradl fit fake.jsonl --into fake.json"},
	.most_operands = FILES_MAX,
	.run = run,
};
