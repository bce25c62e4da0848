// SPDX-License-Identifier: GPL-3.0-or-later
// Takes from a process that runs graphs of files everything that a run does not need (SECURITY.md lists it).
#pragma once

#include "core/open/recipe.h"
#include "core/session/debuggee.h"

#include <string>
#include <vector>

namespace fx {

/// What the user allowed beside running. Each widens the filter by what its comment says.
struct RunPermissions {
    std::vector<std::string> outputs; ///< files and folders to write (output_rules.h)
    /// As WriteGuard has it; -1: there is none.
    int furtherOutputs = -1;
    bool areFilesAllowed = false; ///< all files may be opened for writing, and made
    bool usesCuda = false;        ///< devices of NVIDIA may be opened, and their requests (ioctl) made
    bool compiles = false;        ///< packages may be written into the user's cache (compiled_folder.h)
    bool startsPython = false;    ///< python3 may compile a program for it (core/open/inductor_compiler.h)
    bool opensModels = false;     ///< children may be forked, in which models with code are opened

    /// Adds what a device needs: "cuda:0".
    void addDevice(const std::string& device);
    /// Adds what a pass with these options needs.
    void addPass(const RecipeStep& step);
    /// False if a process with these cannot do what needs `needed`, or may open files and should not. Outputs
    /// do not count.
    bool suit(const RunPermissions& needed) const;
    /// The command line of a worker: "run", "--files". Outputs are not among them.
    std::vector<std::string> workerWords() const;
    void addWord(const std::string& word);
};

/// What the settings of a run need.
RunPermissions permissionsFor(const RunRequest& request);

/// Confines all threads of this process, and the processes that it forks, for good. Later calls do nothing.
/// To be called before anything of a file is run or read. The process that called it has a child afterwards,
/// which opens its outputs for it. Returns false where the system allows no such child: a process that may
/// write then may write any file.
bool confineRuns(const RunPermissions& permissions);

} // namespace fx
