// SPDX-License-Identifier: GPL-3.0-or-later
// What GraphModule.to_folder writes: Python text, a state_dict, and a pickle for each child whose repr() is
// no constructor. Nothing outside of the folder is read, whatever the text says.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fx {

struct ModuleFolder {
    std::string folder;    ///< with its slash at the end
    std::string codePath;  ///< of module.py
    std::string code;      ///< its text
    std::string className; ///< the class to construct, without arguments: "FxModule"
    /// What the text loads, as it is written there, and the file that is meant: the one of that name in the
    /// folder, because the text names the folder where it was written.
    std::map<std::string, std::string> files;
    /// The file among them whose content goes to load_state_dict; empty: none.
    std::string stateFile;
    std::vector<std::string> notes;
};

/// Whether a folder has such a module.
bool isModuleFolder(const std::string& path);
/// Whether a Python file is such a module.py: it constructs what to_folder wrote.
bool isGeneratedModule(const std::string& code);
/// Reads a folder, or a single module.py with what lies beside it. Throws an Error where there is no class.
ModuleFolder readModuleFolder(const std::string& path);
/// The file that the text means by `named`; none where it is missing or would lie outside of the folder.
std::optional<std::string> fileInFolder(const std::string& folder, const std::string& named);

} // namespace fx
