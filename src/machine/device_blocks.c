/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "product", "attention", "link" and contraction's "sustained" and "half" of a device file; see paradl-hw(5). Without them, what `contraction` says stands in. */
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "machine/machine.h"
#include "machine/place.h"

#define COUNT(array)    (sizeof(array) / sizeof *(array))
#define PRODUCT(member) offsetof(struct device_product, member)
#define LINK(member)    offsetof(struct device_link, member)

static const struct json_field product_fields[] = {
	{"units", JSON_TO_DOUBLE, false, PRODUCT(units), 1, 1e6, DIMENSION_NONE, NULL},
	{"half_tile", JSON_TO_DOUBLE, false, PRODUCT(half_tile), 0.01, 1, DIMENSION_NONE, NULL},
	{"wave", JSON_TO_QUANTITY, false, PRODUCT(wave_s), 0, 1, DIMENSION_TIME, NULL},
	{"memory_share", JSON_TO_DOUBLE, false, PRODUCT(memory_share), 0.01, 1, DIMENSION_NONE, NULL},
	{"launch", JSON_TO_QUANTITY, false, PRODUCT(launch_s), 0, 1, DIMENSION_TIME, NULL},
	{"wave_share", JSON_TO_DOUBLE, false, PRODUCT(wave_share), 0, 1, DIMENSION_NONE, NULL},
	{"cast_bytes", JSON_TO_QUANTITY, false, PRODUCT(cast_bytes), 0, 1000, DIMENSION_BYTES, NULL},
	{"misaligned", JSON_TO_DOUBLE, false, PRODUCT(misaligned), 1, 100, DIMENSION_NONE, NULL},
};
static const char *const product_keys[] = {"sustained", "half", NULL};

struct formats { /* 0: not given */
	double fp32, tf32, fp16, bf16, fp8, mxfp8, fp4;
};
#define SUSTAINED(member)                                                                                    \
	{                                                                                                    \
#member, JSON_TO_DOUBLE, false, offsetof(struct formats, member), 0.001, 1, DIMENSION_NONE,  \
			NULL                                                                                 \
	}
static const struct json_field sustained_fields[] = {SUSTAINED(fp32), SUSTAINED(tf32), SUSTAINED(fp16),
	SUSTAINED(bf16), SUSTAINED(fp8), SUSTAINED(mxfp8), SUSTAINED(fp4)};

#define HALF(member) offsetof(struct half_lengths, member)
static const struct json_field half_fields[] = {
	{"m", JSON_TO_DOUBLE, false, HALF(m), 0, 1e6, DIMENSION_NONE, NULL},
	{"n", JSON_TO_DOUBLE, false, HALF(n), 0, 1e6, DIMENSION_NONE, NULL},
	{"k", JSON_TO_DOUBLE, false, HALF(k), 0, 1e6, DIMENSION_NONE, NULL},
};

static const struct json_field attention_fields[] = {
	{"forward", JSON_TO_DOUBLE, true, offsetof(struct device_attention, forward), 0.001, 2,
		DIMENSION_NONE, NULL},
	{"backward", JSON_TO_DOUBLE, true, offsetof(struct device_attention, backward), 0.001, 2,
		DIMENSION_NONE, NULL},
	{"portable", JSON_TO_DOUBLE, false, offsetof(struct device_attention, portable), 0.001, 10,
		DIMENSION_NONE, NULL},
};

