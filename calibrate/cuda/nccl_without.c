/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands for NCCL in a program that was built without its headers. */
#include "nccl_group.h"

#ifndef WITH_NCCL

const char *nccl_name(void)
{
	return "nccl";
}
void nccl_begin(void)
{
}

enum ready nccl_group_make(struct run *run, enum operation operation, const struct layout *layout,
	size_t bytes, struct nccl_group **group)
{
	(void)operation, (void)layout, (void)bytes;
	*group = NULL;
	return run_say(run, ABSENT, "built without NCCL: install its headers and build again");
}

static enum ready without(struct run *run)
{
	return run_say(run, FAILED, "built without NCCL");
}
enum ready nccl_group_enqueue(struct run *run, struct nccl_group *group)
{
	return group ? READY : without(run);
}
enum ready nccl_group_start(struct run *run, struct nccl_group *group)
{
	return group ? READY : without(run);
}
enum ready nccl_group_stop(struct run *run, struct nccl_group *group)
{
	return group ? READY : without(run);
}
enum ready nccl_group_seconds(struct run *run, struct nccl_group *group, double *seconds)
{
	*seconds = 0;
	return group ? READY : without(run);
}
enum ready nccl_group_wait(struct run *run, struct nccl_group *group)
{
	return group ? READY : without(run);
}
void nccl_group_free(struct nccl_group *group, const struct layout *layout)
{
	(void)group, (void)layout;
}
void nccl_end(void)
{
}

#endif
