/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/names.h"
#include "cli/command.h"
#include "report/report.h"

static const char exit_codes[] =
	"Exit status of every command:\n\n"
	"  0  an answer was found\n"
	"  1  the question is fine and the answer is \"no\": nothing is feasible, a\n"
	"     validation misses its tolerance, check or fit --strict found something\n"
	"  2  the command line is wrong\n"
	"  3  an input file is missing or wrong\n"
	"  4  a program that is needed (gnuplot) is missing or failed\n"
	"  5  writing failed, or memory ran out\n"
	"130  a measurement or a sweep was interrupted; --resume goes on\n\n"
	"With --json a failure is a document too:\n"
	"{\"schema\": \"paradl-error-1\", \"error\": ...}.\n";

static const char plans[] =
	"A plan says how many GPUs work along each axis, the outermost axis first:\n\n"
	"  data=64,spatial=4            64 replicas, each cut into 4 pieces of the image\n"
	"  data=16,spatial=2x2          pieces in two dimensions\n"
	"  data=8,pipeline=4,micro=2    4 stages, micro-batches of 2 samples\n"
	"  data=16,pipeline=8,tensor=8,zero=1   a transformer on 1,024 GPUs\n"
	"  serial                       one GPU\n\n"
	"The degrees multiply to the number of GPUs; neighbours along the last axis share\n"
	"a node if one can hold them.\n\n"
	"  data      replicas, each with its part of the batch        dp, d\n"
	"  pipeline  stages of consecutive layers                     pp, p\n"
	"  expert    experts are dealt out; else a data axis          ep\n"
	"  context   the sequence of every sample                     cp\n"
	"  tensor    heads and widths of transformers                 tp\n"
	"  filter    output channels of every layer                   f\n"
	"  channel   input channels of every layer                    c\n"
	"  spatial   rows, columns, planes of every activation        s\n\n"
	"Options, in any place:\n\n"
	"  micro=N         samples per micro-batch and replica\n"
	"  schedule=S      gpipe, 1f1b, interleaved:V, zero-bubble, zero-bubble-2p,\n"
	"                  zero-bubble-v\n"
	"  split=A:B:...   blocks of each stage (layers of networks without blocks)\n"
	"  zero=L          0 to 3: shards optimizer states, gradients, weights; fsdp is 3\n"
	"  shard=N         replicas that share what is sharded, when not all\n"
	"  recompute=R     none, selective, modules, full, full:N (N blocks of each stage)\n"
	"  sequence=on     sequence parallelism beside tensor; sp\n"
	"  experts=tensor  the tensor axis cuts experts, too\n"
	"  dispatcher=D    who carries tokens to experts: alltoall, deepep, hybridep\n"
	"  offload=W       optimizer, weights, activations, joined by +\n"
	"  overlap=W       what may hide: gradients, tensor, experts, joined by +; none\n"
	"  gather=LAYER    the last layer that spatial pieces go through\n"
	"  chunk=N         serving: most tokens of prompts in a step\n"
	"  seqs=N          serving: most sequences of a replica at a time\n"
	"  context=N:W     how keys and values meet: ring, gather, ulysses\n\n"
	"What a table of advise prints can be pasted after\n"
	"'paradl estimate MODEL --hw HW -s'.\n";

static const char changes[] =
	"--set KEY=VALUE answers as if a file said something else; it may be there many\n"
	"times. KEY is a file and the names of what is in it, with dots between them:\n\n"
	"  hw.levels.1.bandwidth=25 GB/s   in the machine's profile; lists count from 0\n"
	"  hw.levels.*.latency=x0.5        all members, each half of what it was\n"
	"  device.peak.*=+20%              in the file of the machine's device\n"
	"  hw.device=h200-sxm5-141gb       another device\n"
	"  framework.rules.sustained=0.8   in the framework's profile\n"
	"  model.dims.seq=8192             in the network\n"
	"  model.training.batch_per_gpu=8\n\n"
	"x and a factor, or a percentage with a sign, multiplies numbers and quantities;\n"
	"anything else replaces what stands there, or adds it. '[', '{' and '\"' begin JSON.\n\n"
	"What was measured of links goes with their level, unless it is changed itself: rings,\n"
	"cables of a routed network, curves of collectives; paradl-hw(5).\n";

