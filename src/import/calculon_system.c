/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Imports a system of Calculon as a machine with its device. Networks become levels, innermost first. Calculon's
 * rates are those of one processor. A network above the first gets that rate times the processors of a node, because
 * one call there uses the ports of all of them.
 */
#include <string.h>

#include "base/error.h"
#include "import/calculon.h"

enum { NETWORKS_MAX = 8, FORMATS = 4 };

static const char *const format_keys[FORMATS] = {"float32", "float16", "bfloat16", "float8"};
static const char *const native_names[FORMATS] = {"fp32", "fp16", "bf16", "fp8"};
enum { FLOAT32, FLOAT16, BFLOAT16, FLOAT8 };

struct unit_rates {
	double tflops; /* 0: no rate of this format */
	struct calculon_curve curve;
};

struct memory {
	double GiB, GBps, best; /* best: largest efficiency of its curve */
};

struct network {
	double bandwidth, efficiency, latency, processor_usage;
	unsigned size;
};

struct calculon_system {
	const char *name;
	struct unit_rates matrix[FORMATS];
	bool is_vector; /* the rate of fp32 is that of the vector unit */
	struct memory device, host;
	struct network networks[NETWORKS_MAX];
	unsigned network_count;
};

struct reading {
	struct importing *importing;
	struct calculon_system *system;
};

#define READ(member, least, most)                                                                            \
	{                                                                                                    \
		.key = #member, .type = JSON_TO_DOUBLE, .offset = offsetof(struct network, member),          \
		.min = (least), .max = (most)                                                                \
	}

static bool number_read(
	const struct json *object, const char *key, double least, double *value, struct paradl_error *error)
{
	const struct json_field field = {.key = key, .type = JSON_TO_DOUBLE, .min = least, .max = 1e12};
	const struct json *const node = json_member(object, key);
	if (!node)
		return json_error(object, error, "needs %s", key);
	return json_read_value(node, &field, value, error);
}

static bool rates_read(const struct json *node, struct unit_rates *rates, struct paradl_error *error)
{
	const struct json *const curve = json_member(node, "gflops_efficiency");
	if (!number_read(node, "tflops", 1e-6, &rates->tflops, error))
		return false;
	if (curve)
		return calculon_curve_read(curve, &rates->curve, error);
	rates->curve = (struct calculon_curve){.work = {0}, .efficiency = {1}, .count = 1};
	return true;
}

/*
 * Reads the rates of all formats. Where the matrix unit has none of fp32, a rate of the vector unit is taken,
 * whatever its format is, because a machine must state a rate of fp32.
 */
static bool processor_read(const struct reading *reading)
{
	struct calculon_system *const system = reading->system;
	struct importing *const importing = reading->importing;
	const struct json *const root = importing->source.root;
	const struct json *const matrix = json_member(root, "matrix"), *const vector =
									       json_member(root, "vector");
	bool any = false;
	for (unsigned i = 0; i < FORMATS; i++) {
		const struct json *const node = json_member(matrix, format_keys[i]);
		if (node && !rates_read(node, &system->matrix[i], importing->error))
			return false;
		any = any || node;
	}
	if (!any)
		return json_error(
			matrix, importing->error, "has no rate of float32, float16, bfloat16 or float8");
	if (system->matrix[FLOAT32].tflops > 0)
		return true;
	const struct json *node = vector ? json_member(vector, format_keys[FLOAT32]) : NULL;
	if (!node)
		node = vector ? vector->child : NULL;
	if (!node)
		return json_error(root, importing->error, "has no rate of float32, in matrix or vector");
	system->is_vector = true;
	warn(&importing->warnings, "no matrix rate of float32: that of the vector unit in %s is taken",
		node->key);
	return rates_read(node, &system->matrix[FLOAT32], importing->error);
}

