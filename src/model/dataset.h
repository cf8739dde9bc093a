/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data set of a network: "dataset" of a model, or a file of its own; paradl-dataset(5). */
#ifndef MODEL_DATASET_H
#define MODEL_DATASET_H

#include "base/json.h"

/* Ways in which samples are stored in files; paradl-dataset(5). */
enum dataset_layout {
	LAYOUT_FILES,  /* each sample in a file of its own */
	LAYOUT_SHARDS, /* many samples in a file that is read from its start: TFRecord, tar, token files */
	LAYOUT_HDF5    /* many samples in a file, each read at its place */
};

/* Work of a core on a sample before a device can use it; oracle/input/input_rates.c has the rates. */
enum dataset_encoding {
	ENCODING_NONE, /* the sample is copied as it is */
	ENCODING_JPEG,
	ENCODING_PNG,
	ENCODING_GZIP, /* npz, and TFRecord with gzip */
	ENCODING_TOKENS,
	ENCODINGS
};

/* A data set; numbers that are not given are 0. */
struct dataset {
	const char *name;             /* name of the data set, or NULL */
	const char *path;             /* path of the data set's own file; NULL: it is part of the model */
	double samples, sample_bytes; /* with tokens: sequences as long as the network's */
	double validation_samples;    /* further samples, read after each epoch */
	double tokens, token_bytes;
	double files;
	double decoded_bytes; /* bytes of a sample as the device gets it */
	double preparation_s; /* time of one core for a sample */
	double classes;
	int layout, encoding; /* enum dataset_layout, enum dataset_encoding */
};

/* Reads a file that is a data set; `sequence`: tokens of one sample of the network (0: it takes none). */
bool dataset_file_read(
	const struct json *root, double sequence, struct dataset *dataset, struct paradl_error *error);

#endif
