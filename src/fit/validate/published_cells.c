/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts what published rows measured to seconds of one iteration and to bytes.
 *
 *     tokens, samples per second   batch (x tokens of a sample) / rate
 *     Tflop/s per device           work of the network / rate: forward three times (backward is two), attention in
 *                                  full and not halved for the mask, recomputation left out. Where "hardware" flops
 *                                  are counted, recomputation of whole blocks is one more forward
 *     model flops utilisation      the same, at this share of the dense 16-bit peak
 *
 * Where blocks alone were measured, the time is without embedding, head and optimizer, and is compared with the time
 * that further blocks add. Memory that runtimes and allocators hold in addition to tensors counts where the tool that
 * measured sees it: all memory of a device (nvidia-smi), that of the allocator (reserved), or tensors only (allocated,
 * computed).
 *
 * Reads the words of published rows that say how a program ran. A cell has phrases between commas and semicolons. An
 * alias of the cell's kind says which options of the program a phrase turns on or off
 * ("overlap-tensor+no-overlap-data"; empty: nothing that is modelled). A phrase without an alias, or with an option
 * that the program does not have, is a word that was not understood.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fit/validate/published.h"
#include "machine/framework.h"

static double flop_per_device(const struct published *row, const struct paradl_model *model)
{
	if (!model)
		return -1;
	const bool again = strncmp(row->flop_kind, "hw", 2) == 0 && strcmp(row->recompute, "full") == 0;
	return (again ? 4 : 3) * model->forward_flop * row->batch / row->gpus;
}

static double over(double amount, double rate)
{
	return amount > 0 && rate > 0 ? amount / rate : -1;
}

/* Reports whether a column has a value and is the one that the source printed; a row that names none has any. */
static bool is_primary(const struct published *row, const char *name, double value)
{
	return value > 0 && (strcmp(row->primary, name) == 0 || !*row->primary);
}

double published_seconds(
	const struct published *row, const struct paradl_model *model, const struct device *device)
{
	const double tokens = row->batch * row->tokens;
	if (strcmp(row->primary, "mem_gib") == 0)
		return -1;
	if (is_primary(row, "iter_time_s", row->iteration_s))
		return row->iteration_s;
	if (is_primary(row, "tok_s_gpu", row->tokens_per_s_gpu))
		return over(tokens, row->tokens_per_s_gpu * row->gpus);
	if (is_primary(row, "tok_s", row->tokens_per_s))
		return over(tokens, row->tokens_per_s);
	if (is_primary(row, "samples_s", row->samples_per_s))
		return over(row->batch, row->samples_per_s);
	if (is_primary(row, "tflops_gpu", row->tflops))
		return over(flop_per_device(row, model), 1e12 * row->tflops);
	if (is_primary(row, "mfu_pct", row->mfu_percent) && model)
		return over(3 * model->forward_flop * row->batch / row->gpus,
			row->mfu_percent / 100 * device->peak_flop_per_s[PARADL_BF16]);
	return row->iteration_s > 0 ? row->iteration_s : -1;
}

double published_memory(const struct published *row)
{
	static const double gibibyte = 1024.0 * 1024 * 1024;
	return row->memory_gib > 0 ? row->memory_gib * gibibyte : -1;
}

bool published_is_blocks(const struct published *row, const struct aliases *aliases)
{
	return alias_find(aliases, "blocks-only", row->notes);
}

double published_block_s(const struct paradl_estimate *estimate)
{
	return estimate->phase_s[PARADL_FORWARD] + estimate->phase_s[PARADL_BACKWARD] +
	       estimate->phase_s[PARADL_RECOMPUTE] + estimate->phase_s[PARADL_ACTIVATION_EXCHANGE];
}

double published_projected_bytes(
	const struct published *row, const struct aliases *aliases, const struct paradl_estimate *estimate)
{
	const struct alias *alias = alias_find(aliases, "memory", row->memory_kind);
	const struct paradl_memory *memory = &estimate->memory;
	const char *tool = alias ? alias->name : "";
	if (strcmp(tool, "tensors") == 0)
		return memory->weights_bytes + memory->gradients_bytes + memory->optimizer_bytes +
		       memory->activations_bytes;
	if (strcmp(tool, "reserved") == 0)
		return estimate->memory_bytes - memory->context_bytes;
	if (strcmp(tool, "allocated") == 0)
		return estimate->memory_bytes - memory->context_bytes - memory->fragmentation_bytes;
	return estimate->memory_bytes;
}

