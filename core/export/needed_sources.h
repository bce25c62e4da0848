// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a model's Python sources that some of their functions and classes need: those statements of
// each file, and what they name in turn, in this file and in the others.
#pragma once

#include "core/export/python_names.h"
#include "core/module/source_text.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// Where a source defines something: "net.Outer.inner" is `Outer` of "net", and then ".inner".
struct SourcePlace {
    std::string module, name, rest;
};

class NeededSources {
public:
    explicit NeededSources(const std::vector<SourceText>& sources);
    ~NeededSources();

    /// In the module that the name says, else in any that defines its last part, since a pickle calls the
    /// main program's module otherwise. None where no source defines it at its top level.
    std::optional<SourcePlace> find(std::string_view qualifiedName) const;
    void need(const SourcePlace& place);

    /// "net.py", "package/net.py": the files below the folder of the package, with the package files above
    /// them. Imports of one another are relative.
    std::map<std::string, std::string> files() const;
    /// The module as the package of these files has it: what stands after "from ." in its top folder.
    std::string exportedName(std::string_view module) const;

private:
    struct File;

    File* fileOf(std::string_view module) const;
    void needName(File& file, const std::string& name);
    void needAll(File& file);
    void take(File& file, size_t statement);
    void takeChain(File& file, const std::vector<std::string>& parts, bool isUsed);
    std::string textOf(const File& file) const;
    std::string importText(const File& file, const ImportSyntax& import, bool isReduced) const;

    std::vector<std::unique_ptr<File>> m_files;
    std::map<std::string, std::string, std::less<>> m_exportedNames; ///< by module
};

} // namespace fx
