// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/pass_options.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace fx {

namespace {

[[noreturn]] void refuseText(const PassOption& option, std::string_view text, const std::string& wanted) {
    throw Error("--" + option.name, pythonRepr(text) + " is not " + wanted);
}

template <class Number>
Number parseNumber(const PassOption& option, std::string_view text, const char* wanted) {
    Number number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc() || end != text.data() + text.size())
        refuseText(option, text, wanted);
    return number;
}

OptionValue emptyValue(OptionType type) {
    switch (type) {
    case OptionType::Bool:
        return false;
    case OptionType::Int:
        return int64_t(0);
    case OptionType::Float:
        return 0.0;
    case OptionType::Nodes:
        return std::vector<std::string>();
    default:
        return std::string();
    }
}

bool isOnWithout(const PassOption& option) {
    return option.type == OptionType::Bool && option.byDefault == "true";
}

} // namespace

bool isDefault(const PassOption& option, std::string_view text) {
    return text == option.byDefault ||
           (option.type == OptionType::Bool && option.byDefault.empty() && text == "false");
}

std::string flagOf(const PassOption& option) {
    return (isOnWithout(option) ? "--no-" : "--") + option.name;
}

std::string flagHelpOf(const PassOption& option) {
    return (isOnWithout(option) && !option.help.empty() ? "without it: " : "") + option.help;
}

OptionValue parseOption(const PassOption& option, std::string_view given) {
    const std::string_view text = option.type == OptionType::String ? given : trim(given);
    switch (option.type) {
    case OptionType::Bool:
        if (text != "true" && text != "false")
            refuseText(option, text, "true or false");
        return text == "true";
    case OptionType::Int:
        return parseNumber<int64_t>(option, text, "a whole number");
    case OptionType::Float:
        return parseNumber<double>(option, text, "a number");
    case OptionType::Choice:
        if (std::find(option.choices.begin(), option.choices.end(), text) == option.choices.end())
            refuseText(option, text, "one of " + join(option.choices, ", "));
        return std::string(text);
    case OptionType::Nodes: {
        std::vector<std::string> names;
        for (const std::string_view name : split(text, ','))
            if (!trim(name).empty())
                names.emplace_back(trim(name));
        return names;
    }
    default:
        return std::string(text);
    }
}

PassOptions::PassOptions(const Pass& pass, const std::map<std::string, std::string>& texts) {
    std::vector<std::string> flags;
    for (const PassOption& option : pass.options) {
        flags.push_back("--" + option.name);
        m_types.emplace(option.name, option.type);
        const auto given = texts.find(option.name);
        const std::string& text = given != texts.end() ? given->second : option.byDefault;
        if (given != texts.end() && !isDefault(option, given->second))
            m_given.insert(option.name);
        if (!text.empty())
            m_values.emplace(option.name, parseOption(option, text));
        else if (option.isRequired)
            throw Error("--" + option.name, "is needed by " + pass.name).hint(option.help);
    }
    for (const auto& [name, text] : texts)
        if (!m_types.contains(name))
            throw Error("--" + name, "is no option of " + pass.name)
                .hint(flags.empty() ? "it has none" : "it has " + join(flags, ", "));
}

bool PassOptions::has(std::string_view name) const {
    return m_values.contains(name);
}

template <class T>
const T& PassOptions::held(std::string_view name) const {
    const auto type = m_types.find(name);
    static const T kNone{};
    if (type == m_types.end() || !std::holds_alternative<T>(emptyValue(type->second)))
        throw std::logic_error("the pass has no such option of that type: " + std::string(name));
    const auto value = m_values.find(name);
    return value != m_values.end() ? std::get<T>(value->second) : kNone;
}

bool PassOptions::flag(std::string_view name) const {
    return held<bool>(name);
}

int64_t PassOptions::integer(std::string_view name) const {
    return held<int64_t>(name);
}

double PassOptions::number(std::string_view name) const {
    return held<double>(name);
}

const std::string& PassOptions::text(std::string_view name) const {
    return held<std::string>(name);
}

std::vector<NodeId> PassOptions::nodes(std::string_view name, const Graph& graph) const {
    std::vector<NodeId> out;
    for (const std::string& node : held<std::vector<std::string>>(name)) {
        out.push_back(graph.find(node));
        if (!out.back())
            throw Error("--" + std::string(name), "there is no node " + pythonRepr(node) + " in this graph");
    }
    return out;
}

void PassOptions::requireNodes(const Graph& graph) const {
    for (const auto& [name, type] : m_types)
        if (type == OptionType::Nodes)
            nodes(name, graph);
}

} // namespace fx