static const struct json_field link_fields[] = {
	{"rate", JSON_TO_QUANTITY, true, LINK(bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"share", JSON_TO_DOUBLE, false, LINK(share), 0.01, 1, DIMENSION_NONE, NULL},
	{"start", JSON_TO_QUANTITY, false, LINK(start_s), 0, 1, DIMENSION_TIME, NULL},
	{"start_log", JSON_TO_QUANTITY, false, LINK(start_log_s), 0, 1, DIMENSION_TIME, NULL},
	{"ramp", JSON_TO_QUANTITY, false, LINK(ramp_s), 0, 1, DIMENSION_TIME, NULL},
	{"devices", JSON_TO_UNSIGNED, false, LINK(devices), 1, 1e9, DIMENSION_NONE, NULL},
	{"latency", JSON_TO_QUANTITY, false, LINK(latency_s), 0, 1, DIMENSION_TIME, NULL},
	{"host_rate", JSON_TO_QUANTITY, false, LINK(host_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
};

static bool object_expect(const struct json *node, struct paradl_error *error)
{
	return node->kind == JSON_OBJECT || json_error(node, error, "must be an object");
}

static double first_of(double a, double b, double otherwise)
{
	return a > 0 ? a : b > 0 ? b : otherwise;
}

static void sustained_fill(const struct formats *given, double otherwise, double *sustained)
{
	sustained[PARADL_FP32] = first_of(given->fp32, 0, otherwise);
	sustained[PARADL_TF32] = first_of(given->tf32, given->fp16, otherwise);
	sustained[PARADL_FP16] = sustained[PARADL_FP16_MIXED] = first_of(given->fp16, given->bf16, otherwise);
	sustained[PARADL_BF16] = sustained[PARADL_BF16_MIXED] = first_of(given->bf16, given->fp16, otherwise);
	sustained[PARADL_FP8_MIXED] = first_of(given->fp8, given->mxfp8, sustained[PARADL_BF16]);
	sustained[PARADL_MXFP8_MIXED] = first_of(given->mxfp8, given->fp8, sustained[PARADL_BF16]);
	sustained[PARADL_FP4_MIXED] = first_of(given->fp4, given->mxfp8, sustained[PARADL_FP8_MIXED]);
}

/* "sustained" of a block, which may lack it or be absent itself. */
static bool sustained_read(
	const struct json *block, double otherwise, double *sustained, struct paradl_error *error)
{
	struct formats formats = {0};
	const struct json *node = block ? json_member(block, "sustained") : NULL;
	if (node && (!object_expect(node, error) || !json_read(node, sustained_fields,
							    COUNT(sustained_fields), NULL, &formats, error)))
		return false;
	sustained_fill(&formats, otherwise, sustained);
	return true;
}

bool half_lengths_read(const struct json *block, struct half_lengths *half, struct paradl_error *error)
{
	const struct json *node = block ? json_member(block, "half") : NULL;
	return !node || (object_expect(node, error) &&
				json_read(node, half_fields, COUNT(half_fields), NULL, half, error));
}

static bool product_read(const struct json *node, struct device *device, struct paradl_error *error)
{
	if (node && (!object_expect(node, error) || !json_read(node, product_fields, COUNT(product_fields),
							    product_keys, &device->product, error)))
		return false;
	return sustained_read(node, device->efficiency, device->product.sustained, error) &&
	       half_lengths_read(node, &device->product.half, error);
}

bool device_blocks_read(const struct json *root, struct device *device, struct paradl_error *error)
{
	const struct json *attention = json_member(root, "attention"), *link = json_member(root, "link");
	device->product = (struct device_product){.half_tile = 0.92,
		.memory_share = 1,
		.launch_s = device->launch_s,
		.wave_share = 1,
		.misaligned = 1};
	device->attention = (struct device_attention){.forward = 0.65, .backward = 0.35};
	device->link = (struct device_link){.share = 0.8};
	if (!product_read(json_member(root, "product"), device, error) ||
		!sustained_read(json_member(root, "contraction"), device->efficiency,
			device->contraction_share, error))
		return false;
	if (attention && (!object_expect(attention, error) ||
				 !json_read(attention, attention_fields, COUNT(attention_fields), NULL,
					 &device->attention, error)))
		return false;
	return !link || (object_expect(link, error) &&
				json_read(link, link_fields, COUNT(link_fields), NULL, &device->link, error));
}

/* Shares of mixed formats are those of the format they compute in. */
static bool sustained_place(const char *key, size_t offset, struct place *place)
{
	static const struct {
		const char *key;
		enum paradl_precision precision[PLACES_MAX];
		unsigned count;
	} formats[] = {
		{"fp32", {PARADL_FP32}, 1},
		{"tf32", {PARADL_TF32}, 1},
		{"fp16", {PARADL_FP16, PARADL_FP16_MIXED}, 2},
		{"bf16", {PARADL_BF16, PARADL_BF16_MIXED}, 2},
		{"fp8", {PARADL_FP8_MIXED}, 1},
		{"mxfp8", {PARADL_MXFP8_MIXED}, 1},
		{"fp4", {PARADL_FP4_MIXED}, 1},
	};
	for (size_t i = 0; i < COUNT(formats); ++i) {
		if (strcmp(formats[i].key, key) != 0 ||
			!place_find(sustained_fields, COUNT(sustained_fields), 0, key, place))
			continue;
		place->count = formats[i].count;
		for (unsigned k = 0; k < place->count; ++k)
			place->offsets[k] = offset + (size_t)formats[i].precision[k] * sizeof(double);
		return true;
	}
	return false;
}

bool device_block_place(const char *name, struct place *place)
{
	static const struct {
		const char *block;
		const struct json_field *fields;
		size_t count, offset;
	} blocks[] = {
		{"contraction.half", half_fields, COUNT(half_fields), offsetof(struct device, half)},
		{"product.half", half_fields, COUNT(half_fields), offsetof(struct device, product.half)},
		{"product", product_fields, COUNT(product_fields), offsetof(struct device, product)},
		{"attention", attention_fields, COUNT(attention_fields), offsetof(struct device, attention)},
		{"link", link_fields, COUNT(link_fields), offsetof(struct device, link)},
	};
	const char *key = place_inside(name, "product.sustained");
	if (key)
		return sustained_place(key, offsetof(struct device, product.sustained), place);
	key = place_inside(name, "contraction.sustained");
	if (key)
		return sustained_place(key, offsetof(struct device, contraction_share), place);
	for (size_t i = 0; i < COUNT(blocks); ++i)
		if ((key = place_inside(name, blocks[i].block)))
			return place_find(blocks[i].fields, blocks[i].count, blocks[i].offset, key, place);
	return false;
}
