/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The public header alone, as C and as C++, linked with the shared library. */
#include "paradl/oracle.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
	struct paradl_error error;
	struct paradl_plan plan;
	char text[64];

	memset(&error, 0, sizeof(error));
	if (!paradl_plan_parse("data=2,filter=4", &plan, &error))
		return 1;
	paradl_plan_format(&plan, text, sizeof(text));
	printf("paradl %s: %s on %g devices\n", paradl_version(), text, paradl_plan_devices(&plan));
	return strcmp(text, "data=2,filter=4") != 0 || strcmp(paradl_version(), PARADL_VERSION) != 0;
}
