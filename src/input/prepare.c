/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a core does with a sample before a device gets it: as long as the data set says, else its stored bytes by the rate of
 * the encoding, which a profile's "decode" replaces.
 */
#include "input/input.h"

/* Stored bytes in a second by one core, in the order of enum dataset_encoding. */
static const double usual_rates[ENCODINGS] = {
	1e9, /* none: one pass of copying and normalising; assumed */
	230 * 110e3, /* jpeg: 230 images of 110 kB (Plumber, MLSys'22, Xeon E5-2698B v3; tf.data: 182 with all the rest) */
	50e6,  /* png: inflated and unfiltered, about 4 times as many bytes come out; assumed */
	100e6, /* gzip: 100 to 120 MB/s of zlib level 6 data; assumed */
	200e6, /* tokens: sequences cut out, joined to batches and widened to 32 bits; assumed */
};

double prepare_sample_s(const struct input_setting *setting)
{
	const struct dataset *const dataset = setting->dataset;
	if (dataset->preparation_s > 0)
		return dataset->preparation_s;
	const int encoding = dataset->encoding;
	const double given = setting->machine->host.decode_bytes_per_s[encoding];
	return setting->sample_bytes / (given > 0 ? given : usual_rates[encoding]);
}
