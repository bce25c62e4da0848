// SPDX-License-Identifier: GPL-3.0-or-later
// fxscope's own format (.fxg): a zip of the graph, the module tree and the metadata as JSON, the tensors as
// safetensors, the generated Python for people, and what the window saved. Nothing of a model is lost in it.
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"
#include "core/io/zip_archive.h"

#include <memory>
#include <string>

namespace fx {

bool isFxg(const ZipArchive& zip);
OpenedModel readFxg(const std::shared_ptr<ZipArchive>& zip, Progress& progress);
/// Saves the model with its examples.
void writeFxg(const OpenedModel& model, const std::string& path, Progress& progress);
/// The bytes of such a file.
std::string fxgBytes(const OpenedModel& model, Progress& progress);

} // namespace fx