enum { TEXT_MAX = 128 };

void published_word_add(struct published *row, const struct published_word *word)
{
	if (row->word_count < WORDS_MAX)
		row->words[row->word_count++] = *word;
}

/*
 * Reads a cell that is one word. Where its alias has a value above 0, the alias' name is only the nearest option
 * that is modelled, and the word is added with that problem. Returns false when out of memory.
 */
static bool whole_read(struct paradl_arena *arena, const struct aliases *aliases, struct published *row,
	const char *column, const char *cell)
{
	const struct alias *const alias = alias_find(aliases, column, cell);
	struct published_word word = {.column = column, .text = cell, .options = ""};
	if (!*cell || (alias && !(alias->value > 0)))
		return true;
	word.problem = alias ? arena_printf(arena, "taken as %s", alias->name) : "not understood";
	if (word.problem)
		published_word_add(row, &word);
	return word.problem;
}

static const char *trimmed(struct paradl_arena *arena, const char *text, size_t length)
{
	while (length && *text == ' ') {
		++text;
		--length;
	}
	while (length && text[length - 1] == ' ')
		--length;
	return arena_copy(arena, text, length < TEXT_MAX ? length : TEXT_MAX);
}

/* Returns the length of a phrase, which ends before a comma or semicolon that is not in brackets. */
static size_t phrase_length(const char *text)
{
	size_t length = 0;
	for (int depth = 0; text[length] && (depth > 0 || (text[length] != ',' && text[length] != ';'));
		++length)
		depth += (text[length] == '(') - (text[length] == ')');
	return length;
}

static bool phrases_read(struct paradl_arena *arena, const struct aliases *aliases, struct published *row,
	const char *column, const char *cell)
{
	while (*cell) {
		const size_t length = phrase_length(cell);
		const char *const text = trimmed(arena, cell, length);
		if (!text)
			return false;
		const struct alias *const alias = alias_find(aliases, column, text);
		const struct published_word word = {
			column, text, alias ? alias->name : "", alias ? NULL : "not understood"};
		if (*text && (!alias || *alias->name))
			published_word_add(row, &word);
		cell += length + (cell[length] != '\0');
	}
	return true;
}

/* Adds what framework, overlap or notes say and is not modelled, by aliases of kind "unmodelled". */
static void unmodelled_read(const struct aliases *aliases, struct published *row)
{
	for (size_t i = 0; i < aliases->count; ++i) {
		const struct alias *const alias = &aliases->items[i];
		const struct published_word word = {"notes", alias->name, "", "not modelled"};
		if (strcmp(alias->kind, "unmodelled") == 0 && alias_fits(alias->pattern, row->setup))
			published_word_add(row, &word);
	}
}

bool published_words(struct paradl_arena *arena, const struct aliases *aliases, struct published *row)
{
	if (row->is_image)
		return true;
	unmodelled_read(aliases, row);
	return phrases_read(arena, aliases, row, "attention", row->attention) &&
	       phrases_read(arena, aliases, row, "overlap", row->overlap) &&
	       phrases_read(arena, aliases, row, "graphs", row->graphs) &&
	       whole_read(arena, aliases, row, "recompute", row->recompute) &&
	       whole_read(arena, aliases, row, "precision", row->precision);
}

/*
 * Returns the profile that a row names, without options of the row, each loaded once; NULL with the reason in
 * *failure.
 */
static const struct paradl_framework *plain_framework(
	struct library *library, const char *name, struct paradl_error *failure)
{
	struct library_framework *entry = library->frameworks;
	for (; entry < library->frameworks + library->framework_count; ++entry)
		if (strcmp(entry->name, name) == 0)
			return entry->framework;
	const char *const path = library_find(library, name, "hw-profiles/frameworks", false, failure);
	*entry = (struct library_framework){.name = name};
	entry->framework =
		path ? paradl_framework_load(library->arena, &(struct paradl_source){.path = path}, failure)
		     : NULL;
	if (entry->framework)
		++library->framework_count;
	return entry->framework;
}

