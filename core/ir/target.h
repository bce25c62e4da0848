// SPDX-License-Identifier: GPL-3.0-or-later
// What a node calls or reads: a name, interned, so that comparing and copying targets costs nothing.
// The name is torch.fx's own: "torch.relu", "operator.add", "torch.ops.aten.add.Tensor", a bare builtin
// ("sum"), a method ("view"), a path below the module ("layer1.0.conv"). core/torch knows what is behind it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace fx {

class Target {
public:
    Target() = default;
    Target(std::string_view name); // NOLINT: a name is a target wherever one is asked for
    Target(const char* name) : Target(std::string_view(name)) {}
    Target(const std::string& name) : Target(std::string_view(name)) {}

    const std::string& name() const;
    explicit operator bool() const { return m_entry != nullptr; }
    bool operator==(const Target&) const = default;

    /// A bare name, as Python's builtins have.
    bool isBuiltin() const;
    /// `__name__` of a function: "add.Tensor" of an overload, else what follows the last dot.
    std::string_view functionName() const;
    /// Its qualified name in Python: "_operator.add" of operator.add, otherwise name().
    std::string qualifiedName() const;
    /// Whether generated code can name the function as it is, because it hangs below the module torch.
    bool isFromTorch() const;
    /// "torch.ops.NAMESPACE.NAME.OVERLOAD".
    bool isOperatorOverload() const;
    /// "torch.ops.higher_order.NAME".
    bool isHigherOrder() const;

private:
    friend struct std::hash<Target>;
    struct Entry;
    const Entry* m_entry = nullptr;
};

} // namespace fx

template <>
struct std::hash<fx::Target> {
    size_t operator()(fx::Target target) const noexcept { return std::hash<const void*>()(target.m_entry); }
};
