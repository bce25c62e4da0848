// SPDX-License-Identifier: GPL-3.0-or-later
// Archives of torch.package: pickles of objects, the source of modules that were interned, and storages.
#pragma once

#include "core/io/torch/torch_container.h"

#include <string>
#include <vector>

namespace fx {

/// Whether the archive is one of torch.package's.
bool isTorchPackage(const ZipArchive& zip);

/// Returns the paths of its pickles ("model/model.pkl"), as PackageImporter.load_pickle() takes them.
std::vector<std::string> packagedPickles(const ZipArchive& zip);

/// Returns one pickle of the archive, with GraphModules as torch.save writes them. Of the empty name: the
/// only one. Throws an Error that names the pickles where there are several or none of that name.
TorchContainer openPackagedPickle(const std::shared_ptr<const ZipArchive>& zip, const std::string& name);

} // namespace fx
