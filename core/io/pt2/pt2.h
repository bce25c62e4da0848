// SPDX-License-Identifier: GPL-3.0-or-later
// torch.export's archives (.pt2): read whole, without Python. The result equals
// torch.export.load(FILE).module(check_guards=False), or with `lifted` its .graph_module.
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"
#include "core/io/zip_archive.h"

#include <memory>

namespace fx {

struct Pt2Options {
    bool isLifted = false; ///< keep parameters, buffers and constants as inputs
};

bool isPt2(const ZipArchive& zip);
/// Throws an Error for a model that is no program of torch.export's, as far as it is known before writing.
void requireWritable(const OpenedModel& model);
/// Writes beside the target, opens what was written, and moves it into place if that is the same program.
/// Gives what a reader should know. Throws an Error for a model that is no program of torch.export's.
std::vector<std::string> writePt2(const OpenedModel& model, const std::string& path, Progress& progress);
OpenedModel readPt2(std::shared_ptr<ZipArchive> zip, const Pt2Options& options, Progress& progress);

} // namespace fx
