// SPDX-License-Identifier: GPL-3.0-or-later
// How several files that are of use together are saved: a new folder takes the place of the old one at once.
// A process that is killed leaves the old folder or the new one, never files of both.
#pragma once

#include <functional>
#include <string>

namespace fx {

/// Makes the folder `path` of the files that `fill` writes into the empty folder that it is given. Other
/// files of a folder that is there already are kept. Throws an Error, with the folder as it was, if something
/// cannot be written, if the folder is not this process's to move (the current folder), and if the file
/// system cannot exchange folders.
void writeFolder(const std::string& path, const std::function<void(const std::string& folder)>& fill);

} // namespace fx
