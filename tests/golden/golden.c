/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that answers have the digits that they had; from the project's root.
 *     golden [--threads N] [BLOCK...]       compares hashes with tests/golden/hashes.txt; without names all blocks
 *     golden --first                        the same for the first block of each kind
 *     golden --print [BLOCK...]             prints all answers, a line for each quantity
 *     golden --write                        writes the hashes, after a change of results that is meant
 *     golden --compare FILE --within 1e-12  lists what differs by more from what another version printed
 * Exits with 1 where something differs, and with 77 where libm has other digits than where the hashes were written.
 */
#include "golden/golden.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASHES "tests/golden/hashes.txt"

enum { SKIPPED = 77 };
enum action { ACTION_CHECK, ACTION_PRINT, ACTION_WRITE, ACTION_COMPARE };

struct command {
	enum action action;
	const char *file;
	double within;
	struct blocks blocks;
};

/* ---- hashes.txt ---------------------------------------------------------------------------------------------------- */

static int write_hashes(struct blocks *blocks)
{
	blocks_run(blocks);
	FILE *const file = fopen(HASHES, "w");
	if (!file)
		give_up("%s: %s", HASHES, strerror(errno));
	fprintf(file,
		"# block, questions, how many of them were answered, hash; made by golden --write\n"
		"libm %016" PRIx64 "\n",
		fingerprint());
	for (unsigned i = 0; i < blocks->count; ++i)
		fprintf(file, "%s %u %u %016" PRIx64 "\n", blocks->items[i].name,
			blocks->items[i].text.questions, blocks->items[i].text.answered,
			blocks->items[i].hash);
	if (fclose(file) != 0)
		give_up("%s: %s", HASHES, strerror(errno));
	return 0;
}

/* Reads what the file has of a block; false: nothing. */
static bool hash_find(FILE *file, const char *name, unsigned *answered, uint64_t *hash)
{
	char line[256], word[64];
	unsigned questions;
	rewind(file);
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "%63s %u %u %" SCNx64, word, &questions, answered, hash) == 4 &&
			strcmp(word, name) == 0)
			return true;
	return false;
}

static bool same_libm(FILE *file)
{
	char line[256];
	uint64_t hash = 0;
	rewind(file);
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "libm %" SCNx64, &hash) == 1)
			return hash == fingerprint();
	give_up("%s has no line for libm", HASHES);
}

static bool block_agrees(FILE *file, const struct block *block)
{
	unsigned answered = 0;
	uint64_t hash = 0;
	if (!hash_find(file, block->name, &answered, &hash)) {
		printf("%s is not in %s\n", block->name, HASHES);
		return false;
	}
	if (hash == block->hash)
		return true;
	printf("%s differs: %u questions, %u answered (were %u), hash %016" PRIx64 " (was %016" PRIx64 ")\n",
		block->name, block->text.questions, block->text.answered, answered, block->hash, hash);
	return false;
}

static int check(struct blocks *blocks)
{
	unsigned differ = 0, checked = 0, questions = 0, answered = 0;
	FILE *const file = fopen(HASHES, "r");
	if (!file)
		give_up("%s: %s; golden runs in the project's root", HASHES, strerror(errno));
	if (!same_libm(file)) {
		printf("skipped: libm has other digits here than where %s was written\n", HASHES);
		fclose(file);
		return SKIPPED;
	}
	blocks_run(blocks);
	for (unsigned i = 0; i < blocks->count; ++i) {
		const struct block *const block = &blocks->items[i];
		if (!block->wanted)
			continue;
		++checked;
		questions += block->text.questions;
		answered += block->text.answered;
		differ += !block_agrees(file, block);
	}
	fclose(file);
	printf("%u of %u blocks differ; %u questions, %u of them answered\n", differ, checked, questions,
		answered);
	if (differ)
		printf("golden --print BLOCK before and after, and diff, or --compare, shows what\n");
	return differ > 0;
}

static int print(struct blocks *blocks)
{
	blocks->keeps = true;
	blocks_run(blocks);
	for (unsigned i = 0; i < blocks->count; ++i)
		if (blocks->items[i].wanted)
			fwrite(blocks->items[i].text.bytes, 1, blocks->items[i].text.length, stdout);
	return 0;
}

static int compare(struct command *command)
{
	if (!command->file)
		give_up("--compare needs a FILE");
	const long beyond = compare_file(&command->blocks, command->file, command->within);
	if (beyond < 0)
		give_up("%s: %s", command->file, strerror(errno));
	return beyond > 0;
}

/* ---- arguments -------------------------------------------------------------------------------------------------------- */

static const char *value_of(char **argument)
{
	if (!argument[1])
		give_up("%s needs a value", argument[0]);
	return argument[1];
}

/* Returns how many words were read. */
static int option_read(struct command *command, char **argument)
{
	const char *const word = *argument;
	if (strcmp(word, "--print") == 0)
		command->action = ACTION_PRINT;
	else if (strcmp(word, "--write") == 0)
		command->action = ACTION_WRITE;
	else if (strcmp(word, "--first") == 0)
		blocks_want_first(&command->blocks);
	else if (strcmp(word, "--threads") == 0)
		command->blocks.threads = (unsigned)strtoul(value_of(argument), NULL, 10);
	else if (strcmp(word, "--within") == 0)
		command->within = strtod(value_of(argument), NULL);
	else if (strcmp(word, "--compare") == 0) {
		command->action = ACTION_COMPARE;
		command->file = value_of(argument);
	} else if (!blocks_want(&command->blocks, word))
		give_up("there is no block %s", word);
	return strcmp(word, "--threads") == 0 || strcmp(word, "--within") == 0 || command->file == argument[1]
		       ? 2
		       : 1;
}

int main(int count, char **arguments)
{
	static struct command command = {.within = 1e-12, .blocks = {.threads = 1}};
	struct blocks *const blocks = &command.blocks;
	bool some = false;
	blocks_list(blocks);
	for (int i = 1; i < count; i += option_read(&command, arguments + i))
		;
	for (unsigned i = 0; i < blocks->count; ++i)
		some = some || blocks->items[i].wanted;
	for (unsigned i = 0; i < blocks->count; ++i)
		blocks->items[i].wanted = command.action == ACTION_WRITE ||
					  (!some && command.action != ACTION_COMPARE) ||
					  blocks->items[i].wanted;
	switch (command.action) {
	case ACTION_PRINT:
		return print(blocks);
	case ACTION_WRITE:
		return write_hashes(blocks);
	case ACTION_COMPARE:
		return compare(&command);
	case ACTION_CHECK:
		break;
	}
	return check(blocks);
}
