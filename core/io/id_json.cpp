// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/id_json.h"

#include "core/base/text.h"
#include "core/io/fxg/fxg_members.h"

#include <algorithm>

namespace fx::idjson {

namespace {

int64_t idOfNode(NodeId id) {
    return id.value;
}

/// Attributes of modules hold no nodes.
Argument plainArgumentFrom(const JsonDocument& json, const Json& value) {
    return argumentFromJson(json, value, [&](int64_t) -> NodeId { json.fail(value, "holds a node"); });
}

std::string memberNameFrom(const JsonDocument& json, const Json& value) {
    std::string name = json.string(value);
    if (name.empty() || contains(name, ".")) // would be taken for a path
        json.fail(value, "cannot name a member of a module");
    return name;
}

} // namespace

const Json& parts(const JsonDocument& json, const Json& value, size_t count) {
    if (!value.is_array() || value.size() != count)
        json.fail(value, "should be a list of " + std::to_string(count));
    return value;
}

Json argumentsJson(const CallArguments& arguments) {
    Json args = Json::array(), kwargs = Json::array(), reads = Json::array();
    for (const Argument& argument : arguments.args)
        args.push_back(toJson(argument, idOfNode));
    for (const auto& [key, argument] : arguments.kwargs)
        kwargs.push_back(Json::array({key, toJson(argument, idOfNode)}));
    for (const InputUse& use : arguments.inputs)
        reads.push_back(Json::array({use.node.value, use.sequence}));
    return Json::array({std::move(args), std::move(kwargs), std::move(reads)});
}

CallArguments argumentsFrom(const JsonDocument& json, const Json& value) {
    CallArguments out;
    parts(json, value, 3);
    const auto nodeAt = [&](int64_t id) { return idFrom<NodeId>(json, Json(id)); };
    for (const Json& argument : json.array(value[0]))
        out.args.push_back(argumentFromJson(json, argument, nodeAt));
    for (const Json& argument : json.array(value[1])) {
        parts(json, argument, 2);
        out.kwargs.emplace_back(json.string(argument[0]), argumentFromJson(json, argument[1], nodeAt));
    }
    for (const Json& use : json.array(value[2])) {
        parts(json, use, 2);
        const int64_t sequence = json.integer(use[1]);
        if (sequence < 0 || sequence > std::numeric_limits<int32_t>::max())
            json.fail(use, "is no place among users");
        out.inputs.push_back({idFrom<NodeId>(json, use[0]), static_cast<uint32_t>(sequence)});
    }
    return out;
}

Opcode opcodeFrom(const JsonDocument& json, const Json& value) {
    const std::optional<Opcode> opcode = opcodeFromName(json.string(value));
    if (!opcode)
        json.fail(value, "is no opcode that is known");
    return *opcode;
}

Json grantJson(const NameGrant& grant) {
    return Json::array({grant.name, grant.count, grant.countBefore ? Json(*grant.countBefore) : Json()});
}

NameGrant grantFrom(const JsonDocument& json, const Json& value) {
    parts(json, value, 3);
    NameGrant grant{json.string(value[0]), json.integer(value[1]), std::nullopt};
    if (!value[2].is_null())
        grant.countBefore = json.integer(value[2]);
    return grant;
}

Json metaJson(const SharedMeta& meta) {
    return meta ? toJson(*meta.get(), idOfNode) : Json();
}

SharedMeta sharedMetaFrom(const JsonDocument& json, const Json& value) {
    return metaFromJson(json, value, [&](int64_t id) { return idFrom<NodeId>(json, Json(id)); });
}

Json metaJson(const Meta& meta) {
    Json out = Json::array();
    for (const auto& [key, value] : meta.entries())
        out.push_back(Json::array({key, metaJson(value)}));
    return out;
}

Meta metaEntriesFrom(const JsonDocument& json, const Json& value) {
    Meta out;
    for (const Json& entry : json.array(value)) {
        parts(json, entry, 2);
        out.set(json.string(entry[0]), sharedMetaFrom(json, entry[1]));
    }
    return out;
}

Json entryJson(const NamedModule& entry) {
    return Json::array({entry.name, idJson(entry.module)});
}
Json entryJson(const NamedTensor& entry) {
    return Json::array(
        {entry.name, idJson(entry.tensor), std::string(fxg::kRoles[static_cast<size_t>(entry.role)])});
}
Json entryJson(const NamedValue& entry) {
    return Json::array({entry.name, toJson(entry.value, idOfNode)});
}

template <>
NamedModule entryFrom(const JsonDocument& json, const Json& value) {
    parts(json, value, 2);
    return {memberNameFrom(json, value[0]), idFrom<ModuleId>(json, value[1])};
}
template <>
NamedTensor entryFrom(const JsonDocument& json, const Json& value) {
    parts(json, value, 3);
    const auto role = std::ranges::find(fxg::kRoles, json.string(value[2]));
    if (role == std::end(fxg::kRoles))
        json.fail(value[2], "is no role of a tensor");
    return {memberNameFrom(json, value[0]), idFrom<TensorId>(json, value[1]),
            static_cast<TensorRole>(role - std::begin(fxg::kRoles))};
}
template <>
NamedValue entryFrom(const JsonDocument& json, const Json& value) {
    parts(json, value, 2);
    return {memberNameFrom(json, value[0]), plainArgumentFrom(json, value[1])};
}

} // namespace fx::idjson
