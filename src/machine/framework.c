/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads hw-profiles/frameworks/NAME.json; see paradl-framework(5). */
#include "machine/framework.h"

#include <stddef.h>
#include <string.h>

#include "base/changes.h"
#include "base/error.h"
#include "base/source.h"
#include "machine/format.h"
#include "machine/machine.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AT(member)   offsetof(struct paradl_framework, member)
static const struct json_field top_fields[] = {
	{"name", JSON_TO_TEXT, true, AT(name), 0, 0, DIMENSION_NONE, NULL},
	{"summary", JSON_TO_TEXT, true, AT(summary), 0, 0, DIMENSION_NONE, NULL},
	{"family", JSON_TO_TEXT, false, AT(family), 0, 0, DIMENSION_NONE, NULL},
	{"steps", JSON_TO_TEXT, false, AT(steps), 0, 0, DIMENSION_NONE, NULL},
	{"known_error", JSON_TO_DOUBLE, false, AT(known_error), 0, 1, DIMENSION_NONE, NULL},
	{"known_error_experts", JSON_TO_DOUBLE, false, AT(known_error_experts), 0, 1, DIMENSION_NONE, NULL},
	{"known_error_first", JSON_TO_DOUBLE, false, AT(known_error_first), 0, 1, DIMENSION_NONE, NULL},
	{"serves", JSON_TO_BOOL, false, AT(serves), 0, 0, DIMENSION_NONE, NULL},
	{"measured_curves", JSON_TO_BOOL, false, AT(measured_curves), 0, 0, DIMENSION_NONE, NULL},
};
static const char *const top_keys[] = {"format", "version", "extends", "split", "rules", "checked", "offers",
	"options", "uses", "algorithms", "quirks", "assumptions", "from", "execution", "gradients",
	"activations", "messages", "waiting", "pipeline", "memory", "training", NULL};

static double segment_s(const struct message_segment *segment, double bytes)
{
	return segment->latency_s + bytes / segment->bytes_per_s;
}

/* Refuses a segment that begins below where the one before it ends: a message could be faster for being longer. */
static bool segment_rises(
	const struct json *node, const struct message_segment *segment, struct paradl_error *error)
{
	const double bytes = segment[-1].upto_bytes;
	const double before_s = segment_s(&segment[-1], bytes), here_s = segment_s(segment, bytes);
	return here_s >= before_s * (1 - 1e-9) || json_error(node, error,
							  "messages of more than %.9g bytes would take less "
							  "time (%.4g s) than those of up to so many "
							  "(%.4g s): times must not fall with bytes; a slow "
							  "range is a longer \"latency\" from there on",
							  bytes, here_s, before_s);
}

bool segments_read(const struct json *node, struct rules *rules, struct paradl_error *error)
{
#define SEGMENT(member) offsetof(struct message_segment, member)
	static const struct json_field fields[] = {
		{"up_to", JSON_TO_QUANTITY, false, SEGMENT(upto_bytes), 1, 1e15, DIMENSION_BYTES, NULL},
		{"latency", JSON_TO_QUANTITY, true, SEGMENT(latency_s), 0, 10, DIMENSION_TIME, NULL},
		{"bandwidth", JSON_TO_QUANTITY, true, SEGMENT(bytes_per_s), 1, 1e15, DIMENSION_BYTES_PER_S,
			NULL},
	};
	if (node->kind != JSON_ARRAY || node->count < 1 || node->count > SEGMENTS_MAX)
		return json_error(node, error, "must be a list of 1 to %d segments", SEGMENTS_MAX);
	rules->segment_count = 0;
	for (const struct json *child = node->child; child; child = child->next) {
		struct message_segment *segment = &rules->segments[rules->segment_count++];
		*segment = (struct message_segment){0};
		if (!json_read(child, fields, COUNT(fields), NULL, segment, error))
			return false;
		if (child->next && !(segment->upto_bytes > (child->index ? segment[-1].upto_bytes : 0)))
			return json_error(child, error,
				"needs \"up_to\", rising from segment to segment; only the last has no end");
		if (!child->next && segment->upto_bytes > 0)
			return json_error(json_member(child, "up_to"), error,
				"the last segment has no end: leave \"up_to\" out");
		if (child->index && !segment_rises(child, segment, error))
			return false;
	}
	return true;
}