static const struct {
	const char *name, *text;
} topics[] = {
	{"changes", changes},
	{"exit-codes", exit_codes},
	{"plans", plans},
};
enum { TOPIC_COUNT = sizeof topics / sizeof topics[0], NAMES_MAX = 32 };

static enum exit_status print(
	struct session *session, const char *text, const struct command *command, bool as_scdoc)
{
	struct document document;
	if (!document_begin(session, &document))
		return session_fail(session);
	if (text)
		fputs(text, document.sink.file);
	else if (command && as_scdoc)
		usage_scdoc(document.sink.file, command);
	else if (command)
		usage_command(&document.sink, command);
	else
		usage_program(&document.sink);
	return document_end(session, &document, EXIT_ANSWER);
}

/* Prints the schema of a document, or its columns for a manual page. */
static enum exit_status print_document(struct session *session, const char *name)
{
	const struct result_document *const found = name ? result_document_find(name) : NULL;
	struct document document;
	if (!found) {
		session_usage(session, "there is no document '%s'", name ? name : "");
		error_hint(
			&session->error, "commands that know --json have one: paradl help --schema advise");
		return session_fail(session);
	}
	if (!document_begin(session, &document))
		return session_fail(session);
	if (session->arguments.schema)
		schema_write(document.sink.file, found);
	else
		usage_columns(document.sink.file, found->table);
	return document_end(session, &document, EXIT_ANSWER);
}

/* Returns whether man knows the page; the path that `man -w` prints goes to /dev/null. */
static bool has_page(const char *page)
{
	extern char **environ;
	char program[] = "man", option[] = "-w", name[48];
	char *const arguments[] = {program, option, name, NULL};
	posix_spawn_file_actions_t actions;
	pid_t child;
	int status = -1;
	snprintf(name, sizeof name, "%s", page);
	if (posix_spawn_file_actions_init(&actions) != 0)
		return false;
	const bool started =
		posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
		posix_spawnp(&child, program, &actions, NULL, arguments, environ) == 0;
	posix_spawn_file_actions_destroy(&actions);
	return started && waitpid(child, &status, 0) == child && status == 0;
}

static enum exit_status open_page(struct session *session, const struct command *command)
{
	char program[] = "man", page[48];
	char *const arguments[] = {program, page, NULL};
	const bool is_program = !command && session->operands.count > 0;
	snprintf(page, sizeof page, "paradl%s%s", command ? "-" : "", command ? command->name : "");
	if ((command || is_program) && has_page(page))
		execvp(program, arguments);
	return print(session, NULL, command, false);
}

static enum exit_status unknown_topic(struct session *session, const char *name)
{
	const char *names[NAMES_MAX];
	size_t count = 0;
	for (size_t i = 0; i < TOPIC_COUNT; i++)
		names[count++] = topics[i].name;
	for (size_t i = 0; commands[i] && count < NAMES_MAX; i++)
		names[count++] = commands[i]->name;
	const char *const near = suggest(name, names, count);
	if (near)
		session_usage(session, "no help on '%s'; did you mean '%s'?", name, near);
	else
		session_usage(session,
			"no help on '%s'; there is help on changes, exit-codes, plans and the commands",
			name);
	return session_fail(session);
}

static enum exit_status run(struct session *session)
{
	const char *const name = session->operands.count > 0 ? session->operands.items[0] : NULL;
	const struct command *const command = name ? command_find(name) : NULL;
	if (session->arguments.schema || session->arguments.man_columns)
		return print_document(session, name);
	for (size_t i = 0; name && i < TOPIC_COUNT; i++)
		if (strcmp(topics[i].name, name) == 0)
			return print(session, topics[i].text, NULL, false);
	if (name && !command && strcmp(name, "paradl") != 0)
		return unknown_topic(session, name);
	if (session->arguments.man_options && !command) {
		session_usage(session, "--man-options needs a COMMAND");
		return session_fail(session);
	}
	return session->arguments.man_options ? print(session, NULL, command, true)
					      : open_page(session, command);
}

const struct command command_help = {
	.name = "help",
	.summary = "open the manual of a command, or explain plans, changes, exit-codes",
	.synopsis = "[COMMAND|plans|changes|exit-codes]",
	.details = "Without a manual page, what --help prints.",
	.operands = "help",
	.operand = "COMMAND",
	.operand_help = "what to explain (default all commands)",
	.usual = "schema help",
	.examples = {"paradl help plans", "paradl help --schema advise"},
	.most_operands = 1,
	.run = run,
};
