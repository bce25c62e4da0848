// SPDX-License-Identifier: GPL-3.0-or-later
// The record of an .fxg that holds the Python source which the model's graphs call.
#pragma once

#include "core/io/zip_archive.h"
#include "core/module/model.h"

namespace fx {

/// Writes nothing where the model has no sources.
void writeSources(ZipWriter& zip, const Model& model);
/// Gives the model what the archive has.
void readSources(ZipArchive& zip, Model& model);

} // namespace fx
