/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "import/huggingface.h"

enum { NUMBER_MAX = 2147483647, KEY_SIZE = 64 };

const struct json *config_find(const struct config *config, const char *keys)
{
	while (*keys != '\0') {
		char key[KEY_SIZE];
		const size_t length = strcspn(keys, "|");
		(void)snprintf(key, sizeof(key), "%.*s", (int)length, keys);
		const struct json *const node = json_member(config->node, key);
		if (node && node->kind != JSON_NULL)
			return node;
		keys += length + (keys[length] == '|' ? 1 : 0);
	}
	return NULL;
}

/* Reads it unless there is none, or an error came before. */
static void read_field(struct config *config, const char *keys, struct json_field field, void *out)
{
	const struct json *const node = config->failed ? NULL : config_find(config, keys);
	if (!node)
		return;
	field.key = node->key;
	config->failed = !json_read_value(node, &field, out, config->error);
}

unsigned config_unsigned(struct config *config, const char *keys, unsigned fallback)
{
	unsigned value = fallback;
	read_field(config, keys, (struct json_field){.type = JSON_TO_UNSIGNED, .min = 0, .max = NUMBER_MAX},
		&value);
	return value;
}

unsigned config_required(struct config *config, const char *keys)
{
	unsigned value = 1;
	if (!config->failed && !config_find(config, keys)) {
		config->failed = true;
		json_error(config->node, config->error, "a config of type \"%s\" needs %.*s", config->type,
			(int)strcspn(keys, "|"), keys);
	}
	read_field(config, keys, (struct json_field){.type = JSON_TO_UNSIGNED, .min = 1, .max = NUMBER_MAX},
		&value);
	return value;
}

bool config_bool(struct config *config, const char *keys, bool fallback)
{
	bool value = fallback;
	read_field(config, keys, (struct json_field){.type = JSON_TO_BOOL}, &value);
	return value;
}

double config_share(struct config *config, const char *keys, double fallback)
{
	double value = fallback;
	read_field(config, keys, (struct json_field){.type = JSON_TO_DOUBLE, .min = 0, .max = 1}, &value);
	return value;
}

const char *config_text(struct config *config, const char *keys, const char *fallback)
{
	const char *value = fallback;
	read_field(config, keys, (struct json_field){.type = JSON_TO_TEXT}, &value);
	return value;
}
