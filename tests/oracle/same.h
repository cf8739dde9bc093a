/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_ORACLE_SAME_H
#define TESTS_ORACLE_SAME_H

#include <stdbool.h>

#include "paradl/oracle.h"

/* Are all numbers and words of two estimates the same, to the last bit? What lies between members is no matter. */
bool estimates_are_same(const struct paradl_estimate *one, const struct paradl_estimate *other);

#endif