static bool memory_read(const struct json *node, struct memory *memory, struct paradl_error *error)
{
	struct calculon_curve curve = {.efficiency = {1}, .count = 1};
	const struct json *const list = json_member(node, "MB_efficiency");
	if (!number_read(node, "GiB", 1e-6, &memory->GiB, error) ||
		!number_read(node, "GBps", 1e-6, &memory->GBps, error) ||
		(list && !calculon_curve_read(list, &curve, error)))
		return false;
	memory->best = calculon_curve_best(&curve);
	return true;
}

static bool network_read(const struct json *node, struct network *network, struct paradl_error *error)
{
	static const struct json_field fields[] = {READ(bandwidth, 1e-6, 1e9), READ(efficiency, 0.001, 1),
		READ(latency, 0, 1), READ(processor_usage, 0, 1)};
	static const struct json_field size = {.key = "size", .type = JSON_TO_UNSIGNED, .min = 1, .max = 1e9};
	*network = (struct network){.efficiency = 1};
	if (node->kind != JSON_OBJECT || !json_member(node, "size") || !json_member(node, "bandwidth"))
		return json_error(node, error, "a network has bandwidth, efficiency, size and latency");
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		const struct json *const member = json_member(node, fields[i].key);
		if (member && !json_read_value(member, &fields[i], network, error))
			return false;
	}
	return json_read_value(json_member(node, "size"), &size, &network->size, error);
}

/*
 * Reads the networks. A level consists of whole levels below it: a size is rounded down to a multiple of the size
 * below, and a network that joins no more processors than the one below is left out.
 */
static bool networks_read(const struct reading *reading)
{
	struct calculon_system *const system = reading->system;
	struct importing *const importing = reading->importing;
	const struct json *const list = json_member(importing->source.root, "networks");
	if (list->kind != JSON_ARRAY || list->count < 1 || list->count > NETWORKS_MAX)
		return json_error(
			list, importing->error, "must be an array of 1 to %d networks", NETWORKS_MAX);
	for (const struct json *node = list->child; node; node = node->next) {
		struct network *const network = &system->networks[system->network_count];
		const unsigned below = system->network_count ? network[-1].size : 1;
		if (!network_read(node, network, importing->error))
			return false;
		if (network->processor_usage > 0)
			warn_at(&importing->warnings, node,
				"processor_usage %g, the share of a processor that communication takes, is "
				"left out",
				network->processor_usage);
		if (system->network_count > 0 && network->size <= below) {
			warn_at(&importing->warnings, node,
				"joins no more than the network below it: left out");
			continue;
		}
		if (network->size % below != 0) {
			warn_at(&importing->warnings, node, "size %u is no multiple of %u: %u are taken",
				network->size, below, network->size - network->size % below);
			network->size -= network->size % below;
		}
		system->network_count++;
	}
	return true;
}

/* Returns whether a memory's capacity or rate is 0: files say so of processors without a second memory. */
static bool memory_is_none(const struct json *memory)
{
	static const char *const keys[] = {"GiB", "GBps"};
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const struct json *const node = json_member(memory, keys[i]);
		if (node && node->kind == JSON_NUMBER && !(node->number > 0) && !(node->number < 0))
			return true;
	}
	return false;
}

static bool system_read(struct importing *importing, struct calculon_system *system)
{
	const struct json *const root = importing->source.root;
	const struct json *const host = json_member(root, "mem2"), *const mode = json_member(
									   root, "processing_mode");
	const struct reading reading = {importing, system};
	*system = (struct calculon_system){.name = calculon_name(importing->arena, importing->source.path)};
	if (!system->name)
		return out_of_memory(importing->error);
	if (!processor_read(&reading) ||
		!memory_read(json_member(root, "mem1"), &system->device, importing->error) ||
		(host && !memory_is_none(host) && !memory_read(host, &system->host, importing->error)) ||
		!networks_read(&reading))
		return false;
	if (mode && mode->kind == JSON_STRING && strcmp(mode->string, "no_overlap") == 0)
		warn_at(&importing->warnings, mode,
			"\"no_overlap\": here a product takes the longer of computing and memory, not both");
	return true;
}

