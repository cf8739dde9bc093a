/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a file of any format of paradl, which its "format" names, and files that can be imported. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/names.h"
#include "base/quantity.h"
#include "fit/calibration.h"
#include "import/importer.h"
#include "machine/format.h"
#include "machine/machine.h"
#include "model/layer_times_read.h"
#include "model/model.h"
#include "network/cost/measured_curves.h"
#include "network/machine_network.h"
#include "plan/plan_text.h"

/* ---- samples ---- */

enum { TWICE_SHOWN = 5, FEW_LAUNCHES = 4 };

/* The points to check, by launch, name and line, and the warnings about them. */
struct lint {
	const struct sample_point **points;
	size_t count;
	struct warnings *warnings;
};

/* Warns about points that a launch has twice, since they would count twice. */
static void check_twice(const struct lint *lint)
{
	unsigned shown = 0;
	for (size_t i = 0; i + 1 < lint->count && shown < TWICE_SHOWN; i++) {
		const struct sample_point *const a = lint->points[i], *const b = lint->points[i + 1];
		if (a->failed || !sample_is_repeated(lint->points, lint->count, i))
			continue;
		warn(lint->warnings, "line %d: launch %s has %s on line %d already", b->line, b->launch->id,
			b->name, a->line);
		shown++;
	}
}

/* Warns about points that failed and were not measured again after that, and about those that were. */
static void check_failed(const struct lint *lint)
{
	const struct sample_point *first = NULL, *first_again = NULL;
	size_t failed = 0, again = 0;
	for (size_t i = 0; i < lint->count; i++) {
		const struct sample_point *const point = lint->points[i];
		if (!point->failed)
			continue;
		const bool repeated = sample_is_repeated(lint->points, lint->count, i);
		const struct sample_point **const least = repeated ? &first_again : &first;
		if (!*least || point->line < (*least)->line)
			*least = point;
		again += repeated;
		failed += !repeated;
	}
	if (first)
		warn(lint->warnings, "line %d: %s failed: %s (%zu of %zu points did)", first->line,
			first->name, first->failed, failed, lint->count - again);
	if (first_again)
		warn(lint->warnings, "line %d: %s was measured again, after: %s (%zu of %zu points were)",
			first_again->line, first_again->name, first_again->failed, again,
			lint->count - again);
}

static void check_launches(const struct sample_set *set, struct warnings *warnings)
{
	for (size_t i = 0; i < set->launch_count; i++) {
		const struct sample_launch *const launch = set->launches[i];
		unsigned same = 0;
		bool is_first = true;
		for (size_t j = 0; j < set->launch_count; j++) {
			const bool is_same = strcmp(set->launches[j]->program, launch->program) == 0;
			same += is_same;
			is_first = is_first && !(is_same && j < i);
		}
		if (is_first && same < FEW_LAUNCHES)
			warn(warnings, "%s: %u launch%s: fitted numbers will have ranges, no intervals",
				launch->program, same, same == 1 ? "" : "es");
	}
}

static bool samples_check(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct paradl_findings *findings, struct paradl_error *error)
{
	struct warnings warnings = {.arena = arena};
	struct sample_set set = {0};
	if (!reader_samples.read(arena, text, length, path, &set, error))
		return false;
	const struct lint lint = {samples_by_name(arena, &set), set.count, &warnings};
	if (!lint.points)
		return out_of_memory(error);
	check_launches(&set, &warnings);
	check_failed(&lint);
	check_twice(&lint);
	if (set.torn > 0)
		warn(&warnings, "the last line has no end: a program was killed; it is passed over");
	return warnings_finish(&warnings, "paradl-samples", findings, error);
}

