/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "world.h"

extern char **environ;

enum { TEXT_LENGTH = 400 };

static int package_of(int processor)
{
	char path[96];
	int package = -1;
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", processor);
	FILE *const file = fopen(path, "r");
	if (file) {
		if (fscanf(file, "%d", &package) != 1)
			package = -1;
		fclose(file);
	}
	return package;
}

int place_package(void)
{
	cpu_set_t allowed;
	int package = -1;
	CPU_ZERO(&allowed);
	if (sched_getaffinity(0, sizeof allowed, &allowed))
		return -1;
	for (int processor = 0; processor < CPU_SETSIZE; processor++)
		if (CPU_ISSET((size_t)processor, &allowed)) {
			const int of_this = package_of(processor);
			if (of_this < 0 || (package >= 0 && of_this != package))
				return -1;
			package = of_this;
		}
	return package;
}

/* How many processors ranks may run on. */
static void describe_binding(const struct world *all)
{
	cpu_set_t allowed;
	CPU_ZERO(&allowed);
	double most = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0,
	       least = most;
	MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, all->control);
	MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, all->control);
	if (most > least)
		environment_add("binding", "%.0f to %.0f processors", least, most);
	else
		environment_add("binding", "%.0f processor%s", most, most > 1 ? "s" : "");
}

/* "a, b, c, ... (37 in all)" */
static void describe_hosts(const struct world *all)
{
	char text[TEXT_LENGTH] = "";
	size_t used = 0;
	for (unsigned node = 0; node < all->map.nodes; node++) {
		const char *const host = all->places[map_rank(&all->map, node, 0)].host;
		if (used + strlen(host) + 32 > sizeof text) {
			snprintf(text + used, sizeof text - used, ", ... (%u in all)", all->map.nodes);
			break;
		}
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", host);
	}
	environment_add("hosts", "%s", text);
}

static void describe_variables(void)
{
	for (char **setting = environ; *setting; setting++) {
		const size_t name_length = strcspn(*setting, "=");
		char name[TEXT_LENGTH];
		if (!library_variable(*setting) || name_length >= sizeof name)
			continue;
		memcpy(name, *setting, name_length);
		name[name_length] = '\0';
		environment_add(name, "%s", *setting + name_length + ((*setting)[name_length] == '='));
	}
}

void world_describe(const struct world *all)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING];
	int length;
	MPI_Get_library_version(version, &length);
	version[strcspn(version, "\n")] = '\0';
	environment_add("library", "%s", all->library);
	environment_add("library version", "%s", version);
	environment_add("ranks", "%u", all->count);
	environment_add("nodes", "%u", all->map.nodes);
	environment_add("ranks per node", "%u", all->map.per_node);
	environment_add("oversubscribed", "%d", all->oversubscribed);
	describe_hosts(all);
	describe_binding(all);
	describe_variables();
}
