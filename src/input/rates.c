/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Seconds of one sample of s bytes on each resource, K nodes reading; m is the share that no cache has:
 *
 *     shared       m s / rate of the file system with K clients          of the system
 *     requests     m reads / small reads in a second                     of the system
 *     metadata     m opens / opens in a second                           of the system
 *                  m opens * time of an open / threads of a node         of a node
 *     client       m s / what one node reads of it                       of a node
 *     local        m max(s / rate, reads / small reads, opens) of a disk of a node
 *     peers        (K - 1) / K s / network of a node                     of a pool
 *     memory       (1 - m) s / rate of memory
 *     cores        preparation / (cores 0.9)
 *     host link    decoded bytes / rate of the link                      of a device
 *
 * What is not known takes no time. A cache of C bytes holds C / S of what a node reads where that is all samples in a new order
 * every epoch, C / its part where the node reads (or serves, in a pool) the same part in every epoch. In the first nothing is
 * cached; where all samples are read, caches fill over the epochs (cache.c), and rates are the mean of all but the first.
 */
#include <math.h>

#include "input/input.h"

/* Of the cores' rate when all of them work; assumed. */
static const double all_cores_efficiency = 0.9;

struct reading {
	const struct input_setting *setting;
	enum paradl_store store;
	double nodes, threads; /* threads: of a node, 1 where cores are not known */
};

static double per(double amount, double rate)
{
	return rate > 0 ? amount / rate : 0;
}

static double cores_of_node(const struct input_setting *setting)
{
	const struct host *const host = &setting->machine->host;
	if (setting->options.workers > 0)
		return setting->options.workers * setting->machine->devices_per_node;
	return host->input_cores > 0 ? host->input_cores : host->cores;
}

static double cached_share(const struct input_setting *setting, enum paradl_store store, double nodes)
{
	const struct host *const host = &setting->machine->host;
	const struct paradl_input_options *const options = &setting->options;
	const bool whole = options->shuffle == PARADL_SHUFFLE_GLOBAL &&
			   (store == PARADL_STORE_SHARED || store == PARADL_STORE_COPY);
	const double read = setting->total_bytes / (whole ? 1 : nodes) * (1 + options->exchanged);
	const double cache =
		options->cache_bytes > 0 ? options->cache_bytes : host->memory_bytes * host->cache_share;
	if (store_in_memory(setting, store))
		return 1;
	if (!(read > 0))
		return 0;
	const double hits =
		cache_hits(options->cache, cache / read, setting->dataset->layout == LAYOUT_SHARDS);
	return whole ? cache_hits_filling(hits, nodes, options->epochs) : hits;
}

/* node_s and system_s of what is read from tiers and memory where `missed` of it is not cached. */
static void fetch_rates(const struct reading *reading, double missed, double *node_s, double *system_s)
{
	const struct input_setting *const setting = reading->setting;
	const double bytes = setting->sample_bytes * missed, reads = setting->reads_per_sample * missed,
		     opens = setting->files_per_sample * missed;
	node_s[PARADL_RESOURCE_MEMORY] =
		per(setting->sample_bytes - bytes, setting->machine->host.memory_bytes_per_s);
	if (reading->store == PARADL_STORE_POOLED)
		node_s[PARADL_RESOURCE_PEERS] =
			setting->sample_bytes * (1 - 1 / reading->nodes) / node_network(setting->machine);
	const struct storage_tier *const tier =
		reading->store == PARADL_STORE_SHARED ? setting->shared : setting->local;
	if (!tier)
		return;
	const double open_s = fmax(per(opens, tier->opens_per_s), opens * tier->open_s / reading->threads);
	if (reading->store != PARADL_STORE_SHARED) {
		node_s[PARADL_RESOURCE_LOCAL] =
			fmax(fmax(bytes / tier_read(tier, 1), per(reads, tier->random_reads_per_s)), open_s);
		return;
	}
	system_s[PARADL_RESOURCE_SHARED] = bytes / tier_read(tier, reading->nodes);
	system_s[PARADL_RESOURCE_REQUESTS] = per(reads, tier->random_reads_per_s);
	system_s[PARADL_RESOURCE_METADATA] = per(opens, tier->opens_per_s);
	node_s[PARADL_RESOURCE_METADATA] = opens * tier->open_s / reading->threads;
	node_s[PARADL_RESOURCE_CLIENT] =
		per(bytes, tier->client_bytes_per_s > 0 ? tier->client_bytes_per_s
							: setting->machine->host.network_bytes_per_s);
}

