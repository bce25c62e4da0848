// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/function_table.h"

#include "core/base/text.h"
#include "core/ir/torch_constants.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <map>
#include <stdexcept>
#include <unordered_set>

namespace fx {

std::string_view torchTables(std::string_view name); // generated from tables/*.txt

namespace {

std::string_view nextWord(std::string_view& line) {
    const size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return word;
}

/// Cuts at the commas outside quotes and brackets.
std::vector<std::string_view> splitList(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    char quote = 0;
    size_t start = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote) {
            quote = c == quote ? 0 : quote;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == ')') {
            depth += c == '(' ? 1 : -1;
        } else if (c == ',' && depth == 0) {
            parts.push_back(trim(text.substr(start, i - start)));
            start = i + 1;
        }
    }
    if (const auto last = trim(text.substr(start)); !last.empty())
        parts.push_back(last);
    return parts;
}

std::vector<Parameter> parametersOf(std::string_view signature) {
    std::vector<Parameter> parameters;
    ParameterKind kind = ParameterKind::Positional;
    for (std::string_view word : splitList(signature)) {
        if (word == "/") {
            for (Parameter& earlier : parameters)
                earlier.kind = ParameterKind::PositionalOnly;
            continue;
        }
        if (word == "*") {
            kind = ParameterKind::KeywordOnly;
            continue;
        }
        Parameter& parameter = parameters.emplace_back(Parameter{word, kind, std::nullopt});
        if (word.starts_with("**")) {
            parameter.name = word.substr(2);
            parameter.kind = ParameterKind::VarKeyword;
        } else if (word.starts_with("*")) {
            parameter.name = word.substr(1);
            parameter.kind = ParameterKind::VarPositional;
            kind = ParameterKind::KeywordOnly;
        } else if (const size_t equals = word.find('='); equals != std::string_view::npos) {
            parameter.name = word.substr(0, equals);
            parameter.defaultValue = constantFromText(word.substr(equals + 1));
        }
    }
    return parameters;
}

std::optional<size_t> indexOf(const std::vector<Parameter>& parameters, std::string_view name) {
    for (size_t i = 0; i < parameters.size(); ++i)
        if (parameters[i].name == name)
            return i;
    return std::nullopt;
}

CheckedParameter checkedParameter(const FunctionRow& row, std::string_view word) {
    const bool items = word.starts_with("*");
    return {indexOf(row.parameters, items ? word.substr(1) : word).value(), items};
}

RecordedArgument recordedArgument(const FunctionRow& row, std::string_view word) {
    RecordedArgument argument;
    const size_t equals = word.find('=');
    if (equals != std::string_view::npos && isIdentifier(word.substr(0, equals))) {
        argument.key = word.substr(0, equals);
        word.remove_prefix(equals + 1);
    }
    argument.spread = word.starts_with("*");
    argument.parameter = indexOf(row.parameters, argument.spread ? word.substr(1) : word);
    if (!argument.parameter)
        argument.constant = constantFromText(word);
    return argument;
}

/// A line that belongs to the row above it.
void addDetail(FunctionRow& row, std::string_view line) {
    if (line.starts_with("(")) {
        row.parameters = parametersOf(line.substr(1, line.size() - 2));
        return;
    }
    const std::string_view label = nextWord(line);
    if (label == "checks") {
        for (std::string_view word : splitList(line))
            row.checks.push_back(checkedParameter(row, word));
    } else if (label == "records") {
        for (std::string_view word : splitList(line))
            row.records.push_back(recordedArgument(row, word));
    } else if (label == "sizes") {
        row.sizesMessage = replaceAll(std::string(line), "\\n", "\n");
    } else if (label == "by") {
        row.choice.emplace();
        row.choice->flag = nextWord(line);
        row.choice->position = std::stoul(std::string(nextWord(line)));
        row.choice->byDefault = line == "True";
    } else if (label == "true") {
        row.choice->ifTrue = line;
    } else if (label == "false") {
        row.choice->ifFalse = line;
    }
}

FunctionKind kindFromWord(std::string_view word) {
    static constexpr std::pair<std::string_view, FunctionKind> kinds[] = {
        {"builtin", FunctionKind::Builtin},  {"method", FunctionKind::Builtin},
        {"native", FunctionKind::Native},    {"python", FunctionKind::Python},
        {"switch", FunctionKind::Switch},    {"body", FunctionKind::Body},
        {"class", FunctionKind::Class},      {"module", FunctionKind::Module},
        {"value", FunctionKind::Value},      {"wrapped", FunctionKind::Wrapped},
        {"property", FunctionKind::Property}};
    for (const auto& [name, kind] : kinds)
        if (name == word)
            return kind;
    throw std::logic_error("function table: unknown kind of row '" + std::string(word) + "'");
}

