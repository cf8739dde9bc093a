/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What paradl-measure-mpi decides without MPI: sizes, groups, pairs, names, clocks, and whether a result is right. */
#include "test.h"

#include "mpi/clock_model.h"
#include "mpi/collective.h"
#include "mpi/library.h"
#include "mpi/map.h"
#include "mpi/sizes.h"

static bool has_size(const size_t *sizes, unsigned count, size_t wanted)
{
	for (unsigned i = 0; i < count; i++)
		if (sizes[i] == wanted)
			return true;
	return false;
}

static void test_sweeps(void **state)
{
	static const size_t caps[] = {16 << 20, 64 << 20, 256 << 20};
	(void)state;
	for (int effort = 0; effort < 3; effort++)
		for (size_t unit = 4; unit <= 96; unit *= 2) {
			size_t sizes[SIZES_MAX];
			const unsigned count = sizes_sweep((enum effort)effort, 7, unit, SIZE_MAX, sizes);
			assert_true(count < SIZES_MAX);
			for (unsigned i = 0; i < count; i++) {
				assert_int_equal(sizes[i] % unit, 0);
				assert_true(sizes[i] <= caps[effort]);
				assert_true(i == 0 || sizes[i] > sizes[i - 1]);
			}
			for (size_t power = unit; power <= caps[effort] && (unit & (unit - 1)) == 0;
				power *= 2)
				assert_true(has_size(sizes, count, power));
			for (size_t decade = 1000; effort == EFFORT_FULL && decade <= caps[effort];
				decade *= 10)
				assert_true(has_size(sizes, count, (decade + unit / 2) / unit * unit));
		}
}

static void test_sweeps_draw(void **state)
{
	size_t sizes[2][SIZES_MAX];
	(void)state;
	unsigned drawn = 0;
	const unsigned count = sizes_sweep(EFFORT_QUICK, 7, 4, SIZE_MAX, sizes[0]);
	for (unsigned i = 0; i < count; i++)
		drawn += (sizes[0][i] & (sizes[0][i] - 1)) != 0;
	assert_int_equal(drawn, 2);
	assert_int_equal(sizes_sweep(EFFORT_QUICK, 7, 4, SIZE_MAX, sizes[1]), count);
	assert_memory_equal(sizes[0], sizes[1], count * sizeof(size_t));
	sizes_sweep(EFFORT_QUICK, 8, 4, SIZE_MAX, sizes[1]);
	assert_memory_not_equal(sizes[0], sizes[1], count * sizeof(size_t));
	const unsigned limited = sizes_sweep(EFFORT_FULL, 7, 4, 1000, sizes[1]);
	assert_int_equal(sizes[1][limited - 1], 1000);
}

