/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Feeds every file of the folders given to a fuzz target: how a corpus runs where there is no libFuzzer. Each input
 * has a buffer of its own size, so that a sanitizer sees the first byte read beyond it.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZE_LIMIT = 1 << 20 };

static bool replay(const char *path)
{
	FILE *const file = fopen(path, "rb");
	uint8_t *const whole = malloc(SIZE_LIMIT);
	const size_t size = file && whole ? fread(whole, 1, SIZE_LIMIT, file) : 0;
	const bool is_read = file && whole && !ferror(file);
	uint8_t *const exact = realloc(whole, size > 0 ? size : 1);
	if (file)
		fclose(file);
	if (is_read && exact)
		LLVMFuzzerTestOneInput(exact, size);
	else
		perror(path);
	free(exact);
	return is_read && exact;
}

/* The number of inputs, or -1. */
static int replay_folder(const char *path)
{
	int count = 0;
	DIR *const folder = opendir(path);
	if (!folder) {
		perror(path);
		return -1;
	}
	for (const struct dirent *entry = readdir(folder); entry && count >= 0; entry = readdir(folder)) {
		char name[4096];
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
		count = replay(name) ? count + 1 : -1;
	}
	closedir(folder);
	return count;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const int count = replay_folder(argv[i]);
		if (count <= 0)
			return 1;
		printf("%s: %d inputs\n", argv[i], count);
	}
	return argc < 2;
}
