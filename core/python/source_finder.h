// SPDX-License-Identifier: GPL-3.0-or-later
// Where the sources of modules are found, as Python searches: beside the source that was opened, in the
// library's own text, then in folders of installed packages.
#pragma once

#include "core/python/tree.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fx {

class Evaluator;

struct FoundSource {
    std::shared_ptr<const SourceFile> file; ///< null for a folder without __init__.py, a namespace package
    bool isPackage = false;
    bool isInstalled = false; ///< not of the user's own writing: it is known to work in Python
    std::string folder;       ///< of a package
};

class SourceFinder {
public:
    explicit SourceFinder(Evaluator& evaluator) : m_evaluator(evaluator) {}

    /// Sources in this folder are found first, but for folders called site-packages or dist-packages, which
    /// are searched last.
    void addRoot(const std::string& folder);
    void addInstalled(const std::string& folder);
    /// Gives folders to search last; asked once something is found nowhere else.
    void setInstalled(std::function<std::vector<std::string>()> folders) {
        m_laterFolders = std::move(folders);
    }
    /// Throws the errors of parseSource(), with the file's place.
    std::optional<FoundSource> find(const std::string& module);
    /// Whether the module, or a name of the package, is compiled code beside the sources.
    bool isCompiled(const std::string& module) const;
    bool isInstalled(const std::string& path) const;

private:
    std::optional<FoundSource> findBelow(const std::string& root, const std::string& module) const;

    Evaluator& m_evaluator;
    std::vector<std::string> m_roots, m_installed;
    std::function<std::vector<std::string>()> m_laterFolders;
};

/// The text of a source; throws an Error where it cannot be read, or is too large to be one.
std::string readSource(const std::string& path);

} // namespace fx
