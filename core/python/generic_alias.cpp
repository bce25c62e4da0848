// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/generic_alias.h"

#include "core/python/evaluator.h"

#include <algorithm>

namespace fx {

Value unionOf(Evaluator& evaluator, const Value& a, const Value& b) {
    Values parts;
    const auto addOnce = [&](const Value& part) {
        if (std::none_of(parts.begin(), parts.end(),
                         [&](const Value& known) { return areEqual(evaluator, known, part); }))
            parts.push_back(part);
    };
    for (const Value& part : {a, b}) {
        const auto* alias = part.as<AliasObject>();
        if (alias && alias->origin.isNone())
            std::ranges::for_each(alias->arguments, addOnce);
        else
            addOnce(part.isNone() ? evaluator.typeOf(part) : part);
    }
    if (parts.size() == 1)
        return parts[0];
    const Value none = evaluator.typeOf(Value());
    std::string text;
    for (const Value& part : parts) {
        const auto* type = part.as<ClassObject>();
        const bool isBuiltin = type && type->data->module == "builtins";
        text += (text.empty() ? "" : " | ") + (part.isSame(none) ? "None"
                                               : isBuiltin       ? type->data->qualifiedName
                                               : type ? type->data->module + '.' + type->data->qualifiedName
                                                      : evaluator.repr(part));
    }
    return Object{AliasObject{Value(), std::move(parts), text}};
}

Value aliasOf(Evaluator& evaluator, const Value& origin, const Value& index) {
    static constexpr std::string_view kGeneric[] = {"list", "dict", "tuple", "set", "frozenset", "type"};
    const auto* type = origin.as<ClassObject>();
    if (type && !(type->data->isBuiltin && std::find(std::begin(kGeneric), std::end(kGeneric),
                                                     type->data->name) != std::end(kGeneric)))
        raise("TypeError", "type '" + type->data->name + "' is not subscriptable");
    return makeAlias(evaluator, origin, index);
}

Value makeAlias(Evaluator& evaluator, const Value& origin, const Value& index) {
    const auto textOf = [&](const Value& part) {
        const auto* data = part.as<ClassObject>();
        const auto* leaf = part.as<Argument>();
        if (leaf && leaf->as<EllipsisValue>())
            return std::string("...");
        if (!data)
            return evaluator.repr(part);
        return data->data->module == "builtins" ? data->data->qualifiedName
                                                : data->data->module + '.' + data->data->qualifiedName;
    };
    Values parts = itemsOf(index).value_or(Values{index});
    std::string text = parts.empty() ? "()" : "";
    for (const Value& part : parts)
        text += (text.empty() ? "" : ", ") + textOf(part);
    return Object{AliasObject{origin, std::move(parts), textOf(origin) + '[' + text + ']'}};
}

} // namespace fx
