/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words for topics of 'paradl list': their names, one of their things, and other words that people have for them. */
#include <string.h>

#include "cli/command.h"

const char *list_topic(const char *word)
{
	static const char *const names[] = {"models", "datasets", "hw", "devices", "frameworks", "strategies",
		"layers", "formats", "pictures", "columns", "operations", "collectives", "topologies",
		"units"};
	static const char *const others[][2] = {{"hw-profiles", "hw"}, {"hardware", "hw"}, {"machines", "hw"},
		{"machine", "hw"}, {"clusters", "hw"}, {"cluster", "hw"}, {"data", "datasets"},
		{"data-sets", "datasets"}, {"gpus", "devices"}, {"gpu", "devices"},
		{"accelerators", "devices"}, {"programs", "frameworks"}, {"axes", "strategies"},
		{"strategy", "strategies"}, {"plans", "strategies"}, {"topology", "topologies"},
		{"algorithms", "collectives"}};
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (strcmp(word, others[i][0]) == 0)
			return others[i][1];
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const size_t length = strlen(names[i]);
		const bool is_one = strlen(word) + 1 == length && names[i][length - 1] == 's';
		if (strncmp(names[i], word, is_one ? length - 1 : length + 1) == 0)
			return names[i];
	}
	return NULL;
}