static void test_names(void **state)
{
	static const char *const versions[][2] = {
		{"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022",
			"open mpi 4.1.4"},
		{"MPICH Version:      4.0.2\nMPICH Release date: Thu Apr  7 12:34:45 CDT 2022\n",
			"mpich 4.0.2"},
		{"Intel(R) MPI Library 2021.6 for Linux* OS\n", "intel mpi library 2021.6"},
		{"MVAPICH2 Version      :\t2.3.6\nMVAPICH2 Release date : Mon March 29", "mvapich2 2.3.6"},
		{"vendor mpi", "vendor mpi"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
		char name[64];
		library_name(versions[i][0], name, sizeof name);
		assert_string_equal(name, versions[i][1]);
	}
	char little[8];
	library_name(versions[0][0], little, sizeof little);
	assert_string_equal(little, "open");
	assert_true(library_variable("OMPI_MCA_btl=tcp,self"));
	assert_true(library_variable("UCX_TLS=rc"));
	assert_false(library_variable("OMPI_MCA_orte_hnp_uri=263323648.0;tcp://192.0.2.2:36221"));
	assert_false(library_variable("OMPI_MCA_mpi_oversubscribe=0"));
	assert_false(library_variable("PATH=/bin"));
}

enum { RANKS_MAX = 64 };
static struct place places[RANKS_MAX];

/* Ranks dealt to nodes in turn or in rows, each node's to two sockets in halves. */
static struct map make_map(unsigned nodes, unsigned per_node, bool in_turn)
{
	struct map map;
	for (unsigned rank = 0; rank < nodes * per_node; rank++) {
		const unsigned node = in_turn ? rank % nodes : rank / per_node;
		const unsigned local = in_turn ? rank / nodes : rank % per_node;
		places[rank] =
			(struct place){.node = (int)(node * 7), .package = local >= (per_node + 1) / 2};
	}
	assert_true(map_create(&map, places, nodes * per_node));
	assert_int_equal(map.nodes, nodes);
	assert_int_equal(map.per_node, per_node);
	return map;
}

static void test_distances(void **state)
{
	(void)state;
	struct map map = make_map(2, 4, true);
	assert_int_equal(map_rank(&map, 1, 2), 5);
	assert_int_equal(map_rank(&map, 1, 4), map.ranks);
	assert_int_equal(map_distance(&map, 0, 2), SOCKET);
	assert_int_equal(map_distance(&map, 0, 4), NODE);
	assert_int_equal(map_distance(&map, 0, 1), FAR);
	places[0].package = -1;
	assert_int_equal(map_distance(&map, 0, 2), NODE);
	map_free(&map);
	for (int i = 0; i < 5; i++)
		places[i] = (struct place){.node = i < 3 ? 4 : 2};
	assert_true(map_create(&map, places, 5));
	assert_int_equal(map.per_node, 2);
	map_free(&map);
}

/* Every group is as large and on as many nodes as the layout says, and no rank is in two. */
static void check_layout(const struct map *map, const struct layout *layout)
{
	unsigned most_nodes = 0;
	for (int group = 0; group < (int)layout->groups; group++) {
		unsigned size = 0, nodes = 0;
		bool on[RANKS_MAX] = {false};
		for (unsigned rank = 0; rank < map->ranks; rank++)
			if (layout_group(map, layout, rank) == group) {
				size++;
				nodes += !on[map->node[rank]];
				on[map->node[rank]] = true;
			}
		assert_int_equal(size, layout->size);
		most_nodes = nodes > most_nodes ? nodes : most_nodes;
	}
	assert_int_equal(most_nodes, layout_nodes(layout));
	for (unsigned rank = 0; rank < map->ranks; rank++)
		assert_in_range(layout_group(map, layout, rank) + 1, 0, layout->groups);
	assert_int_equal(layout_group(map, layout, 0), 0);
}

static bool has_layout(
	const struct layout *layouts, unsigned count, unsigned size, unsigned nodes, unsigned groups)
{
	for (unsigned i = 0; i < count; i++)
		if (layouts[i].size == size && layout_nodes(&layouts[i]) == nodes &&
			layouts[i].groups == groups)
			return true;
	return false;
}

static void test_layouts(void **state)
{
	static const unsigned shapes[][2] = {{1, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 4}, {3, 2}, {4, 6}, {8, 8}};
	(void)state;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		for (int in_turn = 0; in_turn < 2; in_turn++) {
			struct layout whole[LAYOUTS_MAX], cut[SEGMENTS_MAX];
			struct map map = make_map(shapes[i][0], shapes[i][1], in_turn);
			const unsigned count = layouts_whole(&map, whole),
				       cuts = layouts_segmented(&map, cut);
			assert_int_equal(count == 0, map.ranks == 1);
			for (unsigned l = 0; l < count; l++)
				check_layout(&map, &whole[l]);
			for (unsigned l = 0; l < cuts; l++) {
				check_layout(&map, &cut[l]);
				assert_true(cut[l].groups == 1 ||
					    has_layout(whole, count, cut[l].size, layout_nodes(&cut[l]), 1) ||
					    has_layout(cut, cuts, cut[l].size, layout_nodes(&cut[l]), 1));
			}
			map_free(&map);
		}
}

static void test_layouts_by_name(void **state)
{
	struct layout whole[LAYOUTS_MAX], cut[SEGMENTS_MAX];
	(void)state;
	struct map map = make_map(4, 4, false);
	assert_int_equal(layouts_whole(&map, whole), 4); /* 2 and 4 of a node, 2 and 4 nodes */
	assert_true(has_layout(whole, 4, 2, 1, 1) && has_layout(whole, 4, 4, 1, 1));
	assert_true(has_layout(whole, 4, 8, 2, 1) && has_layout(whole, 4, 16, 4, 1));
	const unsigned cuts = layouts_segmented(&map, cut);
	for (unsigned groups = 1; groups <= 4; groups *= 2)
		assert_true(has_layout(cut, cuts, 4, 4, groups)); /* one rank of each node: replicas */
	assert_true(has_layout(cut, cuts, 4, 1, 4));              /* each node for itself */
	assert_true(has_layout(cut, cuts, 8, 2, 2));
	map_free(&map);
	map = make_map(1, 2, false);
	assert_int_equal(layouts_segmented(&map, cut), 0);
	map_free(&map);
}

static void check_pairs(const struct map *map, enum distance distance, unsigned expected)
{
	struct pair pairs[RANKS_MAX];
	bool taken[RANKS_MAX] = {false};
	const unsigned count = pairs_across(map, distance, pairs, RANKS_MAX);
	assert_int_equal(count, expected);
	for (unsigned i = 0; i < count; i++) {
		assert_int_equal(map_distance(map, pairs[i].first, pairs[i].second), distance);
		assert_false(taken[pairs[i].first] || taken[pairs[i].second]);
		taken[pairs[i].first] = taken[pairs[i].second] = true;
		assert_int_equal(map->node[pairs[i].first], map->node[pairs[0].first]);
		assert_int_equal(map->node[pairs[i].second], map->node[pairs[0].second]);
	}
}

static void test_pairs(void **state)
{
	struct pair pairs[RANKS_MAX];
	(void)state;
	struct map map = make_map(4, 8, true);
	check_pairs(&map, SOCKET, 4);
	check_pairs(&map, NODE, 4);
	check_pairs(&map, FAR, 8);
	/* Whatever their number, no node is left out. */
	for (unsigned most = 8; most <= 36; most += 7) {
		const unsigned count = pairs_sample(&map, pairs, most);
		bool seen[4] = {false};
		assert_int_equal(count, most);
		for (unsigned i = 0; i < count; i++) {
			assert_true(pairs[i].first < map.ranks && pairs[i].second < map.ranks);
			assert_int_not_equal(pairs[i].first, pairs[i].second);
			seen[map.node[pairs[i].first]] = seen[map.node[pairs[i].second]] = true;
		}
		assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
	}
	map_free(&map);
	map = make_map(1, 2, true);
	check_pairs(&map, SOCKET, 0);
	check_pairs(&map, NODE, 1);
	check_pairs(&map, FAR, 0);
	assert_int_equal(pairs_sample(&map, pairs, RANKS_MAX), 1);
	map_free(&map);
}

static double random_share(uint64_t *random) /* 0 .. 1 */
{
	*random = *random * 6364136223846793005U + 1442695040888963407U;
	return (double)(*random >> 11) / 9007199254740992.0;
}

/* Bursts of pings whose delays, each way, are 1 us and now and then much more; clocks of any offset and drift. */
static void check_clock(double offset_s, double drift, uint64_t random)
{
	enum { BURSTS = 12, PINGS = 20 };
	struct ping best[BURSTS];
	double now_s = 987654.321;
	for (int burst = 0; burst < BURSTS; burst++) {
		struct ping pings[PINGS];
		for (int i = 0; i < PINGS; i++) {
			const double there_s =
				1e-6 + 5e-6 * -log(1 - random_share(&random)) * (random_share(&random) < 0.7);
			const double back_s =
				1e-6 + 5e-6 * -log(1 - random_share(&random)) * (random_share(&random) < 0.7);
			const double arrives_s = now_s + there_s;
			pings[i] = (struct ping){.sent_s = now_s,
				.other_s = arrives_s + offset_s + drift * (arrives_s - 987654.321),
				.received_s = arrives_s + back_s};
			now_s = pings[i].received_s;
		}
		best[burst] = *ping_best(pings, PINGS);
		now_s += 0.02;
	}
	const struct clock_model model = clock_model_fit(best, BURSTS);
	for (double since_s = 0; since_s < 0.3; since_s += 0.05) {
		const double own_s = 987654.321 + since_s, other_s = own_s + offset_s + drift * since_s;
		assert_true(fabs(clock_model_other_s(&model, own_s) - other_s) < 0.5e-6);
		assert_true(fabs(clock_model_own_s(&model, other_s) - own_s) < 0.5e-6);
	}
	assert_true(fabs(model.drift - drift) < 3e-6);
}

static void test_clocks(void **state)
{
	(void)state;
	for (uint64_t random = 1; random <= 100; random++) {
		check_clock(0, 0, random);
		check_clock(1234567.125, 25e-6, random);
		check_clock(-900000.5, -100e-6, random);
	}
	const struct ping one = {.sent_s = 5, .other_s = 17.5, .received_s = 6};
	const struct clock_model model = clock_model_fit(&one, 1);
	assert_true(fabs(clock_model_other_s(&model, 105.5) - 117.5) < 1e-9);
}

static void test_items(void **state)
{
	(void)state;
	for (unsigned ranks = 1; ranks < 100; ranks += 3)
		for (int item = 0; item < 40; item++) {
			double sum = 0;
			for (unsigned rank = 0; rank < ranks; rank++)
				sum += item_value(rank, item);
			assert_true(fabs(item_sum(ranks, item) - sum) < 0.5);
		}
}

static int wrong_item; /* -1: none */

static int sum_of_three(const struct vectors *vectors)
{
	for (int i = 0; i < vectors->items; i++)
		vectors->receive[i] =
			(float)(item_value(0, i) + item_value(1, i) + item_value(2, i) + (i == wrong_item));
	return MPI_SUCCESS;
}

static double expect_sum(const struct vectors *vectors, int item)
{
	return item_sum(vectors->size, item);
}

static void test_wrong_results_are_seen(void **state)
{
	const struct collective collective = {.call = sum_of_three, .expected = expect_sum};
	float send[30], receive[30];
	struct vectors vectors = {
		.rank = 1, .size = 3, .items = 30, .part = 10, .send = send, .receive = receive};
	struct run run = {0};
	(void)state;
	wrong_item = -1;
	assert_int_equal(collective_verify(&collective, &vectors, &run), READY);
	wrong_item = 29;
	assert_int_equal(collective_verify(&collective, &vectors, &run), FAILED);
	assert_string_equal(run.reason, "wrong result: item 29 of rank 1 of the group is 16, not 15");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sweeps),
		cmocka_unit_test(test_sweeps_draw),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_distances),
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_layouts_by_name),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_items),
		cmocka_unit_test(test_wrong_results_are_seen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
