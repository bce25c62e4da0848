// SPDX-License-Identifier: GPL-3.0-or-later
// Python files with passes that lie in folders of passes. They are listed from their text: nothing is run
// before a pass is asked for (core/userpasses/user_pass.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fx {

struct ListedPass {
    std::string name;
    std::string documentation; ///< its docstring; may be empty
    bool takesOptions = false;
    std::string summary() const { return documentation.substr(0, documentation.find('\n')); }
};

struct PassFile {
    std::string path, name; ///< the name is that of the file, without ".py"
    bool isUsers = false;   ///< it lies in the user's own folder, not in a plugin's
    std::vector<ListedPass> passes;
    std::string fault; ///< why it cannot be read, with its place; empty: it can
};

/// ~/.local/share/fxscope/passes, then the folder `passes` of each of pluginFolders().
std::vector<std::string> passFolders();
/// What lies there now, in the order of the folders and then of the names; the first of several files with
/// one name counts.
std::vector<PassFile> passFiles();
/// "FILE.py:NAME" for the first pass of that name.
std::optional<std::string> findListedPass(const std::vector<PassFile>& files, const std::string& name);

} // namespace fx
