// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tree_spec_json.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/json.h"

namespace fx {

namespace {

Argument keyOf(const JsonDocument& json, const Json& key) {
    if (key.is_string())
        return Argument(key.get<std::string>());
    if (key.is_number_integer())
        return Argument(json.integer(key));
    if (key.is_boolean())
        return Argument(key.get<bool>());
    if (key.is_number())
        return Argument(json.number(key));
    if (key.is_null())
        return Argument();
    return Argument(OpaqueValue{key.dump()});
}

TreeSpec build(const JsonDocument& json, const Json& node) {
    TreeSpec spec;
    const Json* type = json.find(node, "type");
    for (const Json& child : json.array(json.member(node, "children_spec")))
        spec.children.push_back(build(json, child));
    if (!type)
        return spec;
    spec.type = json.string(*type);
    spec.kind = TreeSpec::kindOf(spec.type);
    const Json* context = json.find(node, "context");
    if (spec.kind == TreeSpec::Kind::NamedTuple && context && context->is_string())
        spec.type = context->get<std::string>();
    if (spec.kind != TreeSpec::Kind::Dict || !context)
        return spec;
    // A dict's keys are JSON inside a JSON string; a defaultdict has them in an object.
    if (context->is_string()) {
        const JsonDocument keys(context->get<std::string>(), "keys of a tree spec");
        for (const Json& key : keys.array(keys.root()))
            spec.keys.push_back(keyOf(keys, key));
    } else {
        for (const Json& key : json.array(json.member(*context, "dict_context")))
            spec.keys.push_back(keyOf(json, key));
    }
    if (spec.keys.size() != spec.children.size())
        json.fail(node,
                  "has " + plural(spec.keys.size(), "key") + " for " + plural(spec.children.size(), "value"));
    return spec;
}

Json keyJson(const Argument& key, const std::string& place) {
    if (const auto* text = key.as<std::string>())
        return *text;
    if (const auto* number = key.as<int64_t>())
        return *number;
    if (const auto* flag = key.as<bool>())
        return *flag;
    if (const auto* number = key.as<double>())
        return *number;
    if (key.isNone())
        return {};
    throw Error(place, "has a dict with a key that is no text and no number");
}

Json writtenSpec(const TreeSpec& spec, const std::string& place) {
    using Kind = TreeSpec::Kind;
    Json children = Json::array();
    for (const TreeSpec& child : spec.children)
        children.push_back(writtenSpec(child, place));
    if (spec.kind == Kind::Leaf)
        return {{"type", nullptr}, {"context", nullptr}, {"children_spec", std::move(children)}};
    std::string context = "null";
    if (spec.kind == Kind::Dict && spec.type != "collections.defaultdict") {
        Json keys = Json::array();
        for (const Argument& key : spec.keys)
            keys.push_back(keyJson(key, place));
        context = jsonText(keys);
    } else if (spec.type != "builtins.tuple" && spec.type != "builtins.list") {
        throw Error(place, "is made of " + pythonRepr(spec.type) +
                               ", which cannot be written; lists, tuples and dicts can");
    }
    return {{"type", spec.type}, {"context", context}, {"children_spec", std::move(children)}};
}

} // namespace

std::string treeSpecText(const TreeSpec& spec, const std::string& place) {
    return jsonText(Json::array({1, writtenSpec(spec, place)}));
}

TreeSpec parseTreeSpec(const std::string& text, const std::string& place) {
    const JsonDocument json(text, place);
    const Json& root = json.array(json.root());
    if (root.size() != 2 || json.integer(root[0]) != 1)
        json.fail(root, "is a tree spec of another protocol than 1");
    return build(json, root[1]);
}

} // namespace fx
