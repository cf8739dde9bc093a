/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the seconds of one sample of s bytes on each resource while K nodes read; m is the share that no cache has:
 *
 *     shared       m s / rate of the file system with K clients          of the system
 *     requests     m reads / small reads in a second                     of the system
 *     metadata     m opens / opens in a second                           of the system
 *                  m opens * time of an open / threads of a node         of a node
 *     client       m s / rate of one node's reads                        of a node
 *     local        m max(s / rate, reads / small reads, opens) of a disk of a node
 *     peers        (K - 1) / K s / network of a node                     of a pool
 *     memory       (1 - m) s / rate of memory
 *     cores        preparation / (cores 0.9)
 *     host link    decoded bytes / rate of the link                      of a device
 *
 * Rates that are not known take no time. The preparation of a sample by one core takes what the data set says, else
 * its stored bytes over the rate of the encoding, which a profile's "decode" replaces; gzip adds the bytes that come
 * out over the rate of "none".
 *
 * Files of a shared file system are opened there whether the page cache has them or not: m is then 1. Without --cache
 * the reads of a global shuffle from a shared file system are not cached: a node reads other samples in each epoch,
 * and in the figure that stragglers are derived from (sample_store.c) all were read in every epoch, though they fit the
 * memory.
 *
 * A cache of C bytes holds C / S of a node's reads where the node reads all S bytes of samples in a new order every
 * epoch, and C / its part where it reads (or serves, in a pool) the same part in every epoch. In the first epoch
 * nothing is cached. Where all samples are read, caches fill over the epochs, and rates are the mean of all epochs but
 * the first. The share h of reads that hit a cache which holds a share x of the bytes read in every epoch:
 *
 *     pinned   h = x                               samples that came first stay
 *     LRU      h = x + (1 - x) ln(1 - x)           every epoch in a new random order
 *     page     h = x + 0.6 (1 - x) ln(1 - x)       Linux' page cache, between the two; 1 instead of 0.6 where files
 *                                                  are read from the start
 *
 * LRU: an item that was read at place u of an epoch and is read at v of the next is still there if fewer than x of all
 * are read between, each once; the mean over uniform u and v is the formula. 0.6 lies between the two fits to Mohan et
 * al. (VLDB'21): 0.71 (35 % cached, 85 % read) and 0.49 (65 % cached, 53 % read); derived.
 *
 * Synchronous training waits for the slowest of n nodes that read; what one reader of a node does not take of its
 * client, others do:
 *
 *     E[slowest] / mean = min(n, 1 + variation min((n - 1) / sqrt(2 n - 1), sqrt(2 ln n)))
 *
 * The first limit holds for times of any distribution that are not negative, the second for any with that deviation (Hartley and
 * David, 1954), the third for normal times, which come near it for large n. A system that is full serves others what one
 * does not take: the slowest ends when all is read, and the mean is shorter by that factor. So n nodes never read less in
 * all than fewer do.
 */
#include <math.h>

#include "oracle/input/input.h"

double straggler_factor(double variation, double n)
{
	if (!(n > 1 && variation > 0))
		return 1;
	return fmin(n, 1 + variation * fmin((n - 1) / sqrt(2 * n - 1), sqrt(2 * log(n))));
}

/* Stored bytes that one core prepares in a second, in the order of enum dataset_encoding. */
static const double usual_rates[ENCODINGS] = {
	1e9, /* none: one pass of copying and normalising; assumed */
	230 * 110e3, /* jpeg: 230 images of 110 kB (Plumber, MLSys'22, Xeon E5-2698B v3); tf.data: 182 with the rest */
	50e6,  /* png: inflated and unfiltered, about 4 times as many bytes come out; assumed */
	100e6, /* gzip: 100 to 120 MB/s of zlib level 6 data; assumed */
	200e6, /* tokens: sequences cut out, joined to batches and widened to 32 bits; assumed */
};

/* Returns whether devices decode the samples, which go to them as they are stored. */
static bool goes_stored(const struct input_setting *setting)
{
	return setting->rules->decodes_on_device && setting->dataset->encoding == ENCODING_JPEG;
}

static double core_s(const struct input_setting *setting, int encoding, double bytes)
{
	const double given = setting->machine->host.decode_bytes_per_s[encoding];
	return bytes / (given > 0 ? given : usual_rates[encoding]);
}

/* Returns the seconds of one core: a sample unpacked as a whole is then copied and normalised as if stored so. */
double prepare_sample_s(const struct input_setting *setting)
{
	const struct dataset *const dataset = setting->dataset;
	if (dataset->preparation_s > 0)
		return dataset->preparation_s;
	const int encoding = goes_stored(setting) ? ENCODING_NONE : (int)dataset->encoding;
	const double unpacked_s = core_s(setting, encoding, setting->sample_bytes);
	return dataset->encoding == ENCODING_GZIP
		       ? unpacked_s + core_s(setting, ENCODING_NONE, setting->decoded_bytes)
		       : unpacked_s;
}

static const double page_share = 0.6;

double cache_hits(enum paradl_cache policy, double x, bool sequential)
{
	if (!(x > 0) || policy == PARADL_CACHE_NONE)
		return 0;
	if (x >= 1)
		return 1;
	if (policy == PARADL_CACHE_PINNED)
		return x;
	const double share = policy == PARADL_CACHE_PAGE && !sequential ? page_share : 1;
	return fmax(0, x + share * (1 - x) * log1p(-x));
}

/*
 * Returns the mean hits over epochs 2 .. E. One of K nodes reads 1 / K of the samples in an epoch, others in each:
 * after e epochs its cache has met f(e) = 1 - (1 - 1/K)^e of them, and min(h, f(e)) of its next reads hit. The mean
 * over e = 1 .. E - 1 takes f(e) until it passes h, then h. 0 for a single epoch.
 */
double cache_hits_filling(double hits, double nodes, double epochs)
{
	const double count = fmax(1, epochs - 1), missed = 1 - 1 / nodes;
	if (!(epochs > 1))
		return 0;
	if (!(nodes > 1) || !(hits > 0))
		return hits;
	const double full = hits < 1 ? ceil(log1p(-hits) / log(missed)) - 1 : count;
	const double filling = fmin(fmax(0, full), count);
	const double met = filling - missed * nodes * (1 - pow(missed, filling));
	return (met + (count - filling) * hits) / count;
}

/*
 * Returns samples P[Binomial(epochs, p) >= times], p = 1 / readers: a sample goes to one of the readers at random in
 * each epoch. Terms are computed as logarithms, each from the one before: P[k] = P[k - 1] (epochs - k + 1) / k p / (1
 * - p).
 */
double cache_met_often(double samples, double readers, double epochs, double times)
{
	if (times <= 0)
		return samples;
	if (times > epochs)
		return 0;
	if (readers <= 1)
		return samples;
	const double odds = log(1 / readers) - log1p(-1 / readers);
	const unsigned trials = (unsigned)fmin(epochs, 1e6);
	double term = trials * log1p(-1 / readers), share = 0;
	for (unsigned k = 1; k <= trials; k++) {
		term += log((double)(trials - k + 1) / k) + odds;
		if (k >= times)
			share += exp(term);
	}
	return samples * fmin(1, share);
}

/* Share of the cores' rate that is left when all of them work; assumed. */
static const double all_cores_efficiency = 0.9;

/* Reads from a store by a number of nodes. */
struct reading {
	const struct input_setting *setting;
	enum paradl_store store;
	double nodes, threads; /* threads: those of a node, 1 where cores are not known */
};

static double per(double amount, double rate)
{
	return rate > 0 ? amount / rate : 0;
}

static double cores_of_node(const struct input_setting *setting)
{
	const struct host *const host = &setting->machine->host;
	if (setting->options.workers > 0)
		return setting->options.workers * setting->machine->devices_per_host;
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
	const bool usual = options->cache == PARADL_CACHE_AUTO;
	if (store_in_memory(setting, store))
		return 1;
	if (!(read > 0) || (usual && whole && store == PARADL_STORE_SHARED))
		return 0;
	const double hits = cache_hits(usual ? PARADL_CACHE_PAGE : options->cache, cache / read,
		setting->dataset->layout == LAYOUT_SHARDS);
	return whole ? cache_hits_filling(hits, nodes, options->epochs) : hits;
}

/*
 * Fills in node_s and system_s of reads from tiers, other nodes and memory; `missed` is the share that is not cached.
 */
static void fetch_rates(const struct reading *reading, double missed, double *node_s, double *system_s)
{
	const struct input_setting *const setting = reading->setting;
	const bool reopened =
		reading->store == PARADL_STORE_SHARED && setting->options.cache == PARADL_CACHE_PAGE;
	const double bytes = setting->sample_bytes * missed, reads = setting->reads_per_sample * missed,
		     opens = setting->files_per_sample * (reopened ? 1 : missed);
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
	rates->possible = store_possible(setting, store, nodes, readers, reason, sizeof reason);
	rates->stored_bytes_per_node = store_bytes(setting, store, nodes);
	rates->capacity_bytes = store_capacity(setting, store);
	rates->cached_share = cached_share(setting, store, nodes);
	const double cores = cores_of_node(setting),
		     host_link = setting->machine->device.link.host_bytes_per_s;
	const struct reading reading = {setting, store, nodes, fmax(1, cores)};
	const double in_memory = store_in_memory(setting, store) ? 1 : 0;
	fetch_rates(&reading, 1 - rates->cached_share, rates->node_s, rates->system_s);
	fetch_rates(&reading, 1 - in_memory, rates->cold_node_s, rates->cold_system_s);
	/* What is read for the first time goes to memory, from where the cached part is read later. */
	double all_node_s[PARADL_RESOURCE_COUNT] = {0}, all_system_s[PARADL_RESOURCE_COUNT] = {0};
	fetch_rates(&reading, 0, all_node_s, all_system_s);
	rates->cold_node_s[PARADL_RESOURCE_MEMORY] = all_node_s[PARADL_RESOURCE_MEMORY];
	rates->node_s[PARADL_RESOURCE_CORES] = per(prepare_sample_s(setting), cores * all_cores_efficiency);
	rates->node_s[PARADL_RESOURCE_HOST_LINK] =
		per(goes_stored(setting) ? setting->sample_bytes : setting->decoded_bytes, host_link);
	for (unsigned r = PARADL_RESOURCE_CORES; r <= PARADL_RESOURCE_HOST_LINK; r++)
		rates->cold_node_s[r] = rates->node_s[r];
	const struct storage_tier *const tier =
		store == PARADL_STORE_SHARED ? setting->shared : setting->local;
	if (tier)
		rates->latest = straggler_factor(tier_variation(tier), fmin(nodes, readers));
	if (store == PARADL_STORE_SHARD)
		exchange_rates(setting, nodes, readers, rates);
}

/*
 * Reports whether AUTO tries a store, which must be sure to have room: data sets and memories of unknown size are not
 * moved.
 */
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
 * Chooses the first among stores with the same time: the one that needs no staging, then the one that needs no other
 * node.
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