static bool has_option(const struct framework_choice *choice, const char *name)
{
	for (unsigned i = 0; i < choice->known_count; ++i)
		if (strcmp(choice->known[i], name) == 0)
			return true;
	return false;
}

/*
 * Adds the options of a word that the program has to the name of its profile. An option to turn on that the
 * program does not have becomes the word's problem. Returns false when out of memory.
 */
static bool word_apply(struct paradl_arena *arena, const struct paradl_framework *framework,
	struct published_word *word, const char **name)
{
	for (const char *option = word->options; *option;) {
		const size_t length = strcspn(option, "+");
		const char *const text = arena_copy(arena, option, length);
		if (!text)
			return false;
		const bool off = strncmp(text, "no-", 3) == 0;
		if (has_option(&framework->choice, text) || (off && has_option(&framework->choice, text + 3)))
			*name = arena_printf(arena, "%s+%s", *name, text);
		else if (!off && !(word->problem = arena_printf(arena, "no option of %s", framework->name)))
			return false;
		if (!*name)
			return false;
		option += length + (option[length] == '+');
	}
	return true;
}

bool published_options(struct library *library, struct measurement *measurement, struct paradl_error *error)
{
	struct published *const row = measurement->published;
	const char *name = *measurement->row.framework ? measurement->row.framework : "nccl";
	struct paradl_error failure = {0};
	if (library->lookup->framework || row->options_read || !row->word_count)
		return true;
	row->options_read = true;
	const struct paradl_framework *const framework = plain_framework(library, name, &failure);
	if (!framework)
		return failure.status != PARADL_NO_MEMORY || out_of_memory(error);
	for (size_t i = 0; i < row->word_count; ++i)
		if (!word_apply(library->arena, framework, &row->words[i], &name))
			return out_of_memory(error);
	measurement->row.framework = name;
	return true;
}

/* Makes the text `overlap "async foo" not understood; precision "fp8-rowwise" taken as fp8-mixed`. */
bool published_unread(struct paradl_arena *arena, struct measurement *measurement)
{
	const struct published *const row = measurement->published;
	const char *text = NULL;
	for (size_t i = 0; row && i < row->word_count; ++i) {
		const struct published_word *const word = &row->words[i];
		if (!word->problem)
			continue;
		text = arena_printf(arena, "%s%s%s \"%s\" %s", text ? text : "", text ? "; " : "",
			word->column, word->text, word->problem);
		if (!text)
			return false;
	}
	measurement->row.unread = text;
	return true;
}

/*
 * Adds an error of 10 % for options that the source does not print, and for each word that was not understood, as
 * for a number format that no run was measured in. Squares add up, as in estimates.
 */
double published_error(const struct measurement *measurement, double error_share)
{
	static const double open_share = 0.1;
	const struct published *const row = measurement->published;
	size_t open = measurement->row.incomplete ? 1 : 0;
	for (size_t i = 0; row && i < row->word_count; ++i)
		open += row->words[i].problem ? 1 : 0;
	return error_share < 0 ? -1
			       : sqrt(error_share * error_share + (double)open * open_share * open_share);
}

/* Adds the words of a row that were not understood to the list of all, and counts the row for each. */
static void words_count(const struct published *row, struct paradl_word *words, size_t *count)
{
	for (size_t i = 0; i < row->word_count; ++i) {
		const struct published_word *const word = &row->words[i];
		size_t k = 0;
		if (!word->problem)
			continue;
		while (k < *count && (strcmp(words[k].column, word->column) != 0 ||
					     strcmp(words[k].text, word->text) != 0 ||
					     strcmp(words[k].problem, word->problem) != 0))
			++k;
		if (k == *count)
			words[(*count)++] = (struct paradl_word){word->column, word->text, word->problem, 0};
		++words[k].rows;
	}
}

bool published_words_list(struct paradl_arena *arena, const struct measurement *list, size_t count,
	struct paradl_validation *validation, struct paradl_error *error)
{
	size_t most = 1;
	for (size_t i = 0; i < count; ++i)
		most += list[i].published ? list[i].published->word_count : 0;
	struct paradl_word *const words = arena_alloc(arena, most, sizeof *words);
	if (!words)
		return out_of_memory(error);
	for (size_t i = 0; i < count; ++i)
		if (list[i].published)
			words_count(list[i].published, words, &validation->word_count);
	validation->words = words;
	return true;
}
