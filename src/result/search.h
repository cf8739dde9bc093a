/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULT_SEARCH_H
#define RESULT_SEARCH_H

#include "result/field.h"

extern const struct result_document document_search, document_layers;

#endif