static bool sections_read(
	const struct json *root, struct paradl_framework *framework, struct paradl_error *error)
{
	const struct json *rules = json_member(root, "rules"), *checked = json_member(root, "checked");
	const struct json *offers = json_member(root, "offers");
	return (!rules || rules_read(rules, framework->rules, error)) &&
	       (!checked || framework_checked_read(checked, &framework->checked, error)) &&
	       (!offers || framework_offers_read(offers, &framework->offers, error)) &&
	       outdated_read(root, framework, error);
}

static bool texts_expect(const struct json *root, struct paradl_error *error)
{
	const struct json *base = json_member(root, "extends"), *list = json_member(root, "assumptions");
	if (base && (base->kind != JSON_STRING || strchr(base->string, '/')))
		return json_error(base, error, "must be the name of a framework beside this one");
	if (list && list->kind != JSON_ARRAY)
		return json_error(list, error, "must be a list of texts");
	for (const struct json *text = list ? list->child : NULL; text; text = text->next)
		if (text->kind != JSON_STRING)
			return json_error(text, error, "must be a text");
	return true;
}

/* Checks that staged messages have segments, once everything that "extends" names is read. */
static bool staged_holds(
	const struct json *root, const struct paradl_framework *framework, struct paradl_error *error)
{
	const struct json *rules = json_member(root, "rules"), *messages = json_member(root, "messages");
	for (unsigned kind = 0; kind < RULES_KINDS; ++kind) {
		const struct rules *of_kind = &framework->rules[kind];
		if ((of_kind->staged || of_kind->stage_staged) && !of_kind->segment_count)
			return json_error(rules      ? rules
					  : messages ? messages
						     : root,
				error, "staged messages need \"segments\"");
	}
	return true;
}

static bool framework_read(
	const struct json *root, struct paradl_framework *framework, struct paradl_error *error)
{
	return format_expect(root, "paradl-framework", 1, error) && texts_expect(root, error) &&
	       json_read(root, top_fields, COUNT(top_fields), top_keys, framework, error) &&
	       sections_read(root, framework, error) && framework_lists_read(root, framework, error);
}

/* A chain of files, each of which extends the next; changes are to numbers that any of them has. */
struct chain {
	struct paradl_arena *arena;
	const struct paradl_changes *changes;
	struct change_tally tally;
};

static bool assumptions_read(const struct json *root, struct paradl_arena *arena,
	struct paradl_framework *framework, struct paradl_error *error)
{
	const struct json *const list = json_member(root, "assumptions");
	if (!list)
		return true;
	const char **const texts = arena_alloc(arena, list->count + 1, sizeof *texts);
	if (!texts)
		return out_of_memory(error);
	framework->assumption_count = 0;
	for (const struct json *node = list->child; node; node = node->next)
		texts[framework->assumption_count++] = node->string;
	framework->assumptions = texts;
	return true;
}

/* Adds a hint with the new name of a key, where a change met nothing and the last release had such a key. */
static void changes_outdated(
	const struct paradl_changes *changes, const struct change_tally *tally, struct paradl_error *error)
{
	for (size_t i = 0; i < changes->count; ++i) {
		const struct change *change = &changes->items[i];
		const char *rule = change->scope == CHANGE_FRAMEWORK && !tally->found[i]
					   ? outdated_rule(change->key)
					   : NULL;
		if (rule)
			error_hint(error, "profiles have one block of rules now: write framework.rules.%s",
				rule);
	}
}

enum { CHAIN_MAX = 9 };

/* Reports which file and key name a framework that cannot be opened; errors about that framework itself stay. */
static bool base_missing(const struct json *extends, struct paradl_error *error)
{
	if (!error || error->status != PARADL_IO)
		return false;
	json_error(extends, error, "there is no framework \"%s\" beside this one", extends->string);
	error_hint(error, "copy its file, too, or write the path of the shipped one where it is");
	return false;
}

