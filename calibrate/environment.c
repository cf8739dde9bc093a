/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a launch ran: what each sample file says of the machine, its software and settings that change times. */
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "harness.h"

enum { ENTRIES_MAX = 96, TEXT_LENGTH = 256 };

static struct entry {
	char *name, *value;
} entries[ENTRIES_MAX];
static unsigned entry_count;
static char *json;

void environment_add(const char *name, const char *format, ...)
{
	char value[TEXT_LENGTH];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(value, sizeof value, format, arguments);
	va_end(arguments);
	for (unsigned i = 0; i < entry_count; ++i) {
		if (strcmp(entries[i].name, name) != 0)
			continue;
		char *copy = strdup(value); /* said again: the program knows better */
		if (copy) {
			free(entries[i].value);
			entries[i].value = copy;
		}
		return;
	}
	if (entry_count == ENTRIES_MAX)
		return;
	struct entry entry = {strdup(name), strdup(value)};
	if (entry.name && entry.value) {
		entries[entry_count++] = entry;
	} else {
		free(entry.name);
		free(entry.value);
	}
}

void json_text(FILE *file, const char *text)
{
	putc('"', file);
	for (; *text; ++text) {
		const unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			fprintf(file, "\\%c", c);
		else if (c < ' ' || c > '~')
			fprintf(file, "\\u%04x", c); /* as Latin-1, so that any bytes make valid JSON */
		else
			putc(c, file);
	}
	putc('"', file);
}

const char *environment_json(void)
{
	size_t length;
	free(json);
	json = NULL;
	FILE *file = open_memstream(&json, &length);
	if (!file)
		return NULL;
	putc('{', file);
	for (unsigned i = 0; i < entry_count; ++i) {
		if (i)
			putc(',', file);
		json_text(file, entries[i].name);
		putc(':', file);
		json_text(file, entries[i].value);
	}
	putc('}', file);
	if (fclose(file) != 0)
		return NULL;
	return json;
}

const char *environment_host(void)
{
	static struct utsname name;
	return uname(&name) == 0 ? name.nodename : "";
}

/* The value after "KEY<blanks>:" in /proc/cpuinfo and the like; false: there is none. */
static bool proc_value(const char *path, const char *key, char value[TEXT_LENGTH])
{
	char line[TEXT_LENGTH];
	bool found = false;
	FILE *file = fopen(path, "r");
	while (file && !found && fgets(line, sizeof line, file)) {
		const char *colon = strchr(line, ':');
		if (strncmp(line, key, strlen(key)) != 0 || !colon)
			continue;
		const char *start = colon + 1 + strspn(colon + 1, " \t");
		snprintf(value, TEXT_LENGTH, "%.*s", (int)strcspn(start, "\n"), start);
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

static void first_line(const char *name, const char *path)
{
	char line[TEXT_LENGTH] = "";
	FILE *file = fopen(path, "r");
	if (!file)
		return;
	if (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		environment_add(name, "%s", line);
	}
	fclose(file);
}

void environment_machine(void)
{
	char value[TEXT_LENGTH];
	struct utsname name;
	if (uname(&name) == 0)
		environment_add("system", "%s %s %s", name.sysname, name.release, name.machine);
	if (proc_value("/proc/cpuinfo", "model name", value))
		environment_add("cpu", "%s", value);
	environment_add("cores", "%ld", sysconf(_SC_NPROCESSORS_ONLN));
	if (proc_value("/proc/meminfo", "MemTotal", value))
		environment_add("memory", "%s", value);
	first_line("governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	first_line("boost", "/sys/devices/system/cpu/cpufreq/boost");
}

/* Sums up what the scheduler says of each thread: "RAN WAITED SLICES", the first two in nanoseconds. */
static double waited_now_s(void)
{
	double sum_s = 0;
	DIR *const threads = opendir("/proc/self/task");
	for (const struct dirent *thread; threads && (thread = readdir(threads));) {
		char path[sizeof thread->d_name + 40];
		unsigned long long ran, waited;
		snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", thread->d_name);
		FILE *const file = thread->d_name[0] == '.' ? NULL : fopen(path, "r");
		if (file && fscanf(file, "%llu %llu", &ran, &waited) == 2)
			sum_s += 1e-9 * (double)waited;
		if (file)
			fclose(file);
	}
	if (threads)
		closedir(threads);
	return sum_s;
}

struct usage usage_now(void)
{
	struct usage usage = {.clock_s = clock_s()};
	struct rusage used;
	if (getrusage(RUSAGE_SELF, &used) != 0)
		return usage;
	usage.processor_s = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
			    1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
	usage.switches = (double)used.ru_nivcsw;
	usage.waited_s = waited_now_s();
	return usage;
}

double stolen_s(void)
{
	unsigned long long user, nice_, system, idle, wait, irq, soft, stolen = 0;
	FILE *file = fopen("/proc/stat", "r");
	if (!file)
		return 0;
	if (fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice_, &system, &idle, &wait,
		    &irq, &soft, &stolen) != 8)
		stolen = 0;
	fclose(file);
	return (double)stolen / (double)sysconf(_SC_CLK_TCK);
}

void environment_free(void)
{
	for (unsigned i = 0; i < entry_count; ++i) {
		free(entries[i].name);
		free(entries[i].value);
	}
	entry_count = 0;
	free(json);
	json = NULL;
}
