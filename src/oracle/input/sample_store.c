/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The place where samples lie: how fast storage tiers and a node's network are read, whether there is room, and how
 * long it takes to bring a node's part there.
 *
 * A tier's table of clients is interpolated between its rows. Fewer clients than in the first row, and more than in the
 * last, read as much each as the clients of that row; the rate of the tier, where it is known, is the limit.
 *
 * A node's part of the S bytes is S for copies, S / K for a pool, (1 + Q) S / K where workers keep and exchange
 * samples. It lies on the node's disks, else in the memory that may hold samples. A capacity that is not known is no
 * limit.
 *
 * Staging brings a node's part V from the shared file system to its disks, or memory, before training, for all K nodes
 * at the same time:
 *
 *     max(K V / rate of the file system, V / rate of one node's reads,
 *         files of a node * time to create one, V / write rate)
 *
 * V is the whole data set, with the samples to validate, for copies, and else a Kth: the surplus that partial and
 * pairwise shuffling hold comes by exchange.
 *
 * The exchange between workers, each of which keeps a part of the data set (Nguyen et al., IPDPS'22). In an epoch of I
 * iterations a share Q of the n samples of each of M workers changes hands, or models of W bytes go to other workers H
 * times:
 *
 *     partial     I t0 + Q n c                                                  nothing hides it
 *                 Q n (s - s0) / link (1 - 1 / M)                               behind compute
 *     pairwise    min(I, Q n) (t0 + c) + Q n (min(s, s0) / w + (s - s0) / link (1 - 1 / M))
 *                                                                               behind compute
 *                 c + 8 M / link                                                nothing hides it
 *     models      H (t0 + c + (W - s0) / link)                                  nothing hides it
 *
 * t0, c, s0 and w belong to the program (rules exchange_* of its profile). Messages and barriers take the time, not
 * bytes, so c includes the serialised sample of s0 bytes, its barrier, its transfer and its file. A larger sample adds
 * the transfer of the bytes beyond s0. Pairwise (the importance scheduler of the same group) sends one bundle in each
 * iteration, for which no rank but its partner waits; each sample in the bundle takes as long as storing it. Programs
 * that wait for their bundle at once (no exchange_hidden) hide its bytes alone. The largest importance of each rank is
 * gathered once in an epoch, at the cost of one barrier. A step cannot begin before its model is there: only loaders go
 * on.
 */
#include <math.h>
#include <stdio.h>

#include "base/quantity.h"
#include "oracle/input/input.h"

/*
 * Variation of a shared file system in use that nobody has measured. In a figure of Nguyen et al. (IPDPS'22) 128
 * nodes of ABCI read its Lustre for 26.7 s and wait for 67.8 s in the gradient exchange (73.1 s, of which 5.3 s are
 * without waiting): E[slowest] / mean = 3.54, and so a variation of 0.82; derived.
 */
static const double busy_variation = 0.8;

/* Returns the rate of a system's clients together: fewer than any that were measured have what each of them can read, up to that. */
static double clients_read_together(const struct storage_tier *tier, double clients)
{
	const struct points *measured = &tier->by_clients;
	const double rate = points_proportional(measured, clients);
	return clients < measured->x[0] ? fmax(rate, fmin(clients * tier->client_bytes_per_s, measured->y[0]))
					: rate;
}

double tier_read(const struct storage_tier *tier, double clients)
{
	const double limit = tier->read_bytes_per_s > 0 ? tier->read_bytes_per_s : HUGE_VAL;
	if (!tier->by_clients.count)
		return limit;
	if (tier->scope == STORAGE_SYSTEM)
		return fmin(limit, clients_read_together(tier, clients));
	double most = 0; /* rate of one node, whose programs read with the best number of threads */
	for (unsigned i = 0; i < tier->by_clients.count; i++)
		most = fmax(most, tier->by_clients.y[i]);
	return fmin(limit, most);
}

double tier_variation(const struct storage_tier *tier)
{
	if (tier->variation >= 0)
		return tier->variation;
	return tier->scope == STORAGE_SYSTEM ? busy_variation : 0;
}

double node_network(const struct paradl_machine *machine)
{
	if (machine->host.network_bytes_per_s > 0)
		return machine->host.network_bytes_per_s;
	if (machine->level_count < 2)
		return HUGE_VAL;
	const struct level *const outermost = &machine->levels[machine->level_count - 1];
	const double ports = outermost->ports > 0 ? outermost->ports : 1;
	const double part = (double)machine->devices_per_host / machine->devices_per_node;
	return outermost->bandwidth_bytes_per_s > 0 ? part * outermost->bandwidth_bytes_per_s * ports
						    : HUGE_VAL;
}

bool store_in_memory(const struct input_setting *setting, enum paradl_store store)
{
	return !setting->local && (store == PARADL_STORE_POOLED || store == PARADL_STORE_SHARD);
}

double store_bytes(const struct input_setting *setting, enum paradl_store store, double nodes)
{
	if (store == PARADL_STORE_COPY)
		return setting->total_bytes;
	if (store == PARADL_STORE_POOLED)
		return setting->total_bytes / nodes;
	return store == PARADL_STORE_SHARD ? setting->total_bytes / nodes * (1 + setting->options.exchanged)
					   : 0;
}

double store_capacity(const struct input_setting *setting, enum paradl_store store)
{
	const struct host *const host = &setting->machine->host;
	if (store == PARADL_STORE_SHARED || store == PARADL_STORE_AUTO)
		return setting->shared ? setting->shared->capacity_bytes : 0;
	if (store_in_memory(setting, store))
		return setting->options.cache_bytes > 0 ? setting->options.cache_bytes
							: host->memory_bytes * host->cache_share;
	return setting->local ? setting->local->capacity_bytes : 0;
}

/*
 * Returns why a store is refused: the options contradict it, or the machine has no such place; NULL: it is not
 * refused.
 */
static const char *store_refused(const struct input_setting *setting, enum paradl_store store)
{
	const enum paradl_shuffle shuffle = setting->options.shuffle;
	if (store == PARADL_STORE_SHARD && shuffle == PARADL_SHUFFLE_GLOBAL)
		return "a global shuffle needs samples of other nodes, which shards do not give";
	if (store != PARADL_STORE_SHARD &&
		(shuffle == PARADL_SHUFFLE_PARTIAL || shuffle == PARADL_SHUFFLE_PAIRWISE))
		return "samples change hands between the parts that workers keep: only with shards";
	if (store != PARADL_STORE_SHARD && shuffle == PARADL_SHUFFLE_MODELS)
		return "models go to the parts that workers keep: only with shards";
	if (store == PARADL_STORE_SHARED && !setting->shared && setting->machine->storage_count)
		return "the machine has no shared file system";
	if (store == PARADL_STORE_COPY && !setting->local)
		return "nodes have no disks for a copy";
	return NULL;
}

/* Reports whether each hop can go to a worker where the model has not been; if not, writes the reason to `text`. */
static bool hops_possible(const struct input_setting *setting, double readers, char *text, size_t size)
{
	const double hops = setting->options.hops;
	if (!(hops > 0) || readers > hops)
		return true;
	snprintf(text, size, "models that go to %.0f other worker%s need %.0f workers, there %s %.0f", hops,
		hops > 1 ? "s" : "", hops + 1, readers > 1 ? "are" : "is", readers);
	return false;
}

bool store_possible(const struct input_setting *setting, enum paradl_store store, double nodes,
	double readers, char *text, size_t size)
{
	const char *const refused = store_refused(setting, store);
	const double capacity = store_capacity(setting, store);
	const double needed =
		store == PARADL_STORE_SHARED ? setting->total_bytes : store_bytes(setting, store, nodes);
	if (!refused && !hops_possible(setting, readers, text, size))
		return false;
	if (!refused && (!(capacity > 0) || needed <= capacity))
		return true;
	if (refused) {
		snprintf(text, size, "%s", refused);
		return false;
	}
	char need[32], have[32];
	quantity_format(need, sizeof need, needed, DIMENSION_BYTES);
	quantity_format(have, sizeof have, capacity, DIMENSION_BYTES);
	snprintf(text, size, "%s needed, %s %s", need, have,
		store == PARADL_STORE_SHARED      ? "on the shared file system"
		: store_in_memory(setting, store) ? "of memory in each node"
						  : "of disk in each node");
	return false;
}

double staging_s(const struct input_setting *setting, enum paradl_store store, double nodes)
{
	if (store == PARADL_STORE_SHARED || store == PARADL_STORE_AUTO || !setting->shared)
		return 0;
	const double share = store == PARADL_STORE_COPY ? 1 : 1 / nodes;
	const double bytes = setting->total_bytes * share;
	const double client = setting->shared->client_bytes_per_s;
	double longest = nodes * bytes / tier_read(setting->shared, nodes);
	if (client > 0)
		longest = fmax(longest, bytes / client);
	if (!setting->local)
		return longest;
	const double samples = setting->dataset->samples + setting->dataset->validation_samples;
	const double files = setting->files_per_sample * samples * share;
	const double write = setting->local->write_bytes_per_s;
	longest = fmax(longest, files * setting->local->create_s);
	return write > 0 ? fmax(longest, bytes / write) : longest;
}

double exchange_share(enum paradl_shuffle shuffle, double exchanged, double readers)
{
	if (shuffle == PARADL_SHUFFLE_GLOBAL)
		return 0;
	return readers > 1 ? fmin(1, (1 + exchanged) / readers) : 1;
}

static double beyond(double bytes, const struct rules *rules)
{
	return fmax(0, bytes - rules->exchange_bytes);
}

/*
 * Returns the seconds that a worker spends once in an epoch as seconds of each of its samples; 0: samples not known.
 */
static double once_s(const struct input_setting *setting, double epoch_s, double readers)
{
	return setting->dataset->samples > 0 ? epoch_s * readers / setting->dataset->samples : 0;
}

static void pairs_fill(
	const struct input_setting *setting, double link, double readers, struct input_rates *rates)
{
	const struct rules *const rules = setting->rules;
	const double exchanged = setting->options.exchanged;
	struct input_exchange *const bundle =
		rules->exchange_hidden ? &rates->exchange_behind : &rates->exchange;
	rates->exchange_bundle = exchanged;
	bundle->step_s += rules->exchange_step_s + rules->exchange_message_s;
	bundle->sample_s += exchanged * fmin(setting->sample_bytes, rules->exchange_bytes) /
			    rules->exchange_store_bytes_per_s;
	rates->exchange.sample_s += once_s(setting, rules->exchange_message_s + 8 * readers / link, readers);
}

/*
 * Fills in the exchange of models: the devices of a replica send its model together, with their share of the nodes'
 * links.
 */
static void models_fill(
	const struct input_setting *setting, double nodes, double readers, struct input_rates *rates)
{
	const struct rules *const rules = setting->rules;
	const double link = node_network(setting->machine) * nodes / readers;
	const double hop_s = rules->exchange_step_s + rules->exchange_message_s +
			     beyond(setting->model_bytes, rules) / link;
	rates->exchange.sample_s = once_s(setting, setting->options.hops * hop_s, readers);
}

void exchange_rates(
	const struct input_setting *setting, double nodes, double readers, struct input_rates *rates)
{
	const struct paradl_machine *const machine = setting->machine;
	const struct rules *const rules = setting->rules;
	const double exchanged = setting->options.exchanged;
	if (readers > 1 && setting->options.hops > 0)
		models_fill(setting, nodes, readers, rates);
	if (readers <= 1 || !(exchanged > 0))
		return;
	const double link = node_network(machine) / fmax(1, machine->devices_per_host);
	rates->exchange_behind.sample_s =
		exchanged * beyond(setting->sample_bytes, rules) / link * (1 - 1 / readers);
	if (setting->options.shuffle == PARADL_SHUFFLE_PAIRWISE) {
		pairs_fill(setting, link, readers, rates);
		return;
	}
	rates->exchange.step_s = rules->exchange_step_s;
	rates->exchange.sample_s = exchanged * rules->exchange_message_s;
}