/* Warns about levels between nodes whose ports carry less than one port of the network does, or more than all do. */
static bool levels_compare(struct paradl_arena *arena, const struct paradl_machine *machine,
	struct paradl_findings *findings, struct paradl_error *error)
{
	static const double rounding = 0.01, giga = 1e9;
	const struct machine_network *rules = machine->network;
	const double port = rules->links[LINK_PORT].bytes_per_s, all = port * rules->rails.ports;
	for (unsigned l = 1; rules->node && port > 0 && l < machine->level_count; ++l) {
		const struct level *level = &machine->levels[l];
		const double own = level->bandwidth_bytes_per_s * level->ports;
		if (own > port * (1 - rounding) && own < all * (1 + rounding))
			continue;
		const char *warning = arena_printf(arena,
			"/levels/%u: a node has %.4g GB/s, but its %u ports in /network have %.4g GB/s each: "
			"one of them is wrong",
			l, own / giga, rules->rails.ports, port / giga);
		if (!warning || !finding_add(arena, findings, warning))
			return out_of_memory(error);
	}
	return true;
}

/* Warns about curves for numbers of nodes that are slower than the curves for fewer and for more nodes. */
static bool curves_compare(struct paradl_arena *arena, const struct paradl_machine *machine,
	struct paradl_findings *findings, struct paradl_error *error)
{
	for (unsigned i = 0; i < machine->curve_count; ++i) {
		const struct measured_curve *curve = &machine->curves[i];
		struct measured_slow slow;
		char bytes[64];
		if (!measured_slow(machine, i, &slow))
			continue;
		quantity_format(bytes, sizeof bytes, slow.bytes, DIMENSION_BYTES);
		const char *warning = arena_printf(arena,
			"/curves/%u: %u nodes take up to %.1f times what the other counts say (%s), at %u of "
			"%u "
			"large sizes; no other times are made of these",
			i, curve->nodes, slow.times, bytes, slow.slow_sizes, slow.sizes);
		if (!warning || !finding_add(arena, findings, warning))
			return out_of_memory(error);
	}
	return true;
}

/* Notes which numbers of a machine and of its device are assumed without a source. */
static bool note_guesses(
	struct paradl_arena *arena, const struct paradl_machine *machine, struct paradl_findings *findings)
{
	const unsigned own = machine->assumed_count, all = own + machine->device_assumed_count;
	const char *names = "";
	for (unsigned i = 0; names && i < all; i++)
		names = arena_printf(arena, "%s%s%s%s", names, i > 0 ? ", " : "",
			i == own ? "of its device " : "",
			i < own ? machine->assumed[i] : machine->device_assumed[i - own]);
	findings->note =
		all > 0 && names
			? arena_printf(arena, "%u number%s guessed%s: %s", all, all == 1 ? " is" : "s are",
				  all > own ? " (of a device, convolution and contraction count for images "
					      "alone, product and attention for tokens)"
					    : "",
				  names)
			: NULL;
	return all == 0 || findings->note;
}

/* Warns about programs that the machine names and that cannot be read. */
static bool programs_look(
	struct paradl_arena *arena, const struct paradl_machine *machine, struct paradl_findings *findings)
{
	const struct machine_programs *const programs = &machine->programs;
	const char *const names[] = {programs->tokens, programs->serving, programs->other};
	for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
		struct paradl_error error;
		bool is_known = false;
		for (unsigned j = 0; j < i; ++j)
			is_known = is_known || strcmp(names[j], names[i]) == 0;
		const char *const path =
			beside_or_shipped(arena, machine->path, "frameworks", names[i], machine->directories);
		if (!path)
			return false;
		if (is_known || paradl_framework_load(arena, &(struct paradl_source){.path = path}, &error))
			continue;
		if (!finding_add(arena, findings,
			    arena_printf(arena, "/framework: %s: %s; questions need --framework", path,
				    error.message)))
			return false;
	}
	return true;
}

/* Checks what a machine takes from other files: its device and its programs. */
static bool machine_files_check(struct paradl_arena *arena, const struct json *root,
	const struct paradl_source *source, struct paradl_findings *findings, struct paradl_error *error)
{
	const struct paradl_machine *const machine =
		machine_build(arena, root, source->directories, NULL, error);
	if (!machine)
		return false;
	return (note_guesses(arena, machine, findings) && programs_look(arena, machine, findings)) ||
	       out_of_memory(error);
}

