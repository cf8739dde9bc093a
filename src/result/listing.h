/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What there is, as a table: the document of paradl list. */
#ifndef RESULT_LISTING_H
#define RESULT_LISTING_H

#include "result/field.h"

/* Files: of one that cannot be read only the name is known. */
struct listed_model {
	const char *name, *path;
	struct paradl_model_info info;
};
struct listed_dataset {
	const char *name;
	struct paradl_dataset_info info;
};
struct listed_machine {
	const char *name, *path;
	struct paradl_machine_info info;
};
struct listed_framework {
	const char *name, *path;
	struct paradl_framework_info info;
};

struct listed_picture {
	const char *name, *commands, *summary;
};
struct listed_topology {
	const char *name, *shape, *keys, *summary, *source;
};

struct report_listing {
	const char *what;                      /* "models": the key of the rows */
	const struct paradl_model_info *model; /* of a listing of layers, else NULL */
	const void *rows;                      /* as the record of the key has them */
	size_t row_bytes, row_count;
};

const struct result_record *listing_record(const struct report_listing *listing); /* of a row */
struct field_value listing_value(
	const struct report_listing *listing, const struct result_field *field, size_t row);

#endif
