/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_SCHEMA_H
#define REPORT_SCHEMA_H

#include <stdio.h>

#include "result/field.h"

/* Writes the JSON Schema of a document. */
void schema_write(FILE *file, const struct result_document *document);

#endif
