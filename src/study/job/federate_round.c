/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One round, the same for all schemes: the server sends, clusters (mostly of one client) work, and their clients send
 * back. Transfers share the server's link (federate_network.c); the round ends with the last client.
 *
 * Clients are grouped into clusters; a round waits for the mean end of the slowest cluster that is drawn.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "study/job/federated.h"

/* One round under way. */
struct round {
	const struct federated_work *work;
	const struct federated_scheme *scheme;
	struct client_cost costs[FEDERATED_GROUPS_MAX];
	struct cluster *clusters;
	size_t count;
	double total, drawn; /* clusters in all, clusters drawn for a round */
	unsigned size;       /* clients of a cluster */
	struct transfer *transfers;
};

static bool reserve(struct round *round, struct paradl_arena *arena, struct paradl_error *error)
{
	const size_t groups = round->work->count, kinds = 2 * groups + 1;
	round->clusters = arena_alloc(arena, kinds, sizeof *round->clusters);
	round->transfers = arena_alloc(arena, kinds * groups, sizeof *round->transfers);
	return (round->clusters && round->transfers) || out_of_memory(error);
}

/*
 * Fills in one transfer for each group in each kind of cluster, of the mean number of clients drawn; returns the
 * number.
 */
static size_t list_transfers(struct round *round, bool up)
{
	size_t count = 0;
	const double chance = round->drawn / round->total;
	for (size_t i = 0; i < round->count; i++)
		for (size_t group = 0; group < round->work->count; group++) {
			const struct cluster *const cluster = &round->clusters[i];
			const struct paradl_client_group *const clients = round->work->devices[group].group;
			const struct client_cost *const cost = &round->costs[group];
			if (cluster->members[group] == 0)
				continue;
			round->transfers[count] = (struct transfer){
				.count = chance * cluster->count * cluster->members[group],
				.bytes = up ? cost->up_bytes : cost->down_bytes,
				.bytes_per_s = up ? clients->up_bytes_per_s : clients->down_bytes_per_s,
				.start_s = up ? cluster->end_s : 0,
			};
			count++;
		}
	return count;
}

static double local_s(const struct local_time *time)
{
	return time->compute_s + time->cluster_s + time->exchange_s + time->server_s;
}

/*
 * Finds begin and end of every cluster: it begins when all its clients have received, and ends with the last that
 * sends.
 */
static void run_clusters(struct round *round)
{
	const double server = round->work->federation->server_bytes_per_s;
	for (unsigned up = 0; up < 2; up++) {
		const size_t count = list_transfers(round, up > 0);
		size_t next = 0;
		transfers_run(round->transfers, count, server);
		for (size_t i = 0; i < round->count; i++) {
			struct cluster *const cluster = &round->clusters[i];
			double end_s = 0;
			for (size_t group = 0; group < round->work->count; group++)
				if (cluster->members[group] > 0)
					end_s = fmax(end_s, round->transfers[next++].end_s);
			if (up == 0) {
				round->scheme->local(round->work, cluster->members, &cluster->time);
				cluster->begin_s = end_s;
				end_s += local_s(&cluster->time);
			}
			cluster->end_s = end_s;
		}
	}
}

/* Returns how much longer a transfer takes with others than alone; 0 for differences that rounding leaves. */
static double longer_s(double with_others_s, double alone_s)
{
	static const double rounding = 1e-9;
	return with_others_s > alone_s * (1 + rounding) ? with_others_s - alone_s : 0;
}

/* Splits a cluster's time: transfers get the time they take with the server to themselves, the server leg the rest. */
static void stages_fill(const struct round *round, const struct cluster *cluster, double leg_s[])
{
	double down_s = 0, up_s = 0;
	for (size_t group = 0; group < round->work->count; group++) {
		const struct paradl_client_group *const clients = round->work->devices[group].group;
		if (cluster->members[group] == 0)
			continue;
		down_s = fmax(down_s, round->costs[group].down_bytes / clients->down_bytes_per_s);
		up_s = fmax(up_s, round->costs[group].up_bytes / clients->up_bytes_per_s);
	}
	const double sent_s = cluster->end_s - cluster->begin_s - local_s(&cluster->time);
	leg_s[PARADL_LEG_DOWNLOAD] = down_s;
	leg_s[PARADL_LEG_COMPUTE] = cluster->time.compute_s;
	leg_s[PARADL_LEG_CLUSTER] = cluster->time.cluster_s;
	leg_s[PARADL_LEG_EXCHANGE] = cluster->time.exchange_s;
	leg_s[PARADL_LEG_UPLOAD] = up_s;
	leg_s[PARADL_LEG_SERVER] =
		cluster->time.server_s + longer_s(cluster->begin_s, down_s) + longer_s(sent_s, up_s);
}

