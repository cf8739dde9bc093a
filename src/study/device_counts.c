/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These functions list the numbers of devices that somebody who rents or buys them can choose from. */
#include "paradl/study.h"

/* Hosts of which each number is tried, and steps in each doubling beyond. */
enum { EACH_HOST = 64, STEPS_PER_DOUBLING = 8 };

unsigned paradl_devices_next(unsigned host, unsigned all, unsigned devices)
{
	const unsigned hosts = devices / host;
	unsigned doubling = EACH_HOST, next;
	if (devices >= all)
		return 0;
	while (hosts >= 2 * doubling)
		doubling *= 2;
	if (devices < host)
		next = devices == 0 ? 1 : 2 * devices < host ? 2 * devices : host;
	else
		next = (hosts + (hosts < EACH_HOST ? 1 : doubling / STEPS_PER_DOUBLING)) * host;
	return next < all ? next : all;
}

unsigned paradl_devices_between(unsigned host, unsigned below, unsigned above)
{
	const unsigned next = paradl_devices_next(host, above, below),
		       middle = (below / host + (above - 1) / host + 1) / 2 * host;
	return next < above ? next : middle > below && middle < above ? middle : 0;
}