/* Opens a file, what it extends, and so on, the nearest first; a chain is a few files, so a cycle shows as depth. */
static bool chain_load(struct paradl_arena *arena, const char *path, const struct json *roots[CHAIN_MAX],
	unsigned *count, struct paradl_error *error)
{
	for (*count = 0;;) {
		const struct json *const root = json_load(arena, path, error);
		if (!root)
			return *count ? base_missing(json_member(roots[*count - 1], "extends"), error)
				      : false;
		roots[(*count)++] = root;
		const struct json *base = json_member(root, "extends");
		if (!base)
			return true;
		if (base->kind != JSON_STRING || strchr(base->string, '/'))
			return json_error(base, error, "must be the name of a framework beside this one");
		if (*count == CHAIN_MAX)
			return json_error(base, error,
				"extends more than %d frameworks in a row; is there a cycle?", CHAIN_MAX - 1);
		const char *slash = strrchr(path, '/');
		path = arena_printf(
			arena, "%.*s%s.json", slash ? (int)(slash - path + 1) : 0, path, base->string);
		if (!path)
			return out_of_memory(error);
	}
}

static bool chain_read_file(struct chain *chain, const struct json *file, bool is_last,
	struct paradl_framework *framework, struct paradl_error *error)
{
	if (!framework_options_read(file, error))
		return false;
	const struct json *root = framework_overlay(chain->arena, file, &framework->choice, error);
	if (!root)
		return false;
	const struct json *const changed = changes_apply(
		chain->arena, chain->changes, CHANGE_FRAMEWORK, root, is_last, &chain->tally, error);
	if (!changed)
		return false;
	if (is_last && !changes_met(chain->changes, CHANGE_FRAMEWORK, root, &chain->tally, error)) {
		changes_outdated(chain->changes, &chain->tally, error);
		return false;
	}
	if (!framework_read(changed, framework, error) ||
		(is_last && !staged_holds(changed, framework, error)))
		return false;
	framework->path = json_path(file);
	return framework_origins_read(root, changed, chain->arena, framework, error) &&
	       assumptions_read(changed, chain->arena, framework, error);
}

/* Reads a chain of files. The file that another extends is read first, then overlaid. */
static bool load_chain(
	struct chain *chain, const char *path, struct paradl_framework *framework, struct paradl_error *error)
{
	const struct json *roots[CHAIN_MAX];
	const char *wanted;
	unsigned count;
	framework->source = path;
	path = framework_file(chain->arena, path, &wanted);
	if (!path)
		return out_of_memory(error);
	if (!chain_load(chain->arena, path, roots, &count, error) ||
		!framework_choose(chain->arena, roots, count, wanted, &framework->choice, error))
		return false;
	for (unsigned i = count; i-- > 0;)
		if (!chain_read_file(chain, roots[i], i == 0, framework, error))
			return false;
	return framework_rename(chain->arena, framework, error);
}

/* Adds an assumption with the number of keys in the spelling of the last release, if there are any. */
static bool outdated_say(
	struct paradl_arena *arena, struct paradl_framework *framework, struct paradl_error *error)
{
	const unsigned count = framework->assumption_count;
	if (!framework->outdated)
		return true;
	const char **texts = arena_alloc(arena, count + 1, sizeof *texts);
	const char *text = arena_printf(arena,
		"%u keys of the framework have the spelling of the last release, which the next one will not "
		"read: "
		"paradl check %s",
		framework->outdated, framework->path);
	if (!texts || !text)
		return out_of_memory(error);
	if (count)
		memcpy(texts, framework->assumptions, count * sizeof *texts);
	texts[count] = text;
	framework->assumptions = texts;
	framework->assumption_count = count + 1;
	return true;
}