static enum paradl_round_leg largest_leg(const double leg_s[])
{
	enum paradl_round_leg largest = PARADL_LEG_DOWNLOAD;
	for (unsigned leg = 1; leg < PARADL_LEG_COUNT; leg++)
		if (leg_s[leg] > leg_s[largest])
			largest = (enum paradl_round_leg)leg;
	return largest;
}

/* Returns the energy of one client while its cluster computes, and of the server for it; -1: a power is not known. */
static double client_joule(const struct round *round, size_t group, const struct cluster *cluster)
{
	const double watt = round->work->devices[group].busy_watt, server_watt = round->work->server_watt;
	if (!(watt > 0) || (cluster->time.server_busy_s > 0 && !(server_watt > 0)))
		return -1;
	return watt * cluster->time.compute_s + server_watt * cluster->time.server_busy_s;
}

/* Fills in the result of a group; times are those of the slowest cluster that has clients of the group. */
static void client_fill(const struct round *round, size_t group, struct paradl_round_client *client)
{
	const struct federated_device *const device = &round->work->devices[group];
	const struct client_cost *const cost = &round->costs[group];
	const struct cluster *slowest = NULL;
	for (size_t i = 0; i < round->count; i++)
		if (round->clusters[i].members[group] > 0 &&
			(!slowest || round->clusters[i].end_s > slowest->end_s))
			slowest = &round->clusters[i];
	*client = (struct paradl_round_client){
		.group = device->group->name,
		.count = device->group->count,
		.down_bytes = cost->down_bytes + cost->streamed_bytes + cost->peer_bytes,
		.up_bytes = cost->up_bytes + cost->streamed_bytes + cost->peer_bytes,
		.lan_bytes = cost->lan_bytes,
		.memory_bytes = cost->memory_bytes,
		.capacity_bytes = device->memory_bytes,
		.fits = !(cost->memory_bytes > device->memory_bytes),
		.joule = -1,
	};
	if (!slowest)
		return;
	client->round_s = slowest->end_s;
	client->joule = client_joule(round, group, slowest);
	stages_fill(round, slowest, client->leg_s);
}

/* Adds up bytes and energy over the clusters that are drawn, on average. */
static void totals_fill(const struct round *round, struct paradl_round *result)
{
	const double chance = round->drawn / round->total;
	for (size_t i = 0; i < round->count; i++)
		for (size_t group = 0; group < round->work->count; group++) {
			const struct cluster *const cluster = &round->clusters[i];
			const struct client_cost *const cost = &round->costs[group];
			const double clients = chance * cluster->count * cluster->members[group];
			const double joule = client_joule(round, group, cluster);
			if (!(clients > 0))
				continue;
			result->server_out_bytes += clients * (cost->down_bytes + cost->streamed_bytes);
			result->server_in_bytes += clients * (cost->up_bytes + cost->streamed_bytes);
			result->peer_bytes += clients * cost->peer_bytes;
			result->lan_bytes += clients * cost->lan_bytes;
			result->joule = joule < 0 || result->joule < 0 ? -1 : result->joule + clients * joule;
		}
}

static const char *slowest_group(const struct round *round, const struct cluster *cluster)
{
	const char *name = "";
	double slowest_s = -1;
	for (size_t group = 0; group < round->work->count; group++) {
		const struct federated_device *const device = &round->work->devices[group];
		const double work_s = device->steps * round->work->part[group].step_s +
				      round->costs[group].down_bytes / device->group->down_bytes_per_s +
				      round->costs[group].up_bytes / device->group->up_bytes_per_s;
		if (cluster->members[group] > 0 && work_s > slowest_s) {
			slowest_s = work_s;
			name = device->group->name;
		}
	}
	return name;
}

static void job_fill(const struct paradl_federation *federation, struct paradl_round *result)
{
	result->total_s = federation->rounds * result->round_s;
	result->total_bytes = federation->rounds * (result->server_in_bytes + result->server_out_bytes);
	result->total_joule = result->joule < 0 ? -1 : federation->rounds * result->joule;
	result->rounds_in_deadline = -1;
	if (federation->deadline_s > 0 && result->round_s > 0)
		result->rounds_in_deadline = floor(federation->deadline_s / result->round_s);
}