struct Table {
    std::vector<FunctionRow> rows;                                      ///< sorted by publicName
    std::vector<std::pair<std::string_view, std::string_view>> aliases; ///< sorted by the first name

    explicit Table(std::string_view text) {
        for (std::string_view line : split(text, '\n')) {
            if (line.starts_with("  "))
                addDetail(rows.back(), line.substr(2));
            else if (!line.empty() && !line.starts_with("#"))
                addRow(line);
        }
    }
    void addRow(std::string_view line) {
        const std::string_view kind = nextWord(line), name = nextWord(line);
        if (kind == "same") {
            aliases.emplace_back(name, line);
            return;
        }
        FunctionRow& row = rows.emplace_back();
        row.kind = kindFromWord(kind);
        row.publicName = name;
        if (row.kind == FunctionKind::Value) {
            row.valueType = nextWord(line);
            row.value = constantFromText(line);
        } else {
            row.target = Target(line.empty() || line == "=" ? name : line);
        }
    }
    const FunctionRow* find(std::string_view name) const {
        const auto row = std::ranges::lower_bound(rows, name, {}, &FunctionRow::publicName);
        if (row != rows.end() && row->publicName == name)
            return &*row;
        const auto alias =
            std::ranges::lower_bound(aliases, name, {}, [](const auto& pair) { return pair.first; });
        return alias != aliases.end() && alias->first == name ? find(alias->second) : nullptr;
    }
};

const Table& functions() {
    static const Table table(torchTables("functions.txt"));
    return table;
}

const Table& members() {
    static const Table table(torchTables("tensor_members.txt"));
    return table;
}

} // namespace

const FunctionRow* findFunction(std::string_view publicName) {
    const FunctionRow* row = functions().find(publicName);
    constexpr std::string_view kInC = "torch._VF.";
    if (!row && publicName.starts_with(kInC)) {
        row = functions().find("torch." + std::string(publicName.substr(kInC.size())));
        if (row && row->kind != FunctionKind::Builtin)
            return nullptr;
    }
    return row;
}

bool isFunctionOfTorch(Target target) {
    static const auto kTargets = [] {
        std::unordered_set<Target> out;
        for (const FunctionRow& row : functions().rows)
            if (row.kind <= FunctionKind::Body)
                out.insert({Target(row.publicName), row.target});
        return out;
    }();
    return kTargets.contains(target);
}

const FunctionRow* findTensorMember(std::string_view name) {
    return members().find(name);
}

std::vector<std::string_view> namesOfTensor() {
    std::vector<std::string_view> out;
    for (const FunctionRow& row : members().rows)
        out.push_back(row.publicName);
    return out;
}

Argument constantFromText(std::string_view text) {
    if (text == "None")
        return NoneValue();
    if (text == "True" || text == "False")
        return text == "True";
    if (text == "inf" || text == "nan")
        return text == "inf" ? std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    if (text.starts_with("'") || text.starts_with("\""))
        return std::string(text.substr(1, text.size() - 2)); // no constant in the tables has an escape
    if (text.starts_with("(")) {
        TupleValue tuple;
        for (std::string_view item : splitList(text.substr(1, text.size() - 2)))
            tuple.items.push_back(constantFromText(item));
        return tuple;
    }
    if (text.starts_with("torch."))
        if (auto constant = torchConstant(text))
            return std::move(*constant);
    int64_t whole = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (fault == std::errc() && end == text.data() + text.size())
        return whole;
    const std::string digits(text);
    char* rest = nullptr;
    const double real = std::strtod(digits.c_str(), &rest);
    if (rest == digits.c_str() + digits.size() && !digits.empty())
        return real;
    return OpaqueValue{digits};
}

const std::vector<std::string_view>* namesOfModule(std::string_view module) {
    static const std::map<std::string_view, std::vector<std::string_view>> modules = [] {
        std::map<std::string_view, std::vector<std::string_view>> out;
        for (std::string_view line : split(torchTables("module_names.txt"), '\n')) {
            const std::string_view name = nextWord(line);
            if (!name.empty() && name != "#")
                out[name] = split(line, ' ');
        }
        return out;
    }();
    const auto found = modules.find(module);
    return found == modules.end() ? nullptr : &found->second;
}

} // namespace fx
