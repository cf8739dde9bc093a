/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The document of paradl list, as a table: all models, machines and the like, or the layers of a model. */
#ifndef RESULT_LISTING_H
#define RESULT_LISTING_H

#include "result/field.h"

/* Files in listings. Only the name is known of one that cannot be read. */
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

/* A listing of rows of one kind. */
struct report_listing {
	const char *what;                      /* key of the rows: "models" */
	const struct paradl_model_info *model; /* model whose layers are listed, else NULL */
	const void *rows;                      /* array of the type that the record of the key reads */
	size_t row_bytes, row_count;
};

/* Returns the record of a row. */
const struct result_record *listing_record(const struct report_listing *listing);
/* Returns the value of a field in row `row`; absent where there is no such row. */
struct field_value listing_value(
	const struct report_listing *listing, const struct result_field *field, size_t row);

#endif
