/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef IMPORT_WEIGHTS_H
#define IMPORT_WEIGHTS_H

#include "import/importer.h"

/* Compares a model's text with the checkpoint of options.weights, whose items have so many bytes: a warning or a note. */
bool weights_compare(struct importing *importing, const char *text, double item_bytes);

#endif
