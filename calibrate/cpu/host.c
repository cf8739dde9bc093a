/* SPDX-License-Identifier: BSD-3-Clause */
/* What /proc and /sys of Linux say; elsewhere only what POSIX does. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "host.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_LENGTH = 256, CACHE_INDICES = 8 };

/* First line of a small file; false: there is none. */
static bool first_line(const char *path, char line[LINE_LENGTH])
{
	FILE *file = fopen(path, "r");
	bool there = file && fgets(line, LINE_LENGTH, file);
	if (file)
		(void)fclose(file);
	if (there)
		line[strcspn(line, "\n")] = '\0';
	return there;
}

/* What stands behind "KEY<blanks>:" in a file of such lines. */
static bool value_of(const char *path, const char *key, char value[LINE_LENGTH])
{
	char line[LINE_LENGTH];
	FILE *file = fopen(path, "r");
	size_t length = strlen(key);
	bool found = false;
	while (file && !found && fgets(line, sizeof line, file)) {
		const char *rest = line + length;
		if (strncmp(line, key, length) != 0)
			continue;
		rest += strspn(rest, " \t");
		if (*rest != ':')
			continue;
		rest += 1 + strspn(rest + 1, " \t");
		snprintf(value, LINE_LENGTH, "%.*s", (int)strcspn(rest, "\n"), rest);
		found = true;
	}
	if (file)
		(void)fclose(file);
	return found;
}

static unsigned processors_online(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (unsigned)online : 1;
}

#ifdef __linux__

struct core {
	long package, number;
};

static bool core_number(size_t cpu, const char *what, long *number)
{
	char path[LINE_LENGTH], line[LINE_LENGTH];
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%zu/topology/%s", cpu, what);
	if (!first_line(path, line))
		return false;
	*number = strtol(line, NULL, 10);
	return true;
}

static bool known(const struct core *cores, unsigned count, const struct core *core)
{
	for (unsigned i = 0; i < count; i++)
		if (cores[i].package == core->package && cores[i].number == core->number)
			return true;
	return false;
}

static unsigned count_cores(void)
{
	struct core cores[CPU_SETSIZE];
	cpu_set_t allowed;
	unsigned count = 0;
	CPU_ZERO(&allowed);
	if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
		return processors_online();
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		struct core core = {-1, (long)cpu};
		if (!CPU_ISSET(cpu, &allowed))
			continue;
		(void)core_number(cpu, "physical_package_id", &core.package);
		(void)core_number(cpu, "core_id", &core.number);
		if (!known(cores, count, &core))
			cores[count++] = core;
	}
	return count ? count : 1;
}

#else

static unsigned count_cores(void)
{
	return processors_online();
}

#endif

unsigned host_cores(void)
{
	static unsigned cores;
	if (cores == 0)
		cores = count_cores();
	return cores;
}

/* "2048K" */
static double size_of(const char *text)
{
	char *end;
	double size = strtod(text, &end);
	return *end == 'K' ? size * 1024 : *end == 'M' ? size * 1048576 : size;
}

/* Of an index of the first processor; false when there is no such index. Instruction caches have size 0. */
static bool cache_index(int index, long *level, double *bytes)
{
	char path[LINE_LENGTH], line[LINE_LENGTH];
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/level", index);
	if (!first_line(path, line))
		return false;
	*level = strtol(line, NULL, 10);
	*bytes = 0;
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", index);
	if (first_line(path, line) && strcmp(line, "Instruction") == 0)
		return true;
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
	if (first_line(path, line))
		*bytes = size_of(line);
	return true;
}

double host_last_cache_bytes(void)
{
	double last = 0, bytes;
	long last_level = 0, level;
	for (int index = 0; index < CACHE_INDICES && cache_index(index, &level, &bytes); index++)
		if (level > last_level && bytes > 0) {
			last_level = level;
			last = bytes;
		}
	return last;
}

static double number_in(const char *path)
{
	char line[LINE_LENGTH], *end;
	double number;
	if (!first_line(path, line))
		return -1;
	number = strtod(line, &end);
	return end == line ? -1 : number; /* "max" */
}

static double less_of_limit(double available, const char *limit_path, const char *used_path)
{
	double limit = number_in(limit_path), used = number_in(used_path);
	if (limit < 0 || used < 0)
		return available;
	if (limit <= used)
		return 1;
	return available <= 0 || limit - used < available ? limit - used : available;
}

double host_available_bytes(void)
{
	char value[LINE_LENGTH];
	double available = 0;
	if (value_of("/proc/meminfo", "MemAvailable", value))
		available = strtod(value, NULL) * 1024;
	available = less_of_limit(available, "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
	return less_of_limit(available, "/sys/fs/cgroup/memory/memory.limit_in_bytes",
		"/sys/fs/cgroup/memory/memory.usage_in_bytes");
}

static void describe_caches(void)
{
	char text[LINE_LENGTH] = "";
	double bytes;
	long level;
	for (int index = 0; index < CACHE_INDICES && cache_index(index, &level, &bytes); index++)
		if (bytes > 0) {
			size_t length = strlen(text);
			snprintf(text + length, sizeof text - length, "%sL%ld %.0f KiB", length ? ", " : "",
				level, bytes / 1024);
		}
	if (*text)
		environment_add("caches", "%s", text);
}

void host_describe(void)
{
	static const struct {
		const char *name, *path;
	} settings[] = {
		{"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"},
		{"turbo off", "/sys/devices/system/cpu/intel_pstate/no_turbo"},
		{"boost", "/sys/devices/system/cpu/cpufreq/boost"},
		{"several threads per core", "/sys/devices/system/cpu/smt/active"},
		{"huge pages", "/sys/kernel/mm/transparent_hugepage/enabled"},
	};
	char line[LINE_LENGTH];
	environment_add("cores", "%u", host_cores());
	describe_caches();
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (first_line(settings[i].path, line))
			environment_add(settings[i].name, "%s", line);
}
