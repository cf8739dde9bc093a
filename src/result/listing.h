/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What there is, as a table: the document of paradl list. */
#ifndef RESULT_LISTING_H
#define RESULT_LISTING_H

#include <stddef.h>

#include "paradl.h"

enum listing_kind { LISTING_TEXT, LISTING_COUNT, LISTING_FLOP, LISTING_BYTES, LISTING_SHARE, LISTING_PRICE };

struct listing_column {
	const char *key, *title;
	enum listing_kind kind;
	int drop; /* as in table.h */
};

struct listing_cell {
	const char *text; /* of LISTING_TEXT; NULL: none */
	double number;    /* of the others; negative: none */
};

struct report_listing {
	const char *what;                      /* "models": the key of the rows */
	const struct paradl_model_info *model; /* of a listing of layers, else NULL */
	const struct listing_column *columns;
	size_t column_count;
	const struct listing_cell *cells;
	size_t row_count;
};

#endif
