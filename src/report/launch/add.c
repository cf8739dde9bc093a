/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>

#include "report/launch/launch.h"

void launch_add(struct launch *launch, struct launch_list *list, const char *format, ...)
{
	char *const text = launch->text + launch->length;
	const size_t room = sizeof launch->text - launch->length;
	va_list arguments;
	va_start(arguments, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
	const int length = vsnprintf(text, room, format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= room || list->count == LAUNCH_ITEMS)
		return;
	list->items[list->count++] = text;
	launch->length += (size_t)length + 1;
}
