// SPDX-License-Identifier: GPL-3.0-or-later
// The options of one call of a pass: texts that a user wrote, checked and with their types.
#pragma once

#include "core/passes/pass.h"

#include <map>
#include <set>
#include <variant>

namespace fx {

using OptionValue = std::variant<bool, int64_t, double, std::string, std::vector<std::string>>;

/// The value that a text means for an option. Throws an Error that names the option and says what it takes.
OptionValue parseOption(const PassOption& option, std::string_view text);

/// True if `text` gives the option the value that it has when it is not given. A flag without a default is
/// off.
bool isDefault(const PassOption& option, std::string_view text);

/// What a command line has for it, and what that does: --no-measure for what is so without it.
std::string flagOf(const PassOption& option);
std::string flagHelpOf(const PassOption& option);

class PassOptions {
public:
    /// Texts by the names of the pass's options; one that is not given has its default. Throws an Error for a
    /// text that is no value of its option, for what is required and missing, and for a name that is none of
    /// the pass's.
    PassOptions(const Pass& pass, const std::map<std::string, std::string>& texts);

    bool has(std::string_view name) const;
    /// Whether the user wrote it, and it is not the default.
    bool isGiven(std::string_view name) const { return m_given.contains(name); }
    // What an option holds; for one that is not given false, 0 or nothing. An option that is not in the row,
    // or has another type there, is the pass's mistake: std::logic_error.
    bool flag(std::string_view name) const;
    int64_t integer(std::string_view name) const;
    double number(std::string_view name) const;
    /// Of a String, Choice or Path.
    const std::string& text(std::string_view name) const;
    /// In the order in which they were written.
    std::vector<NodeId> nodes(std::string_view name, const Graph& graph) const;

    /// Throws an Error where an option names a node that the graph does not have.
    void requireNodes(const Graph& graph) const;

private:
    template <class T>
    const T& held(std::string_view name) const;

    std::map<std::string, OptionType, std::less<>> m_types;
    std::map<std::string, OptionValue, std::less<>> m_values;
    std::set<std::string, std::less<>> m_given;
};

} // namespace fx
