// SPDX-License-Identifier: GPL-3.0-or-later
// Which names a piece of Python binds and which it uses, told from its syntax alone. More may be told than
// there is; nothing is left out that stands in the text as a name.
#pragma once

#include "core/python/tree.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// One import statement, wherever it stands.
struct ImportSyntax {
    struct Name {
        std::string name, alias;   ///< "a.b", "c"; no alias: empty
        std::string bound() const; ///< the name that the statement binds
    };
    uint32_t begin = 0, end = 0; ///< bytes of the text
    bool isFrom = false, isStar = false;
    int level = 0;
    std::string module; ///< of `from`
    std::vector<Name> names;
};

/// What one statement has to do with names; what it binds inside of functions and classes is not told.
struct StatementNames {
    std::set<std::string> binds;
    std::set<std::string> changes;           ///< names whose values it writes into or calls upon
    std::set<std::vector<std::string>> uses; ///< "torch.nn.Linear" as its parts
    std::vector<ImportSyntax> imports;       ///< at any depth
};

StatementNames namesOf(const Statement& statement);
/// The import that the statement is; none for one of __future__, which is no module.
std::optional<ImportSyntax> importOf(const Statement& statement);

} // namespace fx
