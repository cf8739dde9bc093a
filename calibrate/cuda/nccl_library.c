/* SPDX-License-Identifier: BSD-3-Clause */
#include "nccl_library.h"

#include <string.h>

#include "nccl_group.h"
#include "team.h"

#ifdef WITH_NCCL

static const struct symbol symbols[] = {
#define X(function) {#function, offsetof(struct nccl_functions, function)},
	NCCL_FUNCTIONS(X)
#undef X
		{NULL, 0},
};

static struct library library = {"libnccl.so.2", 0, 0, "NCCL", NULL};
struct nccl_functions nccl;
static char name[32] = "nccl";

enum ready nccl_status(struct run *run, ncclResult_t status, const char *call, const char *file, int line)
{
	if (status == ncclSuccess || status == ncclInProgress)
		return READY;
	const char *const slash = strrchr(file, '/');
	return run_say(run, FAILED, "%s at %s:%d: %.60s", nccl.ncclGetErrorString(status),
		slash ? slash + 1 : file, line, call);
}

bool nccl_load(void)
{
	return library_load(&library, &nccl, symbols);
}

static bool version_of(int version[3])
{
	int number = 0;
	if (!nccl_load() || nccl.ncclGetVersion(&number) != ncclSuccess)
		return false;
	version[0] = number / 10000;
	version[1] = number / 100 % 100;
	version[2] = number % 100;
	return true;
}

const char *nccl_name(void)
{
	int version[3];
	if (version_of(version))
		snprintf(name, sizeof name, "nccl %d.%d.%d", version[0], version[1], version[2]);
	return name;
}

void nccl_begin(void)
{
	int version[3];
	if (!version_of(version))
		return;
	environment_add("nccl", "%d.%d.%d", version[0], version[1], version[2]);
	environment_add("launch", "%s", team.processes ? "one process for each GPU" : "one process");
}

#endif
