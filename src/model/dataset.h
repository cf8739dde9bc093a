/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a network is trained on: "dataset" of a model, or a file of its own; paradl-dataset(5). */
#ifndef MODEL_DATASET_H
#define MODEL_DATASET_H

#include "base/json.h"

/* How samples lie in files; paradl-dataset(5). */
enum dataset_layout {
	LAYOUT_FILES,  /* each in one of its own */
	LAYOUT_SHARDS, /* many in a file that is read from the start: TFRecord, tar, token files */
	LAYOUT_HDF5    /* many in a file, each at its place */
};

/* What a core does with a sample before a device can use it; input/rates.c has the rates. */
enum dataset_encoding {
	ENCODING_NONE, /* copied as it is */
	ENCODING_JPEG,
	ENCODING_PNG,
	ENCODING_GZIP, /* npz, and TFRecord with gzip */
	ENCODING_TOKENS,
	ENCODINGS
};

/* Numbers that are not given are 0. */
struct dataset {
	const char *name;             /* or NULL */
	const char *path;             /* of its own file; NULL: it stands in the model */
	double samples, sample_bytes; /* of tokens: sequences as long as the network's */
	double validation_samples;    /* besides, read after each epoch */
	double tokens, token_bytes;
	double files;
	double decoded_bytes; /* of a sample as the device gets it */
	double preparation_s; /* of a sample, by one core */
	double classes;
	int layout, encoding; /* enum dataset_layout, enum dataset_encoding */
};

/* A whole file of one. */
bool dataset_file_read(
	const struct json *root, double sequence, struct dataset *dataset, struct paradl_error *error);

#endif
