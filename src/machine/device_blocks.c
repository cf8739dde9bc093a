/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads how fast kernels run from a device file: "peak", "product", "attention", "link", contraction's shares. */
#include "machine/blocks.h"

#include <stddef.h>
#include <string.h>

#include "machine/machine.h"

#define COUNT(array)      (sizeof(array) / sizeof *(array))
#define PRODUCT(member)   offsetof(struct device_product, member)
#define HALF(member)      offsetof(struct half_lengths, member)
#define LINK(member)      offsetof(struct device_link, member)
#define BOUNDARY(member)  offsetof(struct link_boundary, member)
#define GROUPED(member)   offsetof(struct device_grouped, member)
#define QUANTIZE(member)  offsetof(struct device_quantize, member)
#define ATTENTION(member) offsetof(struct device_attention, member)
#define TOKEN(member)     offsetof(struct device_token_attention, member)
#define NARROW(member)    offsetof(struct device_narrow_attention, member)

static const struct json_field product_fields[] = {
	{"units", JSON_TO_DOUBLE, false, PRODUCT(units), 1, 1e6, DIMENSION_NONE, NULL},
	{"half_tile", JSON_TO_DOUBLE, false, PRODUCT(half_tile), 0.01, 1, DIMENSION_NONE, NULL},
	{"wave", JSON_TO_QUANTITY, false, PRODUCT(wave_s), 0, 1, DIMENSION_TIME, NULL},
	{"split", JSON_TO_QUANTITY, false, PRODUCT(split_s), 0, 1, DIMENSION_TIME, NULL},
	{"memory_share", JSON_TO_DOUBLE, false, PRODUCT(memory_share), 0.01, 1.3, DIMENSION_NONE, NULL},
	{"exposed", JSON_TO_DOUBLE, false, PRODUCT(exposed), 0, 1, DIMENSION_NONE, NULL},
	{"launch", JSON_TO_QUANTITY, false, PRODUCT(launch_s), 0, 1, DIMENSION_TIME, NULL},
	{"wave_share", JSON_TO_DOUBLE, false, PRODUCT(wave_share), 0, 1, DIMENSION_NONE, NULL},
	{"cast_bytes", JSON_TO_QUANTITY, false, PRODUCT(cast_bytes), 0, 1000, DIMENSION_BYTES, NULL},
	{"narrow_weights", JSON_TO_QUANTITY, false, PRODUCT(narrow_weights_s), 0, 1, DIMENSION_TIME, NULL},
	{"unaligned", JSON_TO_DOUBLE, false, PRODUCT(unaligned), 1, 100, DIMENSION_NONE, NULL},
};
static const char *const product_keys[] = {
	"sustained", "throttled", "half", "half_tiles", "quantize", "grouped", NULL};
static const struct json_field grouped_fields[] = {
	{"rate", JSON_TO_DOUBLE, false, GROUPED(rate), 0.01, 2, DIMENSION_NONE, NULL},
	{"start", JSON_TO_QUANTITY, false, GROUPED(start_s), 0, 1, DIMENSION_TIME, NULL},
	{"copies", JSON_TO_DOUBLE, false, GROUPED(copies), 0, 100, DIMENSION_NONE, NULL},
	{"sort", JSON_TO_QUANTITY, false, GROUPED(sort_s), 0, 1, DIMENSION_TIME, NULL},
	{"choose", JSON_TO_QUANTITY, false, GROUPED(choose_s), 0, 1, DIMENSION_TIME, NULL},
};
static const struct json_field quantize_fields[] = {
	{"start", JSON_TO_QUANTITY, false, QUANTIZE(start_s), 0, 1, DIMENSION_TIME, NULL},
	{"bytes", JSON_TO_QUANTITY, false, QUANTIZE(bytes), 0, 1000, DIMENSION_BYTES, NULL},
};
static const struct narrow_format { /* format that inputs of products are cast to */
	const char *key;
	enum paradl_precision precision;
} narrow_formats[] = {
	{"fp8", PARADL_FP8_MIXED},
	{"mxfp8", PARADL_MXFP8_MIXED},
	{"fp4", PARADL_FP4_MIXED},
};

