// SPDX-License-Identifier: GPL-3.0-or-later
// A function of Python source, and what it tells of itself.
#pragma once

#include "core/python/tree.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// A function defined in Python source.
struct DefinedFunction {
    std::shared_ptr<const SourceFile> file;
    const FunctionTree* tree = nullptr;
    std::string name, qualifiedName, module;
    Value globals;                              ///< a DictObject
    std::vector<std::optional<Value>> defaults; ///< one for each parameter
    Values cells;                               ///< CellObjects for the tree's free names
    Value dict;                                 ///< a DictObject: the function's own attributes
    Value annotations;                          ///< a DictObject
    Value doc;
    bool recordsAsserts = false; ///< as in Frame
};

/// function.__code__.
Value codeOf(Evaluator& evaluator, const DefinedFunction& function);
/// function.__defaults__ = value, or __kwdefaults__.
void setDefaults(Evaluator& evaluator, DefinedFunction& function, bool areKeywords, const Value& value);

} // namespace fx
