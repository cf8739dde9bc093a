/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Says which version of the library this is, and copies structs between versions: bytes up to the shorter of two sizes,
 * members being added at the end.
 */
#include "base/version.h"

#include <string.h>

#include "base/error.h"

#ifndef PARADL_VERSION
#define PARADL_VERSION "unknown"
#endif

const char *paradl_version(void)
{
	return PARADL_VERSION;
}

/* Returns the size that a struct begins with. */
static size_t size_of(const void *theirs, size_t first)
{
	size_t size;
	memcpy(&size, theirs, sizeof size);
	return size > 0 ? size : first;
}

bool sized_read(void *ours, size_t size, size_t first, const void *theirs, struct paradl_error *error)
{
	const size_t given = size_of(theirs, first), known = given < size ? given : size;
	const unsigned char *const bytes = theirs;
	if (given < sizeof given)
		return error_set(error, PARADL_USAGE, "size is %zu, less than a struct has", given);
	for (size_t i = known; i < given; ++i)
		if (bytes[i] != 0)
			return error_set(error, PARADL_USAGE,
				"the program sets members that came after version %s of the library",
				paradl_version());
	memset(ours, 0, size);
	memcpy(ours, theirs, known);
	memcpy(ours, &size, sizeof size);
	return true;
}

void sized_write(void *theirs, size_t first, const void *ours, size_t size)
{
	const size_t given = size_of(theirs, first), known = given < size ? given : size;
	if (known > sizeof known)
		memcpy((char *)theirs + sizeof known, (const char *)ours + sizeof known,
			known - sizeof known);
}
