/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rounds of random sizes between processes, each of which checks every byte: exchange ROUNDS LOST_AFTER [VICTIM ROUND SIGNAL].
 * What a process sends follows from its rank and the round, and says what the round before came to: so all have the same.
 * The victim, and nobody else, may be missing from its round on.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/mpi/mpi_crew.h"

enum { MOST_BYTES = 300000 };

struct block {
	uint64_t rank, round, bytes, sum_before;
};

struct victim {
	unsigned rank, round;
	int signal; /* 0: nobody */
};

static uint64_t mix(uint64_t x) /* splitmix64 */
{
	x += 0x9e3779b97f4a7c15U;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
	return x ^ (x >> 31);
}

/* Nothing, a little, or much. */
static size_t size_of(uint64_t rank, uint64_t round)
{
	const uint64_t draw = mix(mix(rank) ^ round);
	return draw % 3 == 0 ? 0 : draw % 3 == 1 ? draw / 3 % 100 : draw / 3 % MOST_BYTES;
}

static unsigned char byte_of(uint64_t rank, uint64_t round, size_t i)
{
	return (unsigned char)(mix(rank * 1000003 + round) >> (i % 8 * 8)) ^ (unsigned char)i;
}

static size_t fill(unsigned char *data, const struct block *block)
{
	memcpy(data, block, sizeof *block);
	for (size_t i = 0; i < block->bytes; i++)
		data[sizeof *block + i] = byte_of(block->rank, block->round, i);
	return sizeof *block + block->bytes;
}

static bool block_is_right(const struct block *block, const unsigned char *data, uint64_t round, uint64_t sum)
{
	if (block->round != round || block->bytes != size_of(block->rank, round) || block->sum_before != sum)
		return false;
	for (size_t i = 0; i < block->bytes; i++)
		if (data[i] != byte_of(block->rank, round, i))
			return false;
	return true;
}

/* Every rank once and in order, but for the victim. */
static bool round_is_right(const unsigned char *all, size_t bytes, const struct crew *crew,
	const struct victim *victim, const struct block *mine)
{
	size_t place = 0;
	for (unsigned rank = 0; rank < crew->size; rank++) {
		struct block block = {.rank = crew->size};
		if (bytes - place >= sizeof block)
			memcpy(&block, all + place, sizeof block);
		const bool may_lack = victim->signal && rank == victim->rank && mine->round >= victim->round;
		if (block.rank != rank && may_lack)
			continue;
		if (block.rank != rank || bytes - place - sizeof block < block.bytes ||
			!block_is_right(&block, all + place + sizeof block, mine->round, mine->sum_before))
			return false;
		place += sizeof block + block.bytes;
	}
	return place == bytes;
}

static uint64_t sum_of(const unsigned char *data, size_t bytes)
{
	uint64_t sum = bytes;
	for (size_t i = 0; i < bytes; i++)
		sum = sum * 0x100000001b3U + data[i];
	return sum;
}

static bool work(struct crew *crew, unsigned rounds, const struct victim *victim, struct paradl_error *error)
{
	static unsigned char data[sizeof(struct block) + MOST_BYTES];
	struct block mine = {.rank = crew->rank};
	const void *all;
	size_t bytes;
	for (unsigned round = 0; round < rounds; round++) {
		mine.round = round;
		mine.bytes = size_of(mine.rank, round);
		if (victim->signal && crew->rank == victim->rank && round == victim->round)
			kill(getpid(), victim->signal);
		if (!crew->team.members.exchange(crew, data, fill(data, &mine), &all, &bytes))
			return error_set(error, PARADL_IO, "round %u did not come about", round);
		if (!round_is_right(all, bytes, crew, victim, &mine))
			return error_set(error, PARADL_IO, "round %u is wrong", round);
		mine.sum_before = sum_of(all, bytes);
	}
	if (crew->rank == 0)
		printf("%u rounds, %016llx\n", rounds, (unsigned long long)mine.sum_before);
	return true;
}

int main(int argc, char **argv)
{
	struct crew crew;
	struct victim victim = {0};
	struct paradl_error error = {0};
	if (argc < 3 || !crew_join(&crew, &argc, &argv))
		return EXIT_USAGE;
	if (argc > 5)
		victim = (struct victim){.rank = (unsigned)strtoul(argv[3], NULL, 10),
			.round = (unsigned)strtoul(argv[4], NULL, 10),
			.signal = (int)strtol(argv[5], NULL, 10)};
	crew.team.begin(&crew.team, strtod(argv[2], NULL));
	const bool right = work(&crew, (unsigned)strtoul(argv[1], NULL, 10), &victim, &error);
	if (!right && crew.rank == 0)
		fprintf(stderr, "%s\n", error.message);
	return crew_leave(&crew, right ? EXIT_ANSWER : EXIT_NO, &error);
}
