/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads "convolution" of a device file: numbers that decide the speed of convolutions on top of their products. */
#include <stddef.h>
#include <string.h>

#include "machine/blocks.h"
#include "machine/machine.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AT(member)   offsetof(struct device_convolution, member)

static const struct json_field fields[] = {
	{"tile", JSON_TO_DOUBLE, false, AT(tile), 1, 65536, DIMENSION_NONE, NULL},
	{"winograd", JSON_TO_DOUBLE, false, AT(winograd), 1, 4, DIMENSION_NONE, NULL},
	{"start", JSON_TO_QUANTITY, false, AT(start_s), 0, 1, DIMENSION_TIME, NULL},
	{"memory_share", JSON_TO_DOUBLE, false, AT(memory_share), 0.01, 1.3, DIMENSION_NONE, NULL},
	{"group_tile", JSON_TO_DOUBLE, false, AT(group_tile), 1, 1024, DIMENSION_NONE, NULL},
	{"tap", JSON_TO_QUANTITY, false, AT(tap_s), 0, 1, DIMENSION_TIME, NULL},
	{"tap_passes", JSON_TO_DOUBLE, false, AT(tap_passes), 0, 100, DIMENSION_NONE, NULL},
	{"nchw_passes", JSON_TO_DOUBLE, false, AT(nchw_passes), 0, 100, DIMENSION_NONE, NULL},
	{"nchw_point_passes", JSON_TO_DOUBLE, false, AT(nchw_point_passes), 0, 100, DIMENSION_NONE, NULL},
	{"nchw_taps", JSON_TO_DOUBLE, false, AT(nchw_taps), 0.1, 100, DIMENSION_NONE, NULL},
	{"volume_passes", JSON_TO_DOUBLE, false, AT(volume_passes), 0, 1000, DIMENSION_NONE, NULL},
};
static const char *const keys[] = {"sustained", "volume", NULL};

bool device_convolution_read(const struct json *node, struct device *device, struct paradl_error *error)
{
	struct device_convolution *convolution = &device->convolution;
	*convolution = (struct device_convolution){
		.tile = device->tile, .winograd = device->winograd, .memory_share = 1, .nchw_taps = 1};
	memcpy(convolution->sustained, device->contraction_share, sizeof convolution->sustained);
	return device_block_read(node, fields, COUNT(fields), keys, convolution, error) &&
	       device_shares_read(node, "volume", 1, convolution->volume, error) &&
	       (!node || !json_member(node, "sustained") ||
		       device_shares_read(
			       node, "sustained", device->efficiency, convolution->sustained, error));
}

bool device_convolution_place(const char *key, struct place *place)
{
	return place_find(fields, COUNT(fields), offsetof(struct device, convolution), key, place);
}
