/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds of federated training against a simulation of every client by itself. */
#include "study/federate_setting.h"

enum { LARGEST = 24 };

/* ---- simulation: every client by itself -------------------------------------------------------------------- */

static unsigned random_state = 1;
static double draw(double least, double most)
{
	random_state = random_state * 1664525u + 1013904223u;
	return least + (most - least) * ((random_state >> 8) / 16777216.0);
}

struct client {
	double bytes, rate, start_s, left, end_s;
};

/* The level at which those that transfer fill the server, by bisection. */
static double level_of(const struct client *clients, size_t count, double now_s, double server)
{
	double low = 0, high = 1e18;
	for (unsigned i = 0; i < 200; i++) {
		const double level = (low + high) / 2;
		double used = 0;
		for (size_t k = 0; k < count; k++)
			if (clients[k].left > 0 && clients[k].start_s <= now_s)
				used += fmin(clients[k].rate, level);
		if (used < server)
			low = level;
		else
			high = level;
	}
	return low;
}

static double next_event(const struct client *clients, size_t count, double now_s, double level)
{
	double next_s = HUGE_VAL;
	for (size_t i = 0; i < count; i++) {
		const bool waits = clients[i].start_s > now_s;
		const double then_s =
			waits ? clients[i].start_s : now_s + clients[i].left / fmin(clients[i].rate, level);
		if (clients[i].left > 0)
			next_s = fmin(next_s, then_s);
	}
	return next_s;
}

static void simulate(struct client *clients, size_t count, double server)
{
	double now_s = 0;
	for (size_t i = 0; i < count; i++) {
		clients[i].left = clients[i].bytes;
		clients[i].end_s = clients[i].start_s;
	}
	for (;;) {
		const double level = level_of(clients, count, now_s, server);
		const double next_s = next_event(clients, count, now_s, level);
		if (!(next_s < HUGE_VAL))
			return;
		for (size_t i = 0; i < count; i++) {
			if (!(clients[i].left > 0) || clients[i].start_s > now_s)
				continue;
			clients[i].left -= (next_s - now_s) * fmin(clients[i].rate, level);
			if (clients[i].left < 1e-9 * clients[i].bytes) {
				clients[i].left = 0;
				clients[i].end_s = next_s;
			}
		}
		now_s = next_s;
	}
}

static void transfers_are_those_of_single_clients(void **state)
{
	(void)state;
	for (unsigned trial = 0; trial < 300; trial++) {
		const size_t groups = 1 + trial % 5;
		const double server = trial % 7 == 0 ? 1e17 : draw(1, 60);
		struct transfer transfers[5];
		struct client clients[LARGEST] = {{0}};
		size_t count = 0, next = 0;
		for (size_t i = 0; i < groups; i++) {
			transfers[i] = (struct transfer){.count = floor(draw(1, 5)),
				.bytes = draw(1, 100),
				.bytes_per_s = draw(1, 20),
				.start_s = draw(0, 1) < 0.5 ? 0 : draw(0, 10)};
			for (unsigned k = 0; k < (unsigned)transfers[i].count; k++)
				clients[count++] = (struct client){.bytes = transfers[i].bytes,
					.rate = transfers[i].bytes_per_s,
					.start_s = transfers[i].start_s};
		}
		transfers_run(transfers, groups, server);
		simulate(clients, count, server);
		for (size_t i = 0; i < groups; i++)
			for (unsigned k = 0; k < (unsigned)transfers[i].count; k++)
				expect(transfers[i].end_s, clients[next++].end_s, 1e-6);
	}
}

