/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options that say what feeds the devices; input_options.c turns their values into a request. */
#include "cli/arguments_rows.h"
#include "paradl/oracle.h"

#define INPUT(...) ROW(FEEDS, __VA_ARGS__), .group = "Input"

static const char *store_name(size_t index)
{
	return index < PARADL_STORE_COUNT ? paradl_store_name((enum paradl_store)index) : NULL;
}

static const struct option_row rows[] = {
	{INPUT("dataset", OPTION_TEXT, dataset, "DATA"), .completes = "datasets",
		.help = "data set, by name ('paradl list datasets') or file; instead of the model's"},
	{INPUT("force", OPTION_FLAG, force, NULL),
		.help = "go on with a data set that is not for such a network"},
	{INPUT("shuffle", OPTION_TEXT, shuffle, "HOW"),
		.help = "shuffling: global (default), local, partial:10%; what a batch is drawn from: all "
			"samples (global), the worker's own part (local), that with a share Q exchanged "
			"every epoch (partial:Q, pairwise:Q), or that with models that go to another worker "
			"H times an epoch (models:H)"},
	{INPUT("store", OPTION_CHOICE, store, "WHERE"), .choice = store_name, .initial = "auto",
		.help = "where samples are kept; the shared file system, a copy on each node, the pooled "
			"disks of all, or a shard on each; auto: the fastest that has room"},
	{INPUT("cache", OPTION_TEXT, cache, "HOW"),
		.help = "samples in host memory: auto, page, pinned, lru, none; auto (without it) is page, "
			"but nothing of a global shuffle from the shared file system; with a size: "
			"pinned:100GB"},
	{INPUT("workers", OPTION_COUNT, workers, "N"), .min = 1, .max = 1e5,
		.help = "CPU cores per GPU that prepare samples (default all)"},
	{INPUT("prefetch", OPTION_COUNT, prefetch, "N"), .min = 1, .max = 1e6,
		.help = "batches prepared in advance (default as many as help)"},
	{INPUT("no-prefetch", OPTION_FLAG, no_prefetch, NULL), .formerly = "in-turn",
		.help = "reading and preparing waits for compute, and compute for it: nothing is hidden"},
	{INPUT("no-input", OPTION_FLAG, no_input, NULL),
		.help = "leave out reading and preparing samples; as if they were there when they are "
			"needed"},
};

const struct option_table arguments_input = {rows, sizeof rows / sizeof rows[0], NULL};
