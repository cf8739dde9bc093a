/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "corpus.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SEED_MOST = 24 << 10, PATH_MOST = 1024, SEEDS_MOST = 4096, QUESTIONS_MOST = 512 };

static const struct {
	const char *folder, *kind;
} folders[] = {
	{"tests/cli/data/models", "model"},
	{"tests/cli/data/hw-profiles", "hw"},
	{"tests/cli/data/hw-profiles/devices", "device"},
	{"tests/cli/data/hw-profiles/frameworks", "framework"},
	{"models", "model"},
	{"datasets", "dataset"},
	{"hw-profiles", "hw"},
	{"hw-profiles/devices", "device"},
	{"hw-profiles/frameworks", "framework"},
	{"tests/data/invalid/models", "model"},
	{"tests/data/huggingface", "foreign"},
	{"tests/data/onnx", "foreign"},
	{"tests/data/original", "foreign"},
	{"tests/data/dlio", "foreign"},
	{"tests/fuzz/corpus/net", "foreign"},
	{"tests/fuzz/corpus/import", "foreign"},
	{"tests/fuzz/corpus/onnx", "foreign"},
	{"tests/fuzz/corpus/workload", "foreign"},
	{"tests/fuzz/corpus/model", "model"},
	{"tests/fuzz/corpus/framework", "framework"},
	{"tests/fuzz/corpus/layered", "layered"},
	{"tests/fuzz/corpus/layer_times", "layer_times"},
	{"tests/data/layers", "layer_times"},
	{"tests/fuzz/corpus/timings", "timings"},
	{"tests/data/logs", "samples"},
	{"tests/data/samples", "samples"},
	{"tests/fuzz/corpus/samples", "samples"},
	{"tests/fuzz/corpus/trace", "measured"},
	{"tests/fuzz/corpus/measured", "rows"},
	{"tests/data/measured", "rows"},
	{"tests/data/kernels", "kernels"},
	{"tests/data/hiding", "epochs"},
	{"examples", "clients"},
};

/* Tables and samples that are longer are cut at the end of a line; other files are left out. */
static bool read_file(const char *path, struct text *text)
{
	static char bytes[SEED_MOST + 1];
	FILE *const file = fopen(path, "rb");
	if (!file)
		return false;
	size_t length = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	if (length == sizeof bytes) {
		const char *const ending = strrchr(path, '.');
		if (!ending || (strcmp(ending, ".csv") != 0 && strcmp(ending, ".jsonl") != 0 &&
				       strcmp(ending, ".txt") != 0))
			return false;
		while (length > 0 && bytes[length - 1] != '\n')
			--length;
	}
	text_set(text, bytes, length);
	return length > 0;
}

static int is_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && strcmp(entry->d_name, "README.md") != 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_folder(struct corpus *corpus, const char *root, const char *folder, const char *kind)
{
	char path[PATH_MOST];
	struct dirent **entries = NULL;
	snprintf(path, sizeof path, "%s/%s", root, folder);
	const int count = scandir(path, &entries, is_file, by_name);
	for (int i = 0; i < count; i++) {
		struct stat status;
		struct text text = {NULL, 0, 0};
		snprintf(path, sizeof path, "%s/%s/%s", root, folder, entries[i]->d_name);
		if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && corpus->count < SEEDS_MOST &&
			read_file(path, &text))
			corpus->seeds[corpus->count++] =
				(struct seed){kind, strdup(entries[i]->d_name), text};
		else
			text_free(&text);
		free(entries[i]);
	}
	free(entries);
}

static void read_questions(struct corpus *corpus, const char *root)
{
	char path[PATH_MOST], *line = NULL;
	size_t room = 0;
	ssize_t length;
	snprintf(path, sizeof path, "%s/tests/fuzz/mutator/questions.jsonl", root);
	FILE *const file = fopen(path, "r");
	while (file && (length = getline(&line, &room, file)) > 1 && corpus->question_count < QUESTIONS_MOST)
		text_set(&corpus->questions[corpus->question_count++], line, (size_t)length - 1);
	if (file)
		fclose(file);
	free(line);
}

void corpus_read(struct corpus *corpus, const char *root)
{
	*corpus = (struct corpus){.seeds = calloc(SEEDS_MOST, sizeof *corpus->seeds),
		.questions = calloc(QUESTIONS_MOST, sizeof *corpus->questions)};
	if (!corpus->seeds || !corpus->questions)
		abort();
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		read_folder(corpus, root, folders[i].folder, folders[i].kind);
	read_questions(corpus, root);
	if (corpus->count == 0 || corpus->question_count == 0) {
		fprintf(stderr, "%s has no files to begin with\n", root);
		exit(2);
	}
}

void corpus_free(struct corpus *corpus)
{
	for (size_t i = 0; i < corpus->count; i++) {
		text_free(&corpus->seeds[i].text);
		free(corpus->seeds[i].name);
	}
	for (size_t i = 0; i < corpus->question_count; i++)
		text_free(&corpus->questions[i]);
	free(corpus->seeds);
	free(corpus->questions);
}

const struct seed *corpus_any(const struct corpus *corpus, const char *kind, struct chance *chance)
{
	size_t many = 0;
	for (size_t i = 0; i < corpus->count; i++)
		many += !kind || strcmp(corpus->seeds[i].kind, kind) == 0;
	size_t wanted = chance_below(chance, many);
	for (size_t i = 0; i < corpus->count; i++)
		if ((!kind || strcmp(corpus->seeds[i].kind, kind) == 0) && wanted-- == 0)
			return &corpus->seeds[i];
	return NULL;
}