static void write_peaks(struct json_writer *writer, const struct calculon_system *system)
{
	json_begin_object(writer, "peak");
	for (unsigned i = 0; i < FORMATS; i++)
		if (system->matrix[i].tflops > 0)
			import_quantity(writer, native_names[i], system->matrix[i].tflops, " Tflop/s");
	if (!(system->matrix[BFLOAT16].tflops > 0) && system->matrix[FLOAT16].tflops > 0)
		import_quantity(writer, native_names[BFLOAT16], system->matrix[FLOAT16].tflops, " Tflop/s");
	json_end_object(writer);
}

/*
 * Returns the rates of the format that most of training runs in: the first that there is of fp16, bf16, fp8 and fp32.
 */
static const struct unit_rates *main_rates(const struct calculon_system *system)
{
	static const unsigned order[] = {FLOAT16, BFLOAT16, FLOAT8, FLOAT32};
	unsigned i = 0;
	while (!(system->matrix[order[i]].tflops > 0))
		i++;
	return &system->matrix[order[i]];
}

static void write_products(
	struct importing *importing, struct json_writer *writer, const struct calculon_system *system)
{
	const struct unit_rates *const rates = main_rates(system);
	double worst = 0;
	const double half = calculon_half_length(&rates->curve, &worst);
	json_begin_object(writer, "contraction");
	json_write_number(writer, "efficiency", calculon_curve_best(&rates->curve));
	json_end_object(writer);
	json_begin_object(writer, "product");
	json_begin_object(writer, "sustained");
	for (unsigned i = 0; i < FORMATS; i++)
		if (system->matrix[i].tflops > 0)
			json_write_number(
				writer, native_names[i], calculon_curve_best(&system->matrix[i].curve));
	json_end_object(writer);
	if (half > 0) {
		json_begin_object(writer, "half");
		json_write_number(writer, "m", half);
		json_write_number(writer, "n", half);
		json_write_number(writer, "k", half);
		json_end_object(writer);
		warn(&importing->warnings,
			"efficiencies of small operations become half-lengths of %.0f, with which those of "
			"cubes are off by at most %.0f %%",
			half, 100 * worst);
	}
	json_end_object(writer);
}

static void write_device_origins(struct json_writer *writer, const struct calculon_system *system)
{
	json_begin_object(writer, "from");
	json_write_text(writer, "memory", "datasheet: Calculon system, mem1.GiB");
	json_write_text(
		writer, "memory_rate", "datasheet: Calculon system, mem1: GBps x the best MB_efficiency");
	json_write_text(writer, "peak", "datasheet: Calculon system, matrix.*.tflops");
	if (system->is_vector)
		json_write_text(writer, "peak/fp32", "assumed: the vector unit's rate in Calculon's file");
	if (!(system->matrix[BFLOAT16].tflops > 0) && system->matrix[FLOAT16].tflops > 0)
		json_write_text(writer, "peak/bf16", "assumed: as float16");
	json_write_text(writer, "contraction", "derived: Calculon system, the best gflops_efficiency");
	json_write_text(writer, "product", "derived: Calculon system, gflops_efficiency");
	json_write_text(writer, "link", "datasheet: Calculon system, networks.0");
	if (system->host.GBps > 0)
		json_write_text(writer, "link/host_rate", "datasheet: Calculon system, mem2.GBps");
	json_end_object(writer);
}

