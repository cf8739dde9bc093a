/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges one host, or one launch, that is slower than the others at everything, by the median of its time over theirs
 * at all points that it shares with them. The limit is 1.5 for hosts (pairs within one class of distance) and 1.15
 * for launches.
 */
#include <string.h>

#include "base/error.h"
#include "fit/verdict/verdict.h"

static const double slow_host = 1.5, slow_launch = 1.15;

enum { HOSTS_MAX = 1024, SHARED_LEAST = 3 };

/* Returns whether two pairs differ in their hosts only. */
static bool is_kin(const struct cell *a, const struct cell *b)
{
	const char *near = sample_text(a->point, "distance"), *far = sample_text(b->point, "distance");
	const double left = cell_bytes(a), right = cell_bytes(b);
	return strcmp(a->point->bench, b->point->bench) == 0 && !(left < right) && !(left > right) &&
	       strcmp(near ? near : "", far ? far : "") == 0;
}

/* Returns the median time of all pairs like this one, with any hosts; 0: there are fewer than three. */
static double usual_s(const struct cells *cells, const struct cell *cell, double *scratch)
{
	size_t count = 0;
	for (size_t i = 0; i < cells->count; ++i)
		if (sample_text(cells->items[i].point, "host") && is_kin(&cells->items[i], cell))
			scratch[count++] = cells->items[i].seconds;
	return count >= SHARED_LEAST ? robust_median(scratch, count) : 0;
}

static void judge_host(struct calibration *calibration, const char *host, double *scratch, double *ratios)
{
	const struct cells *cells = calibration->cells;
	const struct cell *worst = NULL;
	size_t count = 0;
	double most = 0;
	for (size_t i = 0; i < cells->count; ++i) {
		const struct cell *cell = &cells->items[i];
		const char *own = sample_text(cell->point, "host");
		const double usual = own && strcmp(own, host) == 0 ? usual_s(cells, cell, scratch) : 0;
		if (!(usual > 0))
			continue;
		ratios[count++] = cell->seconds / usual;
		if (cell->seconds / usual > most)
			worst = cell;
		most = cell->seconds / usual > most ? cell->seconds / usual : most;
	}
	const double ratio = count > 0 ? robust_median(ratios, count) : 1;
	if (ratio < slow_host || !worst)
		return;
	const struct verdict_head head = {PARADL_BAD, "slow-node", cell_place(calibration, worst),
		"that node's cable, port (counters of errors), PCIe width, clocks and other jobs; leave it "
		"out of the host list "
		"and measure again"};
	verdict_say(calibration, &head,
		"host %s: its pairs take %.2f times what those of other hosts take (median of %zu sizes)",
		host, ratio, count);
}

static void judge_hosts(struct calibration *calibration)
{
	const struct cells *cells = calibration->cells;
	const char *hosts[HOSTS_MAX];
	size_t host_count = 0;
	double *scratch = arena_alloc(calibration->arena, cells->count + 1, sizeof *scratch);
	double *ratios = arena_alloc(calibration->arena, cells->count + 1, sizeof *ratios);
	if (!scratch || !ratios) {
		verdict_out_of_memory(calibration);
		return;
	}
	for (size_t i = 0; i < cells->count && host_count < HOSTS_MAX; ++i) {
		const char *host = sample_text(cells->items[i].point, "host");
		bool is_new = host != NULL;
		for (size_t k = 0; k < host_count && is_new; ++k)
			is_new = strcmp(hosts[k], host) != 0;
		if (is_new)
			hosts[host_count++] = host;
	}
	for (size_t k = 0; host_count >= SHARED_LEAST && k < host_count; ++k)
		judge_host(calibration, hosts[k], scratch, ratios);
}

static void judge_launch(struct calibration *calibration, const struct sample_launch *launch, double *ratios)
{
	const struct cells *cells = calibration->cells;
	size_t count = 0;
	for (size_t i = 0; i < cells->count; ++i)
		for (unsigned k = 0; k < cells->items[i].launches && cells->items[i].launches >= SHARED_LEAST;
			++k)
			if (cells->items[i].points[k]->launch == launch)
				ratios[count++] = cells->items[i].launch_s[k] / cells->items[i].seconds;
	const size_t shared = count;
	const double ratio = count >= SHARED_LEAST ? robust_median(ratios, count) : 1;
	if (ratio < slow_launch)
		return;
	const struct verdict_head head = {PARADL_SUSPECT, "slow-launch", launch->file,
		"other jobs and clocks at that time, where its processes were placed; more launches, or fit "
		"without it"};
	verdict_say(calibration, &head,
		"launch %s of %s: everything takes %.2f times what the launches together say (median of %zu "
		"points)",
		launch->id, *launch->date ? launch->date : launch->file, ratio, shared);
}

void judge_slow(struct calibration *calibration)
{
	const struct sample_set *set = calibration->cells->set;
	double *ratios = arena_alloc(calibration->arena, set->count + 1, sizeof *ratios);
	if (!ratios) {
		verdict_out_of_memory(calibration);
		return;
	}
	for (size_t i = 0; i < set->launch_count; ++i)
		judge_launch(calibration, set->launches[i], ratios);
	judge_hosts(calibration);
}