/* Whole rounds of FedAvg: download, training, upload of clients one by one. */
static void rounds_are_those_of_single_clients(void **state)
{
	struct setting setting = setting_make("wrn-16-8");
	const double weights = 4 * wide_parameters(8);
	(void)state;
	setting.federation.clients.count = 4;
	for (unsigned trial = 0; trial < 25; trial++) {
		struct client clients[LARGEST] = {{0}};
		size_t count = 0;
		double last_s = 0;
		setting.federation.server_bytes_per_s = draw(5e6, 100e6);
		for (size_t i = 0; i < 4; i++) {
			setting.groups[i] = (struct paradl_client_group){.name = "some",
				.count = floor(draw(1, 6)),
				.samples = floor(draw(100, 3000)),
				.sample_s = draw(1e-3, 0.02),
				.up_bytes_per_s = draw(1e6, 10e6),
				.down_bytes_per_s = draw(2e6, 50e6),
				.lan_bytes_per_s = 1e9};
			for (unsigned k = 0; k < (unsigned)setting.groups[i].count; k++)
				clients[count++] = (struct client){
					.bytes = weights, .rate = setting.groups[i].down_bytes_per_s};
		}
		simulate(clients, count, setting.federation.server_bytes_per_s);
		for (size_t i = 0, next = 0; i < 4; i++)
			for (unsigned k = 0; k < (unsigned)setting.groups[i].count; k++, next++) {
				clients[next].start_s =
					clients[next].end_s +
					setting.groups[i].samples * setting.groups[i].sample_s;
				clients[next].rate = setting.groups[i].up_bytes_per_s;
			}
		simulate(clients, count, setting.federation.server_bytes_per_s);
		for (size_t i = 0; i < count; i++)
			last_s = fmax(last_s, clients[i].end_s);
		const struct paradl_federated answer = ask(&setting, "fedavg");
		expect(answer.rounds[0].round_s, last_s, 1e-6);
		expect(answer.rounds[0].longest_s, last_s, 1e-6);
	}
	paradl_arena_free(setting.arena);
}

/* The mean over all subsets of K of 8 clients, counted one by one. */
static void draws_are_all_subsets(void **state)
{
	struct cluster clusters[3] = {
		{.count = 5, .end_s = 10}, {.count = 2, .end_s = 3}, {.count = 1, .end_s = 40}};
	static const double ends_s[] = {10, 10, 10, 10, 10, 3, 3, 40};
	(void)state;
	for (int drawn = 1; drawn <= 8; drawn++) {
		double sum_s = 0, sets = 0;
		for (unsigned set = 0; set < 256; set++) {
			double last_s = 0;
			if (__builtin_popcount(set) != drawn)
				continue;
			for (unsigned i = 0; i < 8; i++)
				last_s = fmax(last_s, set >> i & 1 ? ends_s[i] : 0);
			sum_s += last_s;
			sets++;
		}
		expect(clusters_mean_end(clusters, 3, 8, drawn), sum_s / sets, 1e-12);
	}
}

/* Kinds of clusters have all clients but those that are left over. */
static void clusters_keep_their_clients(void **state)
{
	(void)state;
	for (unsigned trial = 0; trial < 200; trial++) {
		struct paradl_client_group groups[5];
		struct federated_device devices[5];
		struct cluster clusters[11];
		const struct federated_work work = {.devices = devices, .count = 1 + trial % 5};
		const unsigned size = 1 + trial % 9;
		double clients = 0, total, used = 0;
		for (size_t i = 0; i < work.count; i++) {
			groups[i] = (struct paradl_client_group){.count = floor(draw(1, 20))};
			devices[i] = (struct federated_device){.group = &groups[i]};
			clients += groups[i].count;
		}
		const size_t kinds = clusters_make(&work, size, clusters, &total);
		for (size_t i = 0; i < kinds; i++) {
			unsigned members = 0;
			for (size_t group = 0; group < work.count; group++)
				members += clusters[i].members[group];
			assert_int_equal(members, size);
			used += clusters[i].count * members;
		}
		expect(total, floor(clients / size), 0);
		expect(used, size * total, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transfers_are_those_of_single_clients),
		cmocka_unit_test(rounds_are_those_of_single_clients),
		cmocka_unit_test(draws_are_all_subsets),
		cmocka_unit_test(clusters_keep_their_clients),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
