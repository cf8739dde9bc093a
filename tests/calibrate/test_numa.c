/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes of PCI devices, read from a folder as the system's; and that the kernel has been told which one to take pages from. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _DEFAULT_SOURCE /* mkdtemp, syscall */
#include "test.h"

#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cuda/numa.h"

static void device_make(const char *folder, const char *id, const char *node)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, id);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/%s/numa_node", folder, id);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(node, file);
	fclose(file);
}

static void nodes_are_read(void **state)
{
	(void)state;
	static const char *const devices[][2] = {{"0000:17:00.0", "0\n"}, {"0000:ca:00.0", "1\n"},
		{"0000:01:00.0", "-1\n"}, {"0000:02:00.0", "x\n"}};
	char folder[] = "/tmp/paradl-numa-XXXXXX", path[256];
	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		device_make(folder, devices[i][0], devices[i][1]);
	assert_int_equal(numa_node_of(folder, "0000:17:00.0"), 0);
	assert_int_equal(numa_node_of(folder, "0000:CA:00.0"), 1); /* CUDA's capitals */
	assert_int_equal(numa_node_of(folder, "0000:01:00.0"), -1);
	assert_int_equal(numa_node_of(folder, "0000:02:00.0"), -1);
	assert_int_equal(numa_node_of(folder, "0000:03:00.0"), -1);
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
		snprintf(path, sizeof path, "%s/%s/numa_node", folder, devices[i][0]);
		unlink(path);
		snprintf(path, sizeof path, "%s/%s", folder, devices[i][0]);
		rmdir(path);
	}
	rmdir(folder);
}

static int policy(unsigned long *nodes)
{
	int mode = -1;
	return syscall(SYS_get_mempolicy, &mode, nodes, 1024UL, NULL, 0UL) == 0 ? mode : -1;
}

static void pages_come_from_a_node(void **state)
{
	(void)state;
	unsigned long nodes[16] = {0};
	if (policy(nodes) < 0 || !numa_prefer(0))
		skip(); /* a container may forbid it */
	assert_int_equal(policy(nodes), MPOL_PREFERRED);
	assert_int_equal(nodes[0], 1);
	numa_anywhere();
	assert_int_equal(policy(nodes), MPOL_DEFAULT);
	assert_false(numa_prefer(63)); /* there is no such node */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_are_read), cmocka_unit_test(pages_come_from_a_node)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
