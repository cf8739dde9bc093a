/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of its own for files of a machine and of the device that it names. */
#ifndef TESTS_MACHINE_TOY_H
#define TESTS_MACHINE_TOY_H

#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

static const char toy[] =
	"{ \"format\": \"paradl-device\", \"version\": 1, \"name\": \"Toy\", \"memory\": \"8 GB\",\n"
	"  \"memory_rate\": \"100 GB/s\", \"peak\": { \"fp32\": \"1 Tflop/s\" }, \"contraction\": { "
	"\"efficiency\": 1 } }\n";

static char folder[] = "/tmp/paradl-machine-XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[128];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *const file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

static int make_folder(void **state)
{
	(void)state;
	char path[128];
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/devices", folder);
	return mkdir(path, 0700);
}

static int remove_folder(void **state)
{
	(void)state;
	static const char *const names[] = {"/devices/toy.json", "/ours.json", "/devices", ""};
	char path[128];
	for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
		snprintf(path, sizeof path, "%s%s", folder, names[i]);
		remove(path);
	}
	return 0;
}

#endif
