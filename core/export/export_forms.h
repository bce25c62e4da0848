// SPDX-License-Identifier: GPL-3.0-or-later
// The forms in which a model leaves: one table for the command line and the window. Python text, and what the
// formats write (core/open/formats.h).
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fx {

struct ExportForm {
    std::string word;                      ///< of a user: "folder", "py", "pt2", "torchscript-frozen"
    std::string title;                     ///< for people: "Python folder"
    std::vector<std::string> endings = {}; ///< of its file, the first is the usual one; empty: it is a folder
    bool keepsAll = false;                 ///< also what is muted
    bool isCompared = true;                ///< what was written is opened again
    /// Why the model cannot be written so, as far as that is known without trying; empty: nothing is known.
    std::function<std::string(const OpenedModel&)> whyNot = nullptr;
    /// Gives what a reader of the file should know; null for a folder, which exportFolder() writes.
    std::function<std::vector<std::string>(const OpenedModel&, const std::string& path, Progress&)> write =
        nullptr;

    bool isFolder() const { return endings.empty(); }
};

/// The folder first.
std::vector<ExportForm> exportForms();
/// None for another word.
std::optional<ExportForm> exportForm(const std::string& word);
/// What a file or folder of that name is written as: by its ending.
std::string exportWordOf(const std::string& path);

/// Writes the Python text of the graph. Throws an Error for a name that is not to be put into one.
void writeCode(const OpenedModel& model, const std::string& path);

} // namespace fx
