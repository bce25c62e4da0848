// SPDX-License-Identifier: GPL-3.0-or-later
// Packages by their names, as Python finds what is installed. Python itself is not asked.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fx {

/// The folders that this user's python3 searches: those of PYTHONPATH, of the virtual environment, of the
/// python3 on PATH, the user's own and the system's; the ones that are there.
std::vector<std::string> installedFolders();
/// Whether it may be the name of a package or module: "timm.models".
bool isPackageName(const std::string& name);
/// The source of a package or module ("timm.models"): in `folders`, else in installedFolders().
std::optional<std::string> findPackage(const std::string& name, const std::vector<std::string>& folders);
/// Those that may make models: the packages with a `models` in them, by name.
std::vector<std::string> packagesWithModels(const std::vector<std::string>& folders);

} // namespace fx