static void result_fill(
	const struct round *round, struct paradl_round_client *clients, struct paradl_round *result)
{
	const struct cluster *last = &round->clusters[0];
	for (size_t i = 1; i < round->count; i++)
		if (round->clusters[i].end_s > last->end_s)
			last = &round->clusters[i];
	result->possible = true;
	result->fits = true;
	result->participants = round->drawn * round->size;
	result->clusters = round->size > 1 ? round->drawn : 0;
	result->parameters = round->costs[0].parameters;
	result->longest_s = last->end_s;
	result->round_s = clusters_mean_end(round->clusters, round->count, round->total, round->drawn);
	result->slowest = slowest_group(round, last);
	stages_fill(round, last, result->leg_s);
	result->binding = largest_leg(result->leg_s);
	result->server_flop = round->scheme->server_flop ? round->scheme->server_flop(round->work) : 0;
	totals_fill(round, result);
	for (size_t group = 0; group < round->work->count; group++) {
		client_fill(round, group, &clients[group]);
		result->fits = result->fits && clients[group].fits;
	}
	result->clients = clients;
	result->client_count = round->work->count;
	job_fill(round->work->federation, result);
}

bool round_fill(struct federated_work *work, const struct federated_scheme *scheme,
	struct paradl_arena *arena, struct paradl_round *result, struct paradl_error *error)
{
	struct round round = {.work = work, .scheme = scheme};
	struct paradl_round_client *const clients = arena_alloc(arena, work->count, sizeof *clients);
	round.size = scheme->divides ? (unsigned)work->argument : 1;
	if (!clients)
		return out_of_memory(error);
	if (!reserve(&round, arena, error))
		return false;
	round.count = clusters_make(work, round.size, round.clusters, &round.total);
	round.drawn = fmin(round.total, floor(work->participants / round.size));
	if (!(round.drawn > 0)) {
		snprintf(result->reason, sizeof result->reason,
			"a cluster needs %u clients, and %.0f take part in a round", round.size,
			work->participants);
		return true;
	}
	if (scheme->others && work->participants < work->argument + 1) {
		snprintf(result->reason, sizeof result->reason,
			"models that visit %.0f other clients need %.0f, and %.0f take part in a round",
			work->argument, work->argument + 1, work->participants);
		return true;
	}
	work->participants = round.drawn * round.size;
	for (size_t group = 0; group < work->count; group++)
		scheme->client(work, group, &round.costs[group]);
	run_clusters(&round);
	result_fill(&round, clients, result);
	return true;
}

/*
 * Makes clusters of clients that are alike; clients that are left over from a group join the first of the next group.
 * There are at most two kinds for each group: one that an earlier group began, one of its own.
 */
size_t clusters_make(
	const struct federated_work *work, unsigned size, struct cluster *clusters, double *total)
{
	size_t kinds = 0;
	struct cluster begun = {.count = 1};
	unsigned filled = 0;
	*total = 0;
	for (size_t group = 0; group < work->count; group++) {
		double left = work->devices[group].group->count;
		if (filled > 0) {
			const double joins = fmin(left, size - filled);
			begun.members[group] = (unsigned)joins;
			filled += (unsigned)joins;
			left -= joins;
		}
		if (filled == size) {
			clusters[kinds++] = begun;
			memset(&begun, 0, sizeof begun);
			begun.count = 1;
			filled = 0;
		}
		const double whole = floor(left / size);
		if (whole > 0) {
			clusters[kinds] = (struct cluster){.count = whole};
			clusters[kinds++].members[group] = size;
			left -= whole * size;
		}
		if (left > 0) {
			begun.members[group] = (unsigned)left;
			filled = (unsigned)left;
		}
	}
	for (size_t i = 0; i < kinds; i++)
		*total += clusters[i].count;
	return kinds;
}

/*
 * Returns P(all `drawn` are among `some` of `total`) = C(some, drawn) / C(total, drawn). The drawn and the others are
 * exchangeable, so the product has one factor for each of the fewer; it is taken as 0 below 1e-30, long before they
 * are many.
 */
static double chance_of_all(double some, double drawn, double total)
{
	static const double nothing = 1e-30;
	const double others = total - some, fewer = fmin(drawn, others), more = fmax(drawn, others);
	double chance = 1;
	double i = 0;
	while (i < fewer && chance > nothing) {
		chance *= fmax(0, total - more - i) / (total - i);
		i++;
	}
	return chance > nothing ? chance : 0;
}

/* Returns the mean of the last end: the sum over ends t of t times the growth of P(all that are drawn end by t). */
double clusters_mean_end(const struct cluster *clusters, size_t count, double total, double drawn)
{
	double mean_s = 0, before = 0, last_s = -1;
	for (;;) {
		double next_s = HUGE_VAL, by_then = 0;
		for (size_t i = 0; i < count; i++)
			if (clusters[i].end_s > last_s)
				next_s = fmin(next_s, clusters[i].end_s);
		if (!(next_s < HUGE_VAL))
			return mean_s;
		for (size_t i = 0; i < count; i++)
			by_then += clusters[i].end_s <= next_s ? clusters[i].count : 0;
		const double chance = chance_of_all(by_then, drawn, total);
		mean_s += next_s * (chance - before);
		before = chance;
		last_s = next_s;
	}
}
