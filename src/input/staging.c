/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bringing a node's part V from the shared file system to its disks, or memory, before training, all K nodes at the same time:
 *
 *     max(K V / rate of the file system, V / what one node reads of it, files of a node * time to make one, V / write rate)
 *
 * V is all of the data set for copies, and a Kth of it else: what partial and pairwise shuffling hold more comes by exchange.
 */
#include <math.h>

#include "input/input.h"

double staging_s(const struct input_setting *setting, enum paradl_store store, double nodes, double readers)
{
	(void)readers;
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
	const double files = setting->files_per_sample * setting->dataset->samples * share;
	const double write = setting->local->write_bytes_per_s;
	longest = fmax(longest, files * setting->local->create_s);
	return write > 0 ? fmax(longest, bytes / write) : longest;
}