void input_rates_fill(const struct input_setting *setting, double nodes, double readers,
	enum paradl_store store, struct input_rates *rates)
{
	if (store == PARADL_STORE_AUTO)
		store = PARADL_STORE_SHARED;
	*rates = (struct input_rates){
		.store = store, .possible = true, .latest = 1, .exchange_bundle = HUGE_VAL};
	if (setting->lacking)
		return;
	char reason[160];
	rates->possible = store_possible(setting, store, nodes, reason, sizeof reason);
	rates->stored_bytes_per_node = store_bytes(setting, store, nodes);
	rates->capacity_bytes = store_capacity(setting, store);
	rates->cached_share = cached_share(setting, store, nodes);
	const double cores = cores_of_node(setting),
		     host_link = setting->machine->device.link.host_bytes_per_s;
	const struct reading reading = {setting, store, nodes, fmax(1, cores)};
	const double in_memory = store_in_memory(setting, store) ? 1 : 0;
	fetch_rates(&reading, 1 - rates->cached_share, rates->node_s, rates->system_s);
	fetch_rates(&reading, 1 - in_memory, rates->cold_node_s, rates->cold_system_s);
	rates->node_s[PARADL_RESOURCE_CORES] = per(prepare_sample_s(setting), cores * all_cores_efficiency);
	rates->node_s[PARADL_RESOURCE_HOST_LINK] = per(setting->decoded_bytes, host_link);
	for (unsigned r = PARADL_RESOURCE_CORES; r <= PARADL_RESOURCE_HOST_LINK; r++)
		rates->cold_node_s[r] = rates->node_s[r];
	const struct storage_tier *const tier =
		store == PARADL_STORE_SHARED ? setting->shared : setting->local;
	if (tier)
		rates->latest = straggler_factor(tier_variation(tier), readers);
	if (store == PARADL_STORE_SHARD)
		exchange_rates(setting, readers, rates);
}

/* With AUTO, a place that is sure to have room: data sets and memories of unknown size are not moved. */
static bool worth_trying(const struct input_setting *setting, enum paradl_store store)
{
	if (store == PARADL_STORE_SHARED)
		return true;
	if (!(setting->total_bytes > 0))
		return !setting->shared;
	return !store_in_memory(setting, store) || store_capacity(setting, store) > 0;
}

unsigned input_stores(const struct input_setting *setting, enum paradl_store stores[INPUT_STORES_MAX])
{
	static const enum paradl_store others[] = {PARADL_STORE_COPY, PARADL_STORE_POOLED};
	const enum paradl_store store = setting->options.store;
	unsigned count = 1;
	stores[0] = store;
	if (store != PARADL_STORE_AUTO)
		return count;
	if (setting->options.shuffle != PARADL_SHUFFLE_GLOBAL) {
		stores[0] = PARADL_STORE_SHARD;
		return count;
	}
	stores[0] = PARADL_STORE_SHARED;
	for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
		if (worth_trying(setting, others[i]))
			stores[count++] = others[i];
	return count;
}

/*
 * Of stores with the same time the first: what need not be staged, then what needs no other node.
 */
void input_rates_choose(const struct input_setting *setting, const struct input_load *load, double busy_s,
	struct input_rates *rates)
{
	const double same = 1 - 1e-9;
	enum paradl_store stores[INPUT_STORES_MAX];
	const unsigned count = input_stores(setting, stores);
	input_rates_fill(setting, load->nodes, load->readers, stores[0], rates);
	double least = rates->possible ? input_step(setting, rates, load, busy_s) : HUGE_VAL;
	for (unsigned i = 1; i < count && least > busy_s; i++) {
		struct input_rates other;
		input_rates_fill(setting, load->nodes, load->readers, stores[i], &other);
		const double step_s = input_step(setting, &other, load, busy_s);
		if (!other.possible || !(step_s < least * same))
			continue;
		least = step_s;
		*rates = other;
	}
}