/* Checks a machine and builds its network, since the reader of machines takes topologies as text only. */
static bool machine_and_network_check(struct paradl_arena *arena, const struct json *root,
	struct paradl_findings *findings, struct paradl_error *error)
{
	struct paradl_machine machine;
	struct paradl_error reason = {.status = PARADL_OK};
	if (!machine_check(arena, root, findings, error) || !machine_read(arena, root, &machine, error) ||
		!curves_compare(arena, &machine, findings, error))
		return false;
	if (!machine.network)
		return true;
	if (network_create(arena, &machine, &reason))
		return levels_compare(arena, &machine, findings, error);
	*error = reason;
	return false;
}

static bool dataset_check(struct paradl_arena *arena, const struct json *root,
	struct paradl_findings *findings, struct paradl_error *error)
{
	struct dataset dataset;
	return dataset_file_read(root, 1, &dataset, error) && origins_check(arena, root, findings, error);
}

/* The formats of JSON files, and the functions that check them. */
static const struct format {
	const char *name;
	bool (*check)(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
		struct paradl_error *error);
	/* Checks what it takes from other files; NULL: nothing. */
	bool (*check_files)(struct paradl_arena *arena, const struct json *root,
		const struct paradl_source *source, struct paradl_findings *findings,
		struct paradl_error *error);
} formats[] = {
	{"paradl-model", model_check, NULL},
	{"paradl-dataset", dataset_check, NULL},
	{"paradl-hw", machine_and_network_check, machine_files_check},
	{"paradl-device", device_check, NULL},
	{"paradl-framework", framework_check, NULL},
	{"paradl-profile", measured_layers_check, NULL},
	{"paradl-plan", layered_check, NULL},
	{"paradl-clients", clients_check, NULL},
};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };
enum { SIZE_LIMIT = 1 << 30, LEAST_BYTES = 16 };

#define KNOWN_FORMATS                                                                                        \
	"paradl-model, paradl-dataset, paradl-hw, paradl-device, paradl-framework, paradl-profile, "         \
	"paradl-plan, paradl-clients and paradl-samples"

static bool unknown_format(const struct json *node, struct paradl_error *error)
{
	const char *names[FORMAT_COUNT];
	char quoted[80];
	for (size_t i = 0; i < FORMAT_COUNT; ++i)
		names[i] = formats[i].name;
	const char *near = suggest(node->string, names, FORMAT_COUNT);
	error_quote(quoted, sizeof quoted, node->string);
	if (near)
		json_error(node, error, "unknown format %s; did you mean \"%s\"?", quoted, near);
	else
		json_error(node, error, "unknown format %s", quoted);
	error_hint(error, "the formats are " KNOWN_FORMATS);
	return false;
}

static bool document_check(struct paradl_arena *arena, const struct json *root,
	const struct paradl_source *source, struct paradl_findings *findings, struct paradl_error *error)
{
	const struct json *node = json_member(root, "format");
	if (root->kind != JSON_OBJECT || !node || node->kind != JSON_STRING) {
		json_error(node ? node : root, error,
			root->kind == JSON_OBJECT ? "needs \"format\", which says what the file is"
						  : "must be an object with a \"format\"");
		error_hint(error, "the formats are " KNOWN_FORMATS);
		return false;
	}
	for (size_t i = 0; i < FORMAT_COUNT; ++i)
		if (strcmp(formats[i].name, node->string) == 0) {
			findings->format = formats[i].name;
			return formats[i].check(arena, root, findings, error) &&
			       (!formats[i].check_files ||
				       formats[i].check_files(arena, root, source, findings, error));
		}
	return unknown_format(node, error);
}