static void write_device(
	struct importing *importing, struct json_writer *writer, const struct calculon_system *system)
{
	const struct network *const inner = &system->networks[0];
	json_begin_object(writer, "device");
	json_write_text(writer, "format", "paradl-device");
	json_write_number(writer, "version", 1);
	json_write_text(writer, "name", system->name);
	import_quantity(writer, "memory", system->device.GiB, " GiB");
	import_quantity(writer, "memory_rate", system->device.GBps * system->device.best, " GB/s");
	write_peaks(writer, system);
	write_products(importing, writer, system);
	json_begin_object(writer, "link");
	import_quantity(writer, "rate", inner->bandwidth, " GB/s");
	json_write_number(writer, "share", inner->efficiency < 0.01 ? 0.01 : inner->efficiency);
	json_write_number(writer, "devices", inner->size);
	import_quantity(writer, "latency", inner->latency, " s");
	if (system->host.GBps > 0)
		import_quantity(writer, "host_rate", system->host.GBps * system->host.best, " GB/s");
	json_end_object(writer);
	write_device_origins(writer, system);
	json_end_object(writer);
}

static void write_levels(struct json_writer *writer, const struct calculon_system *system)
{
	json_begin_array(writer, "levels");
	for (unsigned i = 0; i < system->network_count; i++) {
		char name[32];
		const struct network *const network = &system->networks[i];
		const double rate = network->bandwidth * (i > 0 ? system->networks[0].size : 1);
		(void)snprintf(name, sizeof name, "network %u", i);
		json_begin_object(writer, NULL);
		json_write_text(writer, "name", name);
		json_write_number(writer, "devices", network->size);
		import_quantity(writer, "latency", network->latency, " s");
		import_quantity(writer, "bandwidth", rate, " GB/s");
		import_quantity(writer, "ring", rate * network->efficiency, " GB/s");
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void write_origins(struct json_writer *writer, const struct calculon_system *system)
{
	json_begin_object(writer, "from");
	json_write_text(writer, "levels",
		"datasheet: Calculon system, networks: size, latency, bandwidth; ring with efficiency");
	for (unsigned i = 1; i < system->network_count; i++) {
		char path[32];
		(void)snprintf(path, sizeof path, "levels/%u/bandwidth", i);
		json_write_text(writer, path,
			"derived: Calculon system, bandwidth of a processor x processors of networks.0");
		(void)snprintf(path, sizeof path, "levels/%u/ring", i);
		json_write_text(writer, path, "derived: bandwidth x efficiency");
	}
	if (system->host.GiB > 0)
		json_write_text(writer, "host/memory",
			"derived: Calculon system, mem2.GiB x processors of networks.0");
	json_end_object(writer);
}

static void system_write(
	struct importing *importing, struct json_writer *writer, const struct calculon_system *system)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "format", "paradl-hw");
	json_write_number(writer, "version", 1);
	json_write_text(writer, "name", system->name);
	json_write_text(writer, "_source", import_file_name(importing->source.path));
	write_device(importing, writer, system);
	json_write_text(writer, "framework", "megatron-core");
	write_levels(writer, system);
	if (system->host.GiB > 0) {
		json_begin_object(writer, "host");
		import_quantity(writer, "memory", system->host.GiB * system->networks[0].size, " GiB");
		json_end_object(writer);
	}
	write_origins(writer, system);
	json_end_object(writer);
}

static bool knows(const struct import_source *source)
{
	const struct json *const root = source->root;
	return root && json_member(root, "matrix") && json_member(root, "mem1") &&
	       json_member(root, "networks");
}

static const char *read(struct importing *importing)
{
	struct import_writing writing;
	struct calculon_system *const system = arena_alloc(importing->arena, 1, sizeof *system);
	if (!system)
		return out_of_memory_null(importing->error);
	if (!system_read(importing, system) || !import_writing_begin(importing, &writing))
		return NULL;
	system_write(importing, &writing.writer, system);
	return import_writing_end(importing, &writing, true);
}

const struct importer importer_calculon_system = {
	.name = "calculon-system",
	.summary = "system of Calculon: processor, memories, networks",
	.becomes = "paradl-hw",
	.needs_json = true,
	.knows = knows,
	.read = read,
};
