/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Feeds every file of the directories given to a fuzz target: how a corpus runs where there is no fuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZE_LIMIT = 1 << 20 };

static int replay(const char *path, uint8_t *buffer)
{
	FILE *file = fopen(path, "rb");
	size_t size;

	if (file == NULL) {
		perror(path);
		return -1;
	}
	size = fread(buffer, 1, SIZE_LIMIT, file);
	if (ferror(file)) { /* a directory in the corpus */
		fclose(file);
		return 0;
	}
	fclose(file);
	LLVMFuzzerTestOneInput(buffer, size);
	return 1;
}

static int replay_directory(const char *path, uint8_t *buffer)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;
	int count = 0;

	if (directory == NULL) {
		perror(path);
		return -1;
	}
	while (count >= 0 && (entry = readdir(directory)) != NULL) {
		char name[4096];
		int done;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		done = replay(name, buffer);
		count = done < 0 ? -1 : count + done;
	}
	closedir(directory);
	return count;
}

int main(int argc, char **argv)
{
	uint8_t *buffer = malloc(SIZE_LIMIT);
	int total = 0;

	for (int i = 1; buffer != NULL && i < argc; ++i) {
		const int count = replay_directory(argv[i], buffer);

		if (count < 0)
			total = -argc;
		else
			total += count;
	}
	free(buffer);
	printf("%d inputs\n", total);
	return total <= 0;
}