/* Joins the warnings of an import with those found in the imported text. */
static bool join(struct paradl_arena *arena, const struct paradl_findings *imported,
	struct paradl_findings *findings, struct paradl_error *error)
{
	const char **const all = arena_alloc(arena, imported->count + findings->count + 1, sizeof *all);
	if (!all)
		return out_of_memory(error);
	for (size_t i = 0; i < imported->count; ++i)
		all[i] = imported->warnings[i];
	for (size_t i = 0; i < findings->count; ++i)
		all[imported->count + i] = findings->warnings[i];
	findings->warnings = all;
	findings->count += imported->count;
	return true;
}

static bool imported_check(struct paradl_arena *arena, const struct import_source *opened,
	const struct importer *importer, const struct paradl_source *source, struct paradl_findings *findings,
	struct paradl_error *error)
{
	static const struct paradl_import_options none = {.from = NULL};
	struct paradl_findings imported;
	const char *const text = import_convert(arena, opened, importer, &none, &imported, error);
	const struct json *const root =
		text ? json_parse(arena, text, strlen(text), source->path, error) : NULL;
	return root && document_check(arena, root, source, findings, error) &&
	       join(arena, &imported, findings, error);
}

static bool lines_check(struct paradl_arena *arena, const struct import_source *source,
	struct paradl_findings *findings, struct paradl_error *error)
{
	size_t length = source->head.length;
	const char *const text = source->head.is_whole
					 ? source->head.text
					 : file_read(arena, source->path, SIZE_LIMIT, &length, error);
	const bool fine = text && samples_check(arena, text, length, source->path, findings, error);
	findings->format = "paradl-samples";
	return fine;
}

/* Returns the member or item of a node with so much of a name or index; NULL: there is none. */
static const struct json *child_at(const struct json *node, const char *name, size_t bytes)
{
	char place[16];
	const struct json *child = node->child;
	for (; child; child = child->next) {
		snprintf(place, sizeof place, "%u", child->index);
		const char *const key = child->key ? child->key : place;
		if (strlen(key) == bytes && strncmp(key, name, bytes) == 0)
			break;
	}
	return child;
}

/* Returns the node that a pointer such as "/levels/0/ring" leads to; NULL: there is none. */
static const struct json *node_at(const struct json *node, const char *pointer, size_t length)
{
	while (node && length > 0) {
		const size_t bytes = strcspn(pointer + 1, "/:");
		node = child_at(node, pointer + 1, bytes);
		pointer += bytes + 1;
		length -= bytes + 1;
	}
	return node;
}

/* Puts the line before findings that say which value they are about. */
static bool lines_add(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings)
{
	const char **const texts = arena_alloc(arena, findings->count + 1, sizeof *texts);
	for (size_t i = 0; texts && i < findings->count; i++) {
		const char *const text = findings->warnings[i];
		const struct json *const node =
			text[0] == '/' ? node_at(root, text, strcspn(text, ":")) : NULL;
		struct paradl_error place = {.line = 0};
		if (node)
			json_error(node, &place, "%s", text);
		texts[i] = place.line > 0 ? arena_printf(arena, "line %d: %s", place.line, text) : text;
		if (!texts[i])
			return false;
	}
	if (texts)
		findings->warnings = texts;
	return texts;
}

bool paradl_check(struct paradl_arena *arena, const struct paradl_source *source,
	struct paradl_findings *findings, struct paradl_error *error)
{
	struct import_source opened;
	*findings = (struct paradl_findings){0};
	if (!import_open(arena, source->path, &opened, error))
		return false;
	if (opened.head.length >= LEAST_BYTES && reader_samples.knows(opened.head.text, opened.head.length))
		return lines_check(arena, &opened, findings, error);
	if (!import_parse(arena, &opened, error))
		return false;
	const struct importer *const importer = import_recognise(&opened);
	if (importer)
		return imported_check(arena, &opened, importer, source, findings, error);
	const struct json *const root = import_native(arena, &opened, error);
	return root && document_check(arena, root, source, findings, error) &&
	       (lines_add(arena, root, findings) || out_of_memory(error));
}