/* Numbers by number format, 0: not given. Mixed precisions compute in the format they are named after. */
struct formats {
	double fp32, tf32, fp16, bf16, fp8, mxfp8, fp4;
};
#define FORMAT(format, type, least, most, dimension)                                                         \
	{                                                                                                    \
#format, type, false, offsetof(struct formats, format), least, most, dimension, NULL         \
	}
#define FORMATS(...)                                                                                         \
	FORMAT(fp32, __VA_ARGS__), FORMAT(tf32, __VA_ARGS__), FORMAT(fp16, __VA_ARGS__),                     \
		FORMAT(bf16, __VA_ARGS__), FORMAT(fp8, __VA_ARGS__), FORMAT(mxfp8, __VA_ARGS__),             \
		FORMAT(fp4, __VA_ARGS__)
static const struct json_field peak_fields[] = {FORMATS(JSON_TO_QUANTITY, 1, 1e24, DIMENSION_FLOP_PER_S)},
			       share_fields[] = {FORMATS(JSON_TO_DOUBLE, 0.001, 1, DIMENSION_NONE)};

static const struct json_field half_fields[] = {
	{"m", JSON_TO_DOUBLE, false, HALF(m), 0, 1e6, DIMENSION_NONE, NULL},
	{"n", JSON_TO_DOUBLE, false, HALF(n), 0, 1e6, DIMENSION_NONE, NULL},
	{"k", JSON_TO_DOUBLE, false, HALF(k), 0, 1e6, DIMENSION_NONE, NULL},
};

static const struct json_field attention_fields[] = {
	{"forward", JSON_TO_DOUBLE, true, ATTENTION(forward), 0.001, 2, DIMENSION_NONE, NULL},
	{"backward", JSON_TO_DOUBLE, true, ATTENTION(backward), 0.001, 2, DIMENSION_NONE, NULL},
	{"portable", JSON_TO_DOUBLE, false, ATTENTION(portable), 0.001, 10, DIMENSION_NONE, NULL},
	{"narrow", JSON_TO_DOUBLE, false, ATTENTION(narrow), 0.1, 10, DIMENSION_NONE, NULL},
	{"narrow_cache", JSON_TO_DOUBLE, false, ATTENTION(narrow_cache), 0.1, 10, DIMENSION_NONE, NULL},
	{"narrow_other", JSON_TO_DOUBLE, false, ATTENTION(narrow_other), 0.1, 10, DIMENSION_NONE, NULL},
	{"narrow_block", JSON_TO_QUANTITY, false, ATTENTION(narrow_block_s), 0, 1, DIMENSION_TIME, NULL},
	{"tile", JSON_TO_DOUBLE, false, ATTENTION(tile), 1, 1024, DIMENSION_NONE, NULL},
	{"key_tile", JSON_TO_DOUBLE, false, ATTENTION(key_tile), 1, 1024, DIMENSION_NONE, NULL},
	{"block", JSON_TO_QUANTITY, false, ATTENTION(block_s), 0, 1, DIMENSION_TIME, NULL},
	{"softmax", JSON_TO_DOUBLE, false, ATTENTION(softmax_per_s), 1, 1e20, DIMENSION_NONE, NULL},
	{"start", JSON_TO_QUANTITY, false, ATTENTION(start_s), 0, 1, DIMENSION_TIME, NULL},
	{"copies", JSON_TO_DOUBLE, false, ATTENTION(copies), 0, 100, DIMENSION_NONE, NULL},
};

