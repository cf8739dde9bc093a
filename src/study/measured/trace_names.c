/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file knows what names of events mean: those of the profiler of PyTorch (Kineto), NCCL and RCCL, and
 * annotations of users.
 */
#include <ctype.h>
#include <string.h>

#include "study/measured/trace.h"

enum { NAME_LETTERS = 128 };

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
	const size_t length = strlen(text), end = strlen(with);
	return length >= end && strcmp(text + length - end, with) == 0;
}

/* Copies only letters, in lower case: "AllReduce" is "all_reduce". */
static void letters(const char *text, char *plain, size_t size)
{
	size_t length = 0;
	for (; *text && length + 1 < size; ++text)
		if (isalpha((unsigned char)*text))
			plain[length++] = (char)tolower((unsigned char)*text);
	plain[length] = '\0';
}

enum range_kind trace_range_kind(const char *category, const char *name)
{
	char plain[NAME_LETTERS];
	if (strcmp(category, "cpu_op") == 0) {
		const bool backward = begins(name, "autograd::engine::evaluate_function") ||
				      ends(name, "Backward0") || ends(name, "Backward");
		return backward ? RANGE_BACKWARD : RANGE_OPERATION;
	}
	if (begins(name, "ProfilerStep#"))
		return RANGE_STEP;
	if (begins(name, "Optimizer.step"))
		return RANGE_UPDATE;
	if (begins(name, "enumerate(DataLoader)"))
		return RANGE_LOADER;
	letters(name, plain, sizeof plain);
	if (strcmp(plain, "forward") == 0 || ends(name, ".forward"))
		return RANGE_FORWARD;
	if (strcmp(plain, "backward") == 0 || ends(name, ".backward"))
		return RANGE_BACKWARD;
	if (strcmp(plain, "optimizer") == 0 || strcmp(plain, "optimizerstep") == 0 ||
		strcmp(plain, "weightupdate") == 0 || strcmp(plain, "update") == 0)
		return RANGE_UPDATE;
	if (strcmp(plain, "dataloader") == 0 || strcmp(plain, "input") == 0)
		return RANGE_LOADER;
	return RANGE_NAMED;
}

enum sends trace_collective(const char *name)
{
	static const struct {
		const char *word;
		enum sends sends;
	} words[] = {
		{"reducescatter", COLLECTIVE_SCATTER},
		{"allgather", COLLECTIVE_GATHER},
		{"alltoall", COLLECTIVE_ALL_TO_ALL},
		{"sendrecv", COLLECTIVE_SEND},
		{"allreduce", COLLECTIVE_REDUCE},
		{"broadcast", COLLECTIVE_GATHER},
		{"reduce", COLLECTIVE_REDUCE},
		{"send", COLLECTIVE_SEND},
		{"recv", COLLECTIVE_SEND},
	};
	char plain[NAME_LETTERS];
	letters(name, plain, sizeof plain);
	if (!begins(plain, "nccl") && !begins(plain, "rccl") && !begins(plain, "mscclkernel") &&
		!begins(plain, "oneccl"))
		return COLLECTIVE_NONE;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
		if (strstr(plain, words[i].word))
			return words[i].sends;
	return COLLECTIVE_NONE;
}
