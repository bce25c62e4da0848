// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of nodes written as Python: literals, torch's constants, and whatever else the caller knows, such
// as the names of nodes.
#pragma once

#include "core/ir/argument.h"
#include "core/python/tree.h"

#include <functional>
#include <optional>

namespace fx {

class ArgumentReader {
public:
    /// Asked first for each expression; none: read it as a literal.
    using Resolve = std::function<std::optional<Argument>(const Expression&)>;
    /// Throws an Error that says why the expression cannot be an argument.
    using Fail = std::function<void(const Expression&, const std::string& message)>;

    ArgumentReader(Resolve resolve, Fail fail) : m_resolve(std::move(resolve)), m_fail(std::move(fail)) {}
    Argument read(const Expression& e) const;

private:
    [[noreturn]] void fail(const Expression& e, const std::string& message) const;
    Arguments readAll(const std::vector<Expression>& parts, size_t first) const;
    Argument attribute(const Expression& e) const;
    Argument negated(const Expression& e) const;
    Argument call(const Expression& e) const;

    Resolve m_resolve;
    Fail m_fail;
};

/// "torch.nn.functional" of a chain of attributes that begins with a name; empty for anything else.
std::string dottedName(const Expression& e);
/// "layers.0.conv" of `getattr(self.layers, "0").conv`, empty of `self`; none for what does not begin with
/// self.
std::optional<std::string> pathBelowSelf(const Expression& e);

} // namespace fx
