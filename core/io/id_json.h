// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that snapshots and changes have in common (change_json.h), with ids as they are. No id is written as
// -1. Readers throw an Error for what is of the wrong kind.
#pragma once

#include "core/io/argument_json.h"
#include "core/module/follow.h"

#include <limits>

namespace fx::idjson {

template <class Id>
Json idJson(Id id) {
    return id.value;
}
template <class Id>
Id idFrom(const JsonDocument& json, const Json& value) {
    const int64_t id = json.integer(value);
    if (id < -1 || id > std::numeric_limits<int32_t>::max() - 1)
        json.fail(value, "is no id");
    return Id{static_cast<int32_t>(id)};
}
/// A list of that many parts.
const Json& parts(const JsonDocument& json, const Json& value, size_t count);

Json argumentsJson(const CallArguments& arguments);
CallArguments argumentsFrom(const JsonDocument& json, const Json& value);
Opcode opcodeFrom(const JsonDocument& json, const Json& value);

Json grantJson(const NameGrant& grant);
NameGrant grantFrom(const JsonDocument& json, const Json& value);

/// None is null.
Json metaJson(const SharedMeta& meta);
SharedMeta sharedMetaFrom(const JsonDocument& json, const Json& value);
Json metaJson(const Meta& meta);
Meta metaEntriesFrom(const JsonDocument& json, const Json& value);

Json entryJson(const NamedModule& entry);
Json entryJson(const NamedTensor& entry);
Json entryJson(const NamedValue& entry);
template <class Entry>
Entry entryFrom(const JsonDocument& json, const Json& value);
template <>
NamedModule entryFrom(const JsonDocument& json, const Json& value);
template <>
NamedTensor entryFrom(const JsonDocument& json, const Json& value);
template <>
NamedValue entryFrom(const JsonDocument& json, const Json& value);

/// With its graph. Its id is its place in the list.
Json moduleJson(const Module& module);
Module moduleFrom(const JsonDocument& json, const Json& value);

} // namespace fx::idjson
