// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/argument_faults.h"

#include "core/base/text.h"
#include "core/python/evaluator.h"
#include "core/torch/bind/argument_parser.h"

#include <algorithm>
#include <unordered_map>

namespace fx {

std::string pythonTypeName(const Value& value) {
    if (value.isData() && value.data().isTuple())
        if (const auto type = value.data().toTupleRef().type<c10::TupleType>(); type->name())
            return type->name()->qualifiedName();
    const std::string name = typeName(value);
    const auto* instance = value.as<InstanceObject>();
    const auto* type = instance ? instance->type.as<ClassObject>() : nullptr;
    return type && type->data->module == "torch.return_types" ? "torch.return_types." + name : name;
}

void raiseExtraArguments(const CallSignature& signature, size_t given) {
    const std::string counts = signature.least != signature.mostPositional
                                   ? "from " + std::to_string(signature.least) + " to " +
                                         std::to_string(signature.mostPositional) + " positional arguments"
                                   : plural(signature.mostPositional, "positional argument");
    const bool isOne = given == 1 && signature.least == signature.mostPositional;
    raise("TypeError", std::string(signature.name) + "() takes " + counts + " but " + std::to_string(given) +
                           (isOne ? " was given" : " were given"));
}

void raiseMissingArguments(const CallSignature& signature, size_t from) {
    std::vector<std::string> names;
    for (size_t i = from; i < signature.parameters.size(); ++i)
        if (!signature.parameters[i].isOptional())
            names.push_back('"' + std::string(signature.parameters[i].name) + '"');
    // The plural is PyTorch's, and the other way round.
    raise("TypeError", std::string(signature.name) + "() missing " + std::to_string(names.size()) +
                           " required positional argument" + (names.size() == 1 ? "s" : "") + ": " +
                           join(names, ", "));
}

void raiseExtraKeywords(const CallSignature& signature, const NamedValues& kwargs, size_t positional) {
    for (const auto& [key, value] : kwargs) {
        const auto found = std::ranges::find(signature.parameters, key, &SignatureParameter::name);
        const auto at = static_cast<size_t>(found - signature.parameters.begin());
        if (found == signature.parameters.end())
            raise("TypeError",
                  std::string(signature.name) + "() got an unexpected keyword argument '" + key + '\'');
        if (at < positional)
            raise("TypeError",
                  std::string(signature.name) + "() got multiple values for argument '" + key + '\'');
    }
    raise("TypeError", "invalid keyword arguments");
}

void raiseWrongType(const CallSignature& signature, const SignatureParameter& parameter, const Value& given,
                    size_t position, int64_t failedAt) {
    std::string text = std::string(signature.name) + "(): argument '" + std::string(parameter.name) + "' ";
    if (position > 0)
        text += "(position " + std::to_string(position) + ") ";
    text += "must be " + std::string(typeText(parameter.type)) + ", ";
    const ListItems items(given);
    if (position > 0 && failedAt >= 0 && items.isList())
        text += "but found element of type " +
                pythonTypeName(items.values().at(static_cast<size_t>(failedAt))) + " at pos " +
                std::to_string(failedAt);
    else
        text += "not " + pythonTypeName(given);
    raise("TypeError", text);
}

void raiseWrongItem(const CallSignature& signature, const SignatureParameter& parameter, size_t at,
                    const std::string& given) {
    raise("TypeError", std::string(signature.name) + "(): argument '" + std::string(parameter.name) +
                           "' failed to unpack the object at pos " + std::to_string(at + 1) +
                           " with error \"type must be " + std::string(typeText(parameter.type)) +
                           ",but got " + given + '"');
}

void requireNothing(std::string_view method, const Values& args, const NamedValues& kwargs) {
    const std::string name = "TensorBase." + std::string(method) + "()";
    if (!kwargs.empty())
        raise("TypeError", name + " takes no keyword arguments");
    if (!args.empty())
        raise("TypeError", name + " takes no arguments (" + std::to_string(args.size()) + " given)");
}

namespace {

/// The keywords in the order in which PyTorch lists them: that of this very container.
using KeywordMap = std::unordered_map<std::string, const Value*>;

/// A parameter as PyTorch reads it back from the text of the overload, by which it explains what did not
/// match. That text has changed since the reader was written, so that a parameter with a default is named
/// after the default.
struct ShownParameter {
    std::string name, type;

