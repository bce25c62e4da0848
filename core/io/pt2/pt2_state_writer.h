// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of a model as the records of a .pt2: bytes of storages, each once, and what lies where in them.
#pragma once

#include "core/base/progress.h"
#include "core/io/json.h"
#include "core/io/pt2/pt2_record.h"
#include "core/io/zip_writer.h"
#include "core/module/model.h"

#include <string>

namespace fx {

/// Writes weights and constants of the program below "ROOT/data". All parameters and buffers of the model are
/// weights, those that no graph reads too; of constants those that the signature names.
void writePt2State(const Model& model, const Pt2Signature& signature, const std::string& root, ZipWriter& zip,
                   Progress& progress);

} // namespace fx
