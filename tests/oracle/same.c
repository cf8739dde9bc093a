/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "oracle/same.h"

#include <stdlib.h>
#include <string.h>

#include "golden/golden.h"

bool estimates_are_same(const struct paradl_estimate *one, const struct paradl_estimate *other)
{
	struct text texts[2] = {0};
	tell_estimate(&texts[0], one);
	tell_estimate(&texts[1], other);
	const bool same = strcmp(texts[0].bytes, texts[1].bytes) == 0;
	free(texts[0].bytes);
	free(texts[1].bytes);
	return same;
}
