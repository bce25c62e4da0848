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
OpenedModel readPt2(std::shared_ptr<ZipArchive> zip, const Pt2Options& options, Progress& progress);

} // namespace fx
