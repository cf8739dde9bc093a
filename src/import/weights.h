/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef IMPORT_WEIGHTS_H
#define IMPORT_WEIGHTS_H

#include "import/importer.h"

/*
 * Compares a model's text with the checkpoint of options.weights, whose items have `item_bytes` bytes each. Warns
 * where the numbers of parameters differ, and leaves a note where they agree. False: error is set.
 */
bool weights_compare(struct importing *importing, const char *text, double item_bytes);

#endif
