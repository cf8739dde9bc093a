/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_NUMBERS_H
#define BASE_NUMBERS_H

#include <locale.h>

/*
 * The locale of numbers in this thread, whatever the locale of the process: between numbers_begin and numbers_end,
 * printf and strtod work as in the locale C. A host of the library may have any locale, and gets the same bytes.
 */
struct numbers {
	locale_t own, before;
};
void numbers_begin(struct numbers *numbers);
void numbers_end(struct numbers *numbers);

#endif
