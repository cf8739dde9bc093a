/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations agree with one another on every shipped machine and on networks of every kind (Traff, Gropp and Thakur,
 * Self-consistent MPI performance guidelines, 2010): no part of an allreduce takes longer than all of it, an allreduce no longer than a
 * reduce-scatter and an allgather. Steps are one after another: when ranks run ahead of one another, messages of both halves of an
 * allreduce meet on links, and the whole takes longer than its halves with a barrier between them: by up to 8 %, of Swing on half a mesh of
 * 8 x 8, as fluid.h follows it.
 */
#include "test.h"

#include <dirent.h>

#include "paradl/network.h"

enum { SIZES = 4 };
static const double sizes[SIZES] = {1024, 65536, 1 << 20, 1 << 28};

static const double close = 1 + 1e-9;

struct times {
	bool inside; /* a node whose library adds to each operation what it takes, of its own algorithms for each */
	double of[PARADL_POINT_TO_POINT][SIZES];
};

static unsigned compared;

static void times_take(struct paradl_network *network, const struct paradl_collective_request *asked,
	const char *name, struct times *times)
{
	for (unsigned operation = 0; operation < PARADL_ALL_TO_ALL; ++operation) {
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_collective_table table;
		struct paradl_error error = {0};
		struct paradl_collective_request request = *asked;
		request.operation = (enum paradl_operation)operation;
		request.bytes = sizes;
		request.count = SIZES;
		request.steps = true;
		if (!paradl_collective(network, &request, arena, &table, &error))
			fail_msg("%s: %s", name, error.message);
		for (unsigned i = 0; i < SIZES; ++i)
			times->of[operation][i] = table.rows[i].model_s;
		times->inside = table.library != NULL;
		paradl_arena_free(arena);
	}
}

static void no_longer(
	const char *name, unsigned ranks, unsigned size, const char *what, double s, double whole_s)
{
	++compared;
	if (s > whole_s * close)
		fail_msg("%s, %u ranks, %.0f bytes: %s, %g s against %g s", name, ranks, sizes[size], what, s,
			whole_s);
}

static void agree(const char *name, unsigned ranks, const struct times *times)
{
	for (unsigned i = 0; i < SIZES; ++i) {
		const double all_s = times->of[PARADL_ALLREDUCE][i];
		const double gather_s = times->of[PARADL_ALLGATHER][i];
		const double scatter_s = times->of[PARADL_REDUCE_SCATTER][i];
		no_longer(name, ranks, i, "allgather, allreduce", gather_s, all_s);
		no_longer(name, ranks, i, "reduce-scatter, allreduce", scatter_s, all_s);
		no_longer(name, ranks, i, "allreduce, its halves", all_s, scatter_s + gather_s);
		if (times->inside)
			continue;
		no_longer(name, ranks, i, "broadcast, allreduce", times->of[PARADL_BROADCAST][i], all_s);
		no_longer(name, ranks, i, "reduce, allreduce", times->of[PARADL_REDUCE][i], all_s);
	}
}

static void machine_agrees(const char *path)
{
	static const unsigned counts[] = {2, 8, 48, 64, 256};
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct paradl_machine *machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = path}, &error);
	struct paradl_network *network = machine ? paradl_network_create(arena, machine, &error) : NULL;
	if (!network)
		fail_msg("%s: %s", path, error.message);
	const struct paradl_network_info info = paradl_network_info(network);
	for (unsigned i = 0; i <= sizeof counts / sizeof *counts; ++i) {
		const bool whole = i == sizeof counts / sizeof *counts;
		const unsigned ranks = whole ? info.devices : counts[i];
		struct paradl_collective_request request = {.ranks = ranks, .algorithms = "all"};
		struct times times;
		if (ranks > info.devices || ranks < 2 || ranks > (takes_all() ? 4096 : 64))
			continue;
		times_take(network, &request, path, &times);
		agree(path, ranks, &times);
		request.algorithms = NULL;
		times_take(network, &request, path, &times);
		agree(path, ranks, &times);
	}
	paradl_arena_free(arena);
}

static void shipped_machines_agree(void **state)
{
	unsigned machines = 0;
	DIR *const folder = opendir("hw-profiles");
	(void)state;
	assert_non_null(folder);
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
		char path[300];
		if (!strstr(entry->d_name, ".json"))
			continue;
		snprintf(path, sizeof path, "hw-profiles/%s", entry->d_name);
		machine_agrees(path);
		++machines;
	}
	closedir(folder);
	assert_true(machines >= 25);
}

static void topologies_agree(void **state)
{
	static const char *const texts[] = {"switch:7", "switch:16", "fat-tree:8x8", "fat-tree:8x8:up=2",
		"rail:8x8x8", "torus:8x8", "torus:4x4x4", "torus:16x16", "torus:6x5", "mesh:8x8",
		"mesh:3x4x5", "ring:16", "ring:9", "hyperx:8x8", "hyperx:4x6", "hyperx:4x4x4",
		"dragonfly:17x16:hosts=0", "dragonfly:5x4:hosts=2", "dragonfly+:5x4:hosts=2:split=1",
		"dln:64", "dln:100", "dln:256", "dln2d:16x16", "kautz:4x2", "kautz:16x2", "kautz:2x4"};
	(void)state;
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_error error = {0};
		const struct paradl_paper paper = {
			.topology = texts[i], .cable_bytes_per_s = 12.5e9, .cable_latency_s = 500e-9};
		struct paradl_network *network = paradl_network_on_paper(arena, &paper, &error);
		if (!network)
			fail_msg("%s: %s", texts[i], error.message);
		const unsigned devices = paradl_network_info(network).devices;
		struct times times;
		times_take(network, &(struct paradl_collective_request){.ranks = 0}, texts[i], &times);
		agree(texts[i], devices, &times);
		times_take(
			network, &(struct paradl_collective_request){.ranks = devices / 2}, texts[i], &times);
		agree(texts[i], devices / 2, &times);
		paradl_arena_free(arena);
	}
}

static void enough_was_compared(void **state)
{
	(void)state;
	assert_true(compared > 3000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(shipped_machines_agree),
		cmocka_unit_test(topologies_agree),
		cmocka_unit_test(enough_was_compared),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