static const char *const attention_keys[] = {"token", NULL};
static const char *const token_keys[] = {"narrow", NULL};
static const struct json_field token_fields[] = {
	{"start", JSON_TO_QUANTITY, false, TOKEN(start_s), 0, 1, DIMENSION_TIME, NULL},
	{"block", JSON_TO_QUANTITY, false, TOKEN(block_s), 0, 1, DIMENSION_TIME, NULL},
	{"group", JSON_TO_QUANTITY, false, TOKEN(group_s), 0, 1, DIMENSION_TIME, NULL},
	{"single", JSON_TO_QUANTITY, false, TOKEN(single_s), 0, 1, DIMENSION_TIME, NULL},
	{"rate", JSON_TO_QUANTITY, true, TOKEN(bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"wide_rate", JSON_TO_QUANTITY, false, TOKEN(wide_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"split", JSON_TO_QUANTITY, false, TOKEN(split_s), 0, 1, DIMENSION_TIME, NULL},
	{"split_keys", JSON_TO_DOUBLE, false, TOKEN(split_keys), 1, 1e9, DIMENSION_NONE, NULL},
	{"exposed", JSON_TO_DOUBLE, false, TOKEN(exposed), 0, 1, DIMENSION_NONE, NULL},
};
static const struct json_field narrow_fields[] = {
	{"block", JSON_TO_QUANTITY, false, NARROW(block_s), 0, 1, DIMENSION_TIME, NULL},
	{"single", JSON_TO_QUANTITY, false, NARROW(single_s), 0, 1, DIMENSION_TIME, NULL},
	{"wide_rate", JSON_TO_QUANTITY, false, NARROW(wide_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S,
		NULL},
	{"whole", JSON_TO_DOUBLE, false, NARROW(whole), 0, 1, DIMENSION_NONE, NULL},
};

static const struct json_field link_fields[] = {
	{"rate", JSON_TO_QUANTITY, true, LINK(bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"share", JSON_TO_DOUBLE, false, LINK(share), 0.01, 1, DIMENSION_NONE, NULL},
	{"start", JSON_TO_QUANTITY, false, LINK(start_s), 0, 1, DIMENSION_TIME, NULL},
	{"start_log", JSON_TO_QUANTITY, false, LINK(start_log_s), 0, 1, DIMENSION_TIME, NULL},
	{"own", JSON_TO_DOUBLE, false, LINK(own), 0, 10, DIMENSION_NONE, NULL},
	{"ramp", JSON_TO_QUANTITY, false, LINK(ramp_s), 0, 1, DIMENSION_TIME, NULL},
	{"dispatch_start", JSON_TO_QUANTITY, false, LINK(dispatch_start_s), 0, 1, DIMENSION_TIME, NULL},
	{"dispatch_rate", JSON_TO_QUANTITY, false, LINK(dispatch_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S,
		NULL},
	{"library", JSON_TO_TEXT, false, LINK(library), 0, 0, DIMENSION_NONE, NULL},
	{"devices", JSON_TO_UNSIGNED, false, LINK(devices), 1, 1e9, DIMENSION_NONE, NULL},
	{"latency", JSON_TO_QUANTITY, false, LINK(latency_s), 0, 1, DIMENSION_TIME, NULL},
	{"cycle", JSON_TO_QUANTITY, false, LINK(cycle_s), 0, 1e-3, DIMENSION_TIME, NULL},
	{"host_rate", JSON_TO_QUANTITY, false, LINK(host_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
};
static const char *const link_keys[] = {"beyond_switch", "beyond_socket", NULL};
static const struct json_field boundary_fields[] = {
	{"devices", JSON_TO_DOUBLE, true, BOUNDARY(devices), 1, 1e9, DIMENSION_NONE, NULL},
	{"share", JSON_TO_DOUBLE, true, BOUNDARY(share), 0.001, 1, DIMENSION_NONE, NULL},
};

bool device_block_read(const struct json *node, const struct json_field *fields, size_t count,
	const char *const *keys, void *into, struct paradl_error *error)
{
	if (node && node->kind != JSON_OBJECT)
		return json_error(node, error, "must be an object");
	return !node || json_read(node, fields, count, keys, into, error);
}

static double first_of(double a, double b, double otherwise)
{
	return a > 0 ? a : b > 0 ? b : otherwise;
}

static void shares_fill(const struct formats *given, double otherwise, double *shares)
{
	shares[PARADL_FP32] = first_of(given->fp32, 0, otherwise);
	shares[PARADL_TF32] = first_of(given->tf32, first_of(given->fp16, given->bf16, 0), otherwise);
	shares[PARADL_FP16] = shares[PARADL_FP16_MIXED] = first_of(given->fp16, given->bf16, otherwise);
	shares[PARADL_BF16] = shares[PARADL_BF16_MIXED] = first_of(given->bf16, given->fp16, otherwise);
	shares[PARADL_FP8_MIXED] = first_of(given->fp8, given->mxfp8, shares[PARADL_BF16]);
	shares[PARADL_MXFP8_MIXED] = first_of(given->mxfp8, given->fp8, shares[PARADL_BF16]);
	shares[PARADL_FP4_MIXED] = first_of(given->fp4, given->mxfp8, shares[PARADL_FP8_MIXED]);
}

bool device_shares_read(const struct json *block, const char *key, double otherwise, double *shares,
	struct paradl_error *error)
{
	struct formats formats = {0};
	const struct json *node = block ? json_member(block, key) : NULL;
	if (!device_block_read(node, share_fields, COUNT(share_fields), NULL, &formats, error))
		return false;
	shares_fill(&formats, otherwise, shares);
	return true;
}

static bool half_lengths_read(const struct json *block, struct half_lengths *half, struct paradl_error *error)
{
	return device_block_read(block ? json_member(block, "half") : NULL, half_fields, COUNT(half_fields),
		NULL, half, error);
}

/* Reads "quantize" of a product block. Numbers that it lacks for a format are those of a cast alone. */
static bool quantize_read(
	const struct json *block, struct device_product *product, struct paradl_error *error)
{
	const struct json *node = block ? json_member(block, "quantize") : NULL;
	if (node && node->kind != JSON_OBJECT)
		return json_error(node, error, "must be an object");
	for (const struct json *child = node ? node->child : NULL; child; child = child->next) {
		bool is_narrow = false;
		for (size_t i = 0; i < COUNT(narrow_formats); ++i)
			is_narrow |= strcmp(child->key, narrow_formats[i].key) == 0;
		if (!is_narrow)
			return json_error(child, error, "is none of the formats fp8, mxfp8, fp4");
	}
	for (size_t i = 0; i < COUNT(narrow_formats); ++i) {
		struct device_quantize *quantize = &product->quantize[narrow_formats[i].precision];
		*quantize = (struct device_quantize){.bytes = product->cast_bytes};
		if (!device_block_read(node ? json_member(node, narrow_formats[i].key) : NULL,
			    quantize_fields, COUNT(quantize_fields), NULL, quantize, error))
			return false;
	}
	return true;
}

/* Reads "half_tiles", rates of small tiles by number format. Rates that it lacks stay 0. */
static bool half_tiles_read(
	const struct json *node, struct device_product *product, struct paradl_error *error)
{
	struct formats given = {0};
	if (!device_block_read(node ? json_member(node, "half_tiles") : NULL, share_fields,
		    COUNT(share_fields), NULL, &given, error))
		return false;
	const double own[PARADL_PRECISION_COUNT] = {[PARADL_FP32] = given.fp32,
		[PARADL_TF32] = given.tf32,
		[PARADL_FP16] = given.fp16,
		[PARADL_BF16] = given.bf16,
		[PARADL_FP16_MIXED] = given.fp16,
		[PARADL_BF16_MIXED] = given.bf16,
		[PARADL_FP8_MIXED] = given.fp8,
		[PARADL_MXFP8_MIXED] = given.mxfp8,
		[PARADL_FP4_MIXED] = given.fp4};
	memcpy(product->half_tiles, own, sizeof own);
	return true;
}

static bool product_read(const struct json *node, struct device *device, struct paradl_error *error)
{
	return device_block_read(
		       node, product_fields, COUNT(product_fields), product_keys, &device->product, error) &&
	       device_shares_read(node, "sustained", device->efficiency, device->product.sustained, error) &&
	       device_shares_read(node, "throttled", 1, device->product.throttled, error) &&
	       half_lengths_read(node, &device->product.half, error) &&
	       half_tiles_read(node, &device->product, error) &&
	       device_block_read(node ? json_member(node, "grouped") : NULL, grouped_fields,
		       COUNT(grouped_fields), NULL, &device->product.grouped, error) &&
	       quantize_read(node, &device->product, error);
}

static bool attention_read(
	const struct json *node, struct device_attention *attention, struct paradl_error *error)
{
	const struct json *token = node && node->kind == JSON_OBJECT ? json_member(node, "token") : NULL;
	const double usual_split_keys = 256;
	if (!device_block_read(
		    node, attention_fields, COUNT(attention_fields), attention_keys, attention, error) ||
		!device_block_read(
			token, token_fields, COUNT(token_fields), token_keys, &attention->token, error))
		return false;
	attention->token.wide_bytes_per_s =
		first_of(attention->token.wide_bytes_per_s, 0, attention->token.bytes_per_s);
	attention->token.split_keys = first_of(attention->token.split_keys, 0, usual_split_keys);
	attention->token.narrow = (struct device_narrow_attention){.block_s = attention->token.block_s,
		.single_s = attention->token.single_s,
		.wide_bytes_per_s = attention->token.wide_bytes_per_s};
	return device_block_read(token && token->kind == JSON_OBJECT ? json_member(token, "narrow") : NULL,
		narrow_fields, COUNT(narrow_fields), NULL, &attention->token.narrow, error);
}

static bool link_read(const struct json *node, struct device_link *link, struct paradl_error *error)
{
	const struct json *host = node ? json_member(node, "beyond_switch") : NULL,
			  *socket = node ? json_member(node, "beyond_socket") : NULL;
	if (!device_block_read(node, link_fields, COUNT(link_fields), link_keys, link, error) ||
		!device_block_read(
			host, boundary_fields, COUNT(boundary_fields), NULL, &link->beyond_switch, error) ||
		!device_block_read(
			socket, boundary_fields, COUNT(boundary_fields), NULL, &link->beyond_socket, error))
		return false;
	if (host && socket && !(link->beyond_socket.devices > link->beyond_switch.devices))
		return json_error(json_member(socket, "devices"), error,
			"must be more than those of \"beyond_switch\"");
	if (link->library && strcmp(link->library, "nccl") != 0)
		return json_error(json_member(node, "library"), error, "must be \"nccl\"");
	return true;
}

bool device_blocks_read(const struct json *root, struct device *device, struct paradl_error *error)
{
	const struct json *attention = json_member(root, "attention"), *link = json_member(root, "link");
	const struct json *contraction = json_member(root, "contraction");
	device->product = (struct device_product){.half_tile = 0.92,
		.memory_share = 1,
		.launch_s = device->launch_s,
		.wave_share = 1,
		.unaligned = 1,
		.grouped = {.rate = 1}};
	device->attention = (struct device_attention){.forward = 0.65, .backward = 0.35, .key_tile = 128};
	device->attention.token.exposed = 1;
	device->link = (struct device_link){.share = 0.8};
	return half_lengths_read(contraction, &device->half, error) &&
	       product_read(json_member(root, "product"), device, error) &&
	       device_shares_read(
		       contraction, "sustained", device->efficiency, device->contraction_share, error) &&
	       attention_read(attention, &device->attention, error) &&
	       device_convolution_read(json_member(root, "convolution"), device, error) &&
	       link_read(link, &device->link, error);
}

bool device_peak_read(const struct json *node, struct device *device, struct paradl_error *error)
{
	struct formats peak = {0};
	if (!json_read(node, peak_fields, COUNT(peak_fields), NULL, &peak, error))
		return false;
	if (!(peak.fp32 > 0))
		return json_error(node, error, "needs an \"fp32\" rate, such as \"15.7 Tflop/s\"");
	double *rate = device->peak_flop_per_s;
	rate[PARADL_FP32] = peak.fp32;
	rate[PARADL_TF32] = peak.tf32;
	rate[PARADL_FP16] = rate[PARADL_FP16_MIXED] = peak.fp16;
	rate[PARADL_BF16] = rate[PARADL_BF16_MIXED] = peak.bf16;
	rate[PARADL_FP8_MIXED] = peak.fp8;
	rate[PARADL_MXFP8_MIXED] = peak.mxfp8 > 0 ? peak.mxfp8 : peak.fp8;
	rate[PARADL_FP4_MIXED] = peak.fp4;
	return true;
}

/* Finds a share by its number format. Shares of mixed formats are those of the format they compute in. */
static bool share_place(const char *key, size_t offset, struct place *place)
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
			!place_find(share_fields, COUNT(share_fields), 0, key, place))
			continue;
		place->count = formats[i].count;
		for (unsigned k = 0; k < place->count; ++k)
			place->offsets[k] = offset + (size_t)formats[i].precision[k] * sizeof(double);
		return true;
	}
	return false;
}

static bool quantize_place(const char *key, struct place *place)
{
	for (size_t i = 0; i < COUNT(narrow_formats); ++i) {
		const char *inside = place_inside(key, narrow_formats[i].key);
		const size_t offset = offsetof(struct device, product.quantize) +
				      (size_t)narrow_formats[i].precision * sizeof(struct device_quantize);
		if (inside)
			return place_find(quantize_fields, COUNT(quantize_fields), offset, inside, place);
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
		{"product.grouped", grouped_fields, COUNT(grouped_fields),
			offsetof(struct device, product.grouped)},
		{"product.half", half_fields, COUNT(half_fields), offsetof(struct device, product.half)},
		{"product", product_fields, COUNT(product_fields), offsetof(struct device, product)},
		{"attention.token.narrow", narrow_fields, COUNT(narrow_fields),
			offsetof(struct device, attention.token.narrow)},
		{"attention.token", token_fields, COUNT(token_fields),
			offsetof(struct device, attention.token)},
		{"attention", attention_fields, COUNT(attention_fields), offsetof(struct device, attention)},
		{"link.beyond_switch", boundary_fields, COUNT(boundary_fields),
			offsetof(struct device, link.beyond_switch)},
		{"link.beyond_socket", boundary_fields, COUNT(boundary_fields),
			offsetof(struct device, link.beyond_socket)},
		{"link", link_fields, COUNT(link_fields), offsetof(struct device, link)},
	};
	static const struct {
		const char *block;
		size_t offset;
	} shares[] = {
		{"product.sustained", offsetof(struct device, product.sustained)},
		{"product.throttled", offsetof(struct device, product.throttled)},
		{"product.half_tiles", offsetof(struct device, product.half_tiles)},
		{"contraction.sustained", offsetof(struct device, contraction_share)},
		{"convolution.sustained", offsetof(struct device, convolution.sustained)},
	};
	const char *key;
	for (size_t i = 0; i < COUNT(shares); ++i)
		if ((key = place_inside(name, shares[i].block)))
			return share_place(key, shares[i].offset, place);
	key = place_inside(name, "convolution");
	if (key)
		return device_convolution_place(key, place);
	key = place_inside(name, "product.quantize");
	if (key)
		return quantize_place(key, place);
	for (size_t i = 0; i < COUNT(blocks); ++i)
		if ((key = place_inside(name, blocks[i].block)))
			return place_find(blocks[i].fields, blocks[i].count, blocks[i].offset, key, place);
	return false;
}