    explicit ShownParameter(const std::string& text) {
        const size_t space = text.rfind(' ');
        name = text.substr(space + 1);
        type = text.substr(0, space);
    }
    bool matches(const Value& value) const {
        const std::string given = pythonTypeName(value);
        if (type == "float")
            return given == "float" || given == "int" || given == "long";
        if (type == "int")
            return given == "int" || given == "long";
        return given == type;
    }
};

std::vector<ShownParameter> shownParameters(const CallSignature& signature) {
    const std::string_view text = signature.text();
    std::vector<ShownParameter> out;
    for (size_t start = 1; start < text.size();) {
        const size_t comma = std::min(text.find(", ", start), text.size() - 1);
        out.emplace_back(std::string(text.substr(start, comma - start)));
        start = comma + 2;
    }
    return out;
}

std::string typesText(const Values& args, const KeywordMap& kwargs) {
    std::string out = "(";
    for (const Value& value : args)
        out += pythonTypeName(value) + ", ";
    for (const auto& [name, value] : kwargs)
        out += name + '=' + pythonTypeName(*value) + ", ";
    if (!args.empty()) // not for keywords alone: so PyTorch has it
        out.resize(out.size() - 2);
    return out + ')';
}

std::string itemTypesText(const Value& value) {
    const ListItems items(value);
    if (!items.isList())
        return pythonTypeName(value);
    const bool isTuple = pythonTypeName(value) != "list" && !(value.isData() && value.data().isList());
    std::vector<std::string> names;
    for (const Value& item : items.values())
        names.push_back(pythonTypeName(item));
    const std::string inside = join(names, ", ") + (isTuple && names.size() == 1 ? "," : "");
    return pythonTypeName(value) + " of " + (isTuple ? '(' + inside + ')' : '[' + inside + ']');
}

/// The types of the arguments, the wrong ones between exclamation marks.
std::string markedTypesText(const std::vector<ShownParameter>& parameters, const Values& args,
                            const KeywordMap& kwargs) {
    std::string out = "(";
    for (size_t i = 0; i < args.size() + kwargs.size(); ++i) {
        const bool isKeyword = i >= args.size();
        const Value& value = isKeyword ? *kwargs.at(parameters.at(i).name) : args[i];
        const std::string mark = i < parameters.size() && parameters[i].matches(value) ? "" : "!";
        out += mark + (isKeyword ? parameters[i].name + '=' : "") + itemTypesText(value) + mark + ", ";
    }
    if (!args.empty())
        out.resize(out.size() - 2);
    return out + ')';
}

std::vector<std::string> unknownKeywords(const std::vector<ShownParameter>& parameters,
                                         const KeywordMap& kwargs) {
    const size_t first = parameters.size() - std::min(parameters.size(), kwargs.size());
    std::vector<std::string> out;
    for (const auto& [name, value] : kwargs)
        if (std::find_if(parameters.begin() + static_cast<ptrdiff_t>(first), parameters.end(),
                         [&](const ShownParameter& p) { return p.name == name; }) == parameters.end())
            out.push_back(name);
    return out;
}

/// " * (Tensor input)\n", and what of the call does not match it.
std::string overloadText(const CallSignature& signature, const Values& args, const KeywordMap& kwargs) {
    std::string out = " * " + std::string(signature.text()) + '\n';
    const std::vector<ShownParameter> parameters = shownParameters(signature);
    if (parameters.size() != args.size() + kwargs.size())
        return out;
    const std::vector<std::string> unknown = unknownKeywords(parameters, kwargs);
    if (!unknown.empty())
        return out +
               "      didn't match because some of the keywords were incorrect: " + join(unknown, ", ") +
               '\n';
    return out + "      didn't match because some of the arguments have invalid types: " +
           markedTypesText(parameters, args, kwargs) + '\n';
}

/// Where one overload is shown, the call is explained by it alone.
std::string onlyOverloadText(const CallSignature& signature, const Values& args, const KeywordMap& kwargs) {
    const std::vector<ShownParameter> parameters = shownParameters(signature);
    const std::vector<std::string> unknown = unknownKeywords(parameters, kwargs);
    if (!unknown.empty())
        return "got unrecognized keyword arguments: " + join(unknown, ", ");
    const bool fitsCount = parameters.size() == args.size() + kwargs.size();
    return "got " + (fitsCount ? markedTypesText(parameters, args, kwargs) : typesText(args, kwargs)) +
           ", but expected " + std::string(signature.text());
}

} // namespace

void raiseNoOverload(const SignatureGroup& group, const Values& args, const NamedValues& kwargs) {
    KeywordMap keywords;
    for (const auto& [name, value] : kwargs)
        keywords.emplace(name, &value);
    std::vector<const CallSignature*> shown;
    for (const CallSignature& signature : group.signatures)
        if (!signature.isHidden)
            shown.push_back(&signature);
    std::string text = std::string(group.name) + "() received an invalid combination of arguments - ";
    if (shown.size() == 1)
        raise("TypeError", text + onlyOverloadText(*shown[0], args, keywords));
    text += "got " + typesText(args, keywords) + ", but expected one of:\n";
    for (const CallSignature* signature : shown)
        text += overloadText(*signature, args, keywords);
    raise("TypeError", text);
}

} // namespace fx
