// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/arguments.h"

#include "core/base/text.h"
#include "core/python/defined_function.h"
#include "core/python/frame.h"

#include <algorithm>

namespace fx {

namespace {

using ParameterKind = FunctionTree::Parameter::Kind;

/// "'a' and 'b'", "'a', 'b', and 'c'".
std::string quotedList(const std::vector<std::string>& names) {
    std::string out;
    for (size_t i = 0; i < names.size(); ++i) {
        if (i > 0)
            out += names.size() > 2 ? (i + 1 == names.size() ? ", and " : ", ") : " and ";
        out += '\'' + names[i] + '\'';
    }
    return out;
}

[[noreturn]] void missing(const std::string& function, const std::vector<std::string>& names,
                          const char* sort) {
    raise("TypeError", function + "() missing " + std::to_string(names.size()) + " required " + sort +
                           " argument" + (names.size() == 1 ? "" : "s") + ": " + quotedList(names));
}

[[noreturn]] void tooMany(const DefinedFunction& function, size_t given, size_t keywordOnly) {
    size_t most = 0, least = 0;
    for (size_t i = 0; i < function.tree->parameters.size(); ++i) {
        const FunctionTree::Parameter& p = function.tree->parameters[i];
        if (p.kind == ParameterKind::Positional || p.kind == ParameterKind::PositionalOnly) {
            ++most;
            least += function.defaults[i] ? 0 : 1;
        }
    }
    const std::string takes = least == most ? std::to_string(most)
                                            : "from " + std::to_string(least) + " to " + std::to_string(most);
    const bool isPlural = most != 1 || least != most;
    std::string text = function.qualifiedName + "() takes " + takes + " positional argument" +
                       (isPlural ? "s" : "") + " but " + std::to_string(given);
    if (keywordOnly > 0)
        text += std::string(" positional argument") + (given == 1 ? "" : "s") + " (and " +
                std::to_string(keywordOnly) + " keyword-only argument" + (keywordOnly == 1 ? "" : "s") + ')';
    text += given == 1 && keywordOnly == 0 ? " was given" : " were given";
    raise("TypeError", text);
}

} // namespace

void bindArguments(const DefinedFunction& function, Frame& frame, Values& args, NamedValues& kwargs) {
    const FunctionTree& tree = *function.tree;
    const auto put = [&](const FunctionTree::Parameter& parameter, Value value) {
        if (parameter.isCell)
            frame.cells[static_cast<size_t>(parameter.slot)].as<CellObject>()->value = std::move(value);
        else
            frame.locals[static_cast<size_t>(parameter.slot)] = std::move(value);
    };
    size_t next = 0;
    size_t used = 0, usedKeywordOnly = 0; // keywords that found their parameter
    std::vector<std::string> lacking, lackingKeywords;
    const FunctionTree::Parameter* rest = nullptr;
    const auto find = [&](const std::string& name) -> std::pair<std::string, Value>* {
        for (auto& entry : kwargs)
            if (entry.first == name)
                return &entry;
        return nullptr;
    };
    bool takesAny = false;
    for (size_t i = 0; i < tree.parameters.size(); ++i) {
        const FunctionTree::Parameter& parameter = tree.parameters[i];
        const bool isPositional =
            parameter.kind == ParameterKind::Positional || parameter.kind == ParameterKind::PositionalOnly;
        if (parameter.kind == ParameterKind::Args) {
            takesAny = true;
            Values extra(
                std::make_move_iterator(args.begin() + static_cast<ptrdiff_t>(std::min(next, args.size()))),
                std::make_move_iterator(args.end()));
            next = args.size();
            put(parameter, makeTuple(std::move(extra)));
            continue;
        }
        if (parameter.kind == ParameterKind::Kwargs) {
            rest = &parameter;
            continue;
        }
        auto* named = kwargs.empty() || parameter.kind == ParameterKind::PositionalOnly
                          ? nullptr
                          : find(parameter.name);
        if (isPositional && next < args.size()) {
            if (named)
                raise("TypeError", function.qualifiedName + "() got multiple values for argument '" +
                                       parameter.name + '\'');
            put(parameter, std::move(args[next++]));
        } else if (named) {
            put(parameter, std::move(named->second));
            named->first.clear();
            ++used;
            usedKeywordOnly += isPositional ? 0 : 1;
        } else if (function.defaults[i]) {
            put(parameter, *function.defaults[i]);
        } else {
            (isPositional ? lacking : lackingKeywords).push_back(parameter.name);
        }
    }
    if (used < kwargs.size() && !rest) {
        std::vector<std::string> positionalOnly;
        for (const FunctionTree::Parameter& parameter : tree.parameters)
            if (parameter.kind == ParameterKind::PositionalOnly && find(parameter.name))
                positionalOnly.push_back(parameter.name);
        if (!positionalOnly.empty())
            raise("TypeError", function.qualifiedName +
                                   "() got some positional-only arguments passed as keyword arguments: '" +
                                   join(positionalOnly, ", ") + '\'');
        for (const auto& [name, value] : kwargs)
            if (!name.empty())
                raise("TypeError",
                      function.qualifiedName + "() got an unexpected keyword argument '" + name + '\'');
    }
    if (next < args.size() && !takesAny)
        tooMany(function, args.size(), usedKeywordOnly);
    if (!lacking.empty())
        missing(function.qualifiedName, lacking, "positional");
    if (!lackingKeywords.empty())
        missing(function.qualifiedName, lackingKeywords, "keyword-only");
    if (rest) {
        DictObject dict;
        for (auto& [name, value] : kwargs)
            if (!name.empty())
                dict.set(name, std::move(value));
        put(*rest, Object{std::move(dict)});
    }
}

void requireArguments(const char* name, const Values& args, size_t least, size_t most) {
    if (args.size() >= least && args.size() <= most)
        return;
    const std::string given = std::to_string(args.size());
    if (least == most && most <= 1)
        raise("TypeError", std::string(name) + "() takes " +
                               (most == 0 ? "no arguments" : "exactly one argument") + " (" + given +
                               " given)");
    if (least == most)
        raise("TypeError",
              std::string(name) + " expected " + std::to_string(most) + " arguments, got " + given);
    const bool isFew = args.size() < least;
    const size_t bound = isFew ? least : most;
    raise("TypeError", std::string(name) + " expected at " + (isFew ? "least " : "most ") +
                           std::to_string(bound) + " argument" + (bound == 1 ? "" : "s") + ", got " + given);
}

void refuseKeywords(const char* name, const NamedValues& kwargs) {
    if (!kwargs.empty())
        raise("TypeError", std::string(name) + "() takes no keyword arguments");
}

std::optional<Value> takeKeyword(NamedValues& kwargs, std::string_view name) {
    const auto found =
        std::find_if(kwargs.begin(), kwargs.end(), [&](const auto& k) { return k.first == name; });
    if (found == kwargs.end())
        return std::nullopt;
    Value out = std::move(found->second);
    kwargs.erase(found);
    return out;
}

} // namespace fx
