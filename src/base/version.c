/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The version and the units of the library. */
#include "base/quantity.h"

#ifndef PARADL_VERSION
#define PARADL_VERSION "unknown"
#endif

const char *paradl_version(void)
{
	return PARADL_VERSION;
}

const struct paradl_entry *paradl_units(size_t *count)
{
	return quantity_units(count);
}
