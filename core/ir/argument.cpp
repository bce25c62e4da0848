// SPDX-License-Identifier: GPL-3.0-or-later
// Walking and mapping argument trees.
#include "core/ir/argument.h"

namespace fx {

bool ListValue::operator==(const ListValue&) const = default;
bool TupleValue::operator==(const TupleValue&) const = default;
bool NamedTupleValue::operator==(const NamedTupleValue&) const = default;
bool DictValue::operator==(const DictValue&) const = default;
bool SliceValue::operator==(const SliceValue&) const = default;

const Arguments* Argument::items() const {
    if (const auto* list = as<ListValue>())
        return &list->items;
    if (const auto* tuple = as<TupleValue>())
        return &tuple->items;
    if (const auto* named = as<NamedTupleValue>())
        return &named->items;
    return nullptr;
}

void forEachNode(const Argument& argument, const std::function<void(NodeId)>& visit) {
    if (const auto* node = argument.as<NodeId>()) {
        visit(*node);
    } else if (const auto* items = argument.items()) {
        for (const Argument& item : *items)
            forEachNode(item, visit);
    } else if (const auto* dict = argument.as<DictValue>()) {
        for (const auto& [key, value] : dict->items)
            forEachNode(value, visit);
    } else if (const auto* slice = argument.as<SliceValue>()) {
        for (const Argument& part : slice->parts)
            forEachNode(part, visit);
    }
}

void forEachPart(const Argument& argument, const std::function<void(const Argument&)>& visit) {
    visit(argument);
    if (const Arguments* items = argument.items())
        for (const Argument& item : *items)
            forEachPart(item, visit);
    if (const auto* slice = argument.as<SliceValue>())
        for (const Argument& part : slice->parts)
            forEachPart(part, visit);
    if (const auto* dict = argument.as<DictValue>())
        for (const auto& [key, value] : dict->items) {
            forEachPart(key, visit);
            forEachPart(value, visit);
        }
}

bool hasNodes(const Argument& argument) {
    bool found = false;
    forEachNode(argument, [&](NodeId) { found = true; });
    return found;
}

void forEachNode(const Arguments& args, const Keywords& kwargs, const std::function<void(NodeId)>& visit) {
    for (const Argument& arg : args)
        forEachNode(arg, visit);
    for (const auto& [name, arg] : kwargs)
        forEachNode(arg, visit);
}

Arguments mapNodes(const Arguments& args, const std::function<Argument(NodeId)>& map) {
    Arguments out;
    out.reserve(args.size());
    for (const Argument& arg : args)
        out.push_back(mapNodes(arg, map));
    return out;
}

Keywords mapNodes(const Keywords& kwargs, const std::function<Argument(NodeId)>& map) {
    Keywords out;
    out.reserve(kwargs.size());
    for (const auto& [name, arg] : kwargs)
        out.emplace_back(name, mapNodes(arg, map));
    return out;
}

Argument mapNodes(const Argument& argument, const std::function<Argument(NodeId)>& map) {
    if (const auto* node = argument.as<NodeId>())
        return map(*node);
    if (const auto* list = argument.as<ListValue>())
        return ListValue{mapNodes(list->items, map)};
    if (const auto* tuple = argument.as<TupleValue>())
        return TupleValue{mapNodes(tuple->items, map)};
    if (const auto* named = argument.as<NamedTupleValue>())
        return NamedTupleValue{named->type, mapNodes(named->items, map)};
    if (const auto* slice = argument.as<SliceValue>())
        return SliceValue{mapNodes(slice->parts, map)};
    if (const auto* dict = argument.as<DictValue>()) {
        DictValue out;
        for (const auto& [key, value] : dict->items)
            out.items.emplace_back(key, mapNodes(value, map));
        return out;
    }
    return argument;
}

const Argument* dictEntry(const Argument& argument, std::string_view key) {
    if (const auto* dict = argument.as<DictValue>())
        for (const auto& [name, value] : dict->items)
            if (const auto* text = name.as<std::string>(); text && *text == key)
                return &value;
    return nullptr;
}

} // namespace fx
