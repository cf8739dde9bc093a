/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's own calls, so that no library is needed. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _DEFAULT_SOURCE /* syscall */
#include "numa.h"

#include <ctype.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NODES_MAX = 64 };

int numa_node_of(const char *folder, const char *bus_id)
{
	char path[512], id[32];
	int node = -1;
	size_t length = 0;
	for (; bus_id[length] && length + 1 < sizeof id; length++)
		id[length] = (char)tolower((unsigned char)bus_id[length]);
	id[length] = '\0';
	snprintf(path, sizeof path, "%s/%s/numa_node", folder ? folder : "/sys/bus/pci/devices", id);
	FILE *file = fopen(path, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%d", &node) != 1 || node >= NODES_MAX)
		node = -1;
	fclose(file);
	return node;
}

bool numa_prefer(int node)
{
	const unsigned long nodes = 1UL << node;
	/* The kernel takes one bit less than it is told. */
	return syscall(SYS_set_mempolicy, MPOL_PREFERRED, &nodes, NODES_MAX + 1UL) == 0;
}

void numa_anywhere(void)
{
	syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0UL);
}