const struct paradl_framework *paradl_framework_load(
	struct paradl_arena *arena, const struct paradl_source *source, struct paradl_error *error)
{
	struct chain chain = {.arena = arena, .changes = source->changes};
	const char *const path = source_path(arena, source, "hw-profiles/frameworks", error);
	struct paradl_framework *framework = arena_alloc(arena, 1, sizeof *framework);
	if (!path)
		return NULL;
	if (!framework)
		return out_of_memory_null(error);
	framework->pool_messages = true;
	rules_default(framework->rules);
	framework_offers_default(&framework->offers);
	return load_chain(&chain, path, framework, error) && outdated_say(arena, framework, error) ? framework
												   : NULL;
}

struct paradl_framework_info paradl_framework_info(const struct paradl_framework *framework)
{
	const struct rules *const rules = &framework->rules[RULES_TOKENS];
	return (struct paradl_framework_info){
		.name = framework->name,
		.path = framework->path,
		.source = framework->source,
		.family = framework->family,
		.options = framework->choice.list,
		.steps = framework->steps,
		.summary = framework->summary,
		.known_error = framework->known_error,
		.assumed_count = framework->assumed_count,
		.assumed = framework->assumed,
		.assumption_count = framework->assumption_count,
		.assumptions = framework->assumptions,
		.dispatcher = rules->dispatcher,
		.overlaps = (rules->overlap_gradients > 0 ? PARADL_OVERLAP_GRADIENTS : 0U) |
			    (rules->overlap_tensor > 0 ? PARADL_OVERLAP_TENSOR : 0U) |
			    (rules->overlap_experts > 0 ? PARADL_OVERLAP_EXPERTS : 0U),
		.serves = framework->serves,
		.serve_chunk = rules->serve_chunk,
		.serve_memory = rules->serve_memory,
		.serve_balance = rules->serve_balance,
		.serve_narrow_cache = rules->serve_narrow_cache,
	};
}

/* Warns of every rule that a file which extends nothing leaves to its default. */
static bool unstated_check(struct paradl_arena *arena, const struct json *root,
	struct paradl_findings *findings, struct paradl_error *error)
{
	const struct json *rules = json_member(root, "rules");
	bool fine = true;
	const char *key;
	for (size_t i = 0; rules && !json_member(root, "extends") && fine && (key = rule_unstated(rules, i));
		++i)
		fine = finding_add(arena, findings,
			arena_printf(arena,
				"/rules: does not say \"%s\" of every network; its default is assumed", key));
	return fine || out_of_memory(error);
}

/* Reads the file with each of its options by itself. */
static bool options_check(struct paradl_arena *arena, const struct json *root, struct paradl_error *error)
{
	const struct json *const options = json_member(root, "options"), *const uses =
										 json_member(root, "uses");
	if (!framework_options_read(root, error))
		return false;
	if (uses && uses->kind != JSON_ARRAY)
		return json_error(uses, error, "must be a list of options");
	for (const struct json *name = uses ? uses->child : NULL; name; name = name->next)
		if (name->kind != JSON_STRING)
			return json_error(name, error, "must be the name of an option");
	for (const struct json *option = options ? options->child : NULL; option; option = option->next) {
		const struct framework_choice choice = {.names = {option->key}, .count = 1};
		const struct json *const with = framework_overlay(arena, root, &choice, error);
		struct paradl_framework framework = {0};
		rules_default(framework.rules);
		/*
		 * The option's rules are read by themselves, too: what they lack may be in the rules that they are
		 * laid over.
		 */
		const struct json *const rules = json_member(option, "rules");
		if (!with || (rules && !rules_read(rules, framework.rules, error)) ||
			!framework_read(with, &framework, error))
			return false;
	}
	return true;
}

bool framework_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error)
{
	struct paradl_framework framework = {0};
	rules_default(framework.rules);
	return framework_read(root, &framework, error) && options_check(arena, root, error) &&
	       (json_member(root, "extends") || staged_holds(root, &framework, error)) &&
	       origins_check(arena, root, findings, error) && unstated_check(arena, root, findings, error) &&
	       outdated_check(arena, root, findings, error);
}

bool framework_place(const char *name, struct place *place)
{
	const char *key = place_inside(name, "rules"), *option = place_inside(name, "options");
	if (option && strchr(option, '.'))
		key = place_inside(strchr(option, '.') + 1, "rules");
	return key && rules_place(key, place);
}
