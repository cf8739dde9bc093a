/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/quantity.h"

void numbers_begin(struct numbers *numbers)
{
	const locale_t copy = duplocale(uselocale((locale_t)0));
	numbers->own = copy ? newlocale(LC_NUMERIC_MASK, "C", copy) : (locale_t)0;
	if (copy && !numbers->own)
		freelocale(copy);
	numbers->before = numbers->own ? uselocale(numbers->own) : (locale_t)0;
}

void numbers_end(struct numbers *numbers)
{
	if (!numbers->own)
		return;
	uselocale(numbers->before);
	freelocale(numbers->own);
	numbers->own = (locale_t)0;
}
