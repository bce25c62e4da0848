// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pickle/pickled_entries.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pickle/pickle_view.h"
#include "core/ir/argument_text.h"

#include <algorithm>
#include <charconv>

namespace fx {

namespace {

constexpr size_t kMostShown = 8;

/// The entries of a dict under text keys, or the items of a list or tuple under their indices.
std::vector<std::pair<std::string, const PickleValue*>> entriesOf(const PickleValue& value) {
    std::vector<std::pair<std::string, const PickleValue*>> out;
    if (const std::optional<PickleItems> items = pickledDict(value)) {
        for (const auto& [key, item] : *items)
            if (std::optional<std::string> name = pickledText(*key))
                out.emplace_back(std::move(*name), item);
    } else if (value.as<PickleList>() || value.as<PickleTuple>()) {
        const std::vector<PickleRef> items = *pickledItems(value);
        for (size_t i = 0; i < items.size(); ++i)
            out.emplace_back(std::to_string(i), items[i]);
    }
    return out;
}

struct FoundModule {
    std::string path;
    const PickleValue* value;
};

/// The modules among the entries, each once. Deeper ones are found by their path alone. `left`: number of
/// entries that may still be visited, as lists may hold themselves many times.
void collectModules(const PickleValue& value, const std::string& path, int depth, size_t& left,
                    std::vector<FoundModule>& out) {
    constexpr int kDeepest = 3;
    constexpr size_t kMost = 100;
    for (const auto& [name, item] : entriesOf(value)) {
        if (out.size() >= kMost || left == 0)
            return;
        --left;
        const std::string below = path.empty() ? name : path + '.' + name;
        if (!isPickledModule(*item)) {
            if (depth < kDeepest)
                collectModules(*item, below, depth + 1, left, out);
        } else if (std::ranges::find(out, item, &FoundModule::value) == out.end()) {
            out.push_back({below, item});
        }
    }
}

std::vector<FoundModule> modulesIn(const PickleValue& value, const std::string& path) {
    std::vector<FoundModule> out;
    size_t left = 200'000;
    collectModules(value, path, 0, left, out);
    return out;
}

std::string moduleText(const PickleValue& value) {
    const std::optional<PickledInstance> instance = pickledInstance(value);
    return instance ? "a " + instance->className : "a GraphModule";
}

std::string entryText(const PickleValue& value) {
    if (isPickledModule(value))
        return moduleText(value);
    if (const std::optional<PickleItems> items = pickledDict(value))
        return "a dict of " + plural(items->size(), "item");
    if (value.as<PickleList>() || value.as<PickleTuple>())
        return (value.as<PickleList>() ? "a list of " : "a tuple of ") +
               plural(pickledItems(value)->size(), "item");
    const Argument shown = pickledArgument(value);
    const auto* opaque = shown.as<OpaqueValue>();
    return opaque ? opaque->text : reprText(shown, [](NodeId) { return std::string(); });
}

/// "'model' (a Net), 'epoch' (3)", but for one of them.
std::string entriesText(const PickleValue& value, std::string_view except = {}) {
    std::string out;
    size_t count = 0;
    for (const auto& [name, item] : entriesOf(value)) {
        if (name == except)
            continue;
        if (++count <= kMostShown)
            out += (out.empty() ? "" : ", ") + pythonRepr(name) + " (" + entryText(*item) + ')';
    }
    return count > kMostShown ? out + " and " + std::to_string(count - kMostShown) + " more" : out;
}

/// "'model', 'ema'".
std::string pathsText(const std::vector<FoundModule>& found) {
    std::string out;
    for (size_t i = 0; i < std::min(found.size(), kMostShown); ++i)
        out += (i > 0 ? ", " : "") + pythonRepr(found[i].path);
    return found.size() > kMostShown ? out + ", ..." : out;
}

} // namespace

const PickleValue* pickledValueAt(const PickleValue& value, std::string_view path) {
    if (path.empty())
        return &value;
    for (const auto& [name, item] : entriesOf(value)) {
        if (path == name)
            return item;
        const bool isBelow =
            path.size() > name.size() + 1 && path.starts_with(name) && path[name.size()] == '.';
        if (const PickleValue* found =
                isBelow ? pickledValueAt(*item, path.substr(name.size() + 1)) : nullptr)
            return found;
    }
    return nullptr;
}

std::optional<PickledModel> pickledModelIn(std::shared_ptr<const TorchContainer> container,
                                           const std::string& path) {
    const PickleValue& root = container->root();
    const std::string place = container->place();
    const PickleValue* value = pickledValueAt(root, path);
    if (!value)
        throw Error(place, "has no entry " + pythonRepr(path) + "; it holds " + pickledContentText(root))
            .hint("name one of its entries: " + place + ":ENTRY");
    if (isPickledModule(*value))
        return readPickledModel(std::move(container), *value);
    const std::vector<FoundModule> found = modulesIn(*value, path);
    if (found.empty())
        return std::nullopt;
    if (found.size() > 1)
        throw Error(place, "holds " + plural(found.size(), "module") + ": " + pathsText(found) + "; it is " +
                               pickledContentText(*value))
            .hint("name the one to open: " + place + ':' + found[0].path);
    PickledModel out = readPickledModel(container, *found[0].value);
    const std::string beside = entriesText(*value, found[0].path);
    out.notes.insert(out.notes.begin(), "a checkpoint: the model is its entry " + pythonRepr(found[0].path) +
                                            (beside.empty() ? "" : "; beside it there are " + beside));
    return out;
}

std::string noteOfModules(const PickleValue& value, const std::string& place) {
    const std::vector<FoundModule> found = modulesIn(value, {});
    return found.empty() ? std::string()
                         : "the file holds " + plural(found.size(), "module") + ", too: " + pathsText(found) +
                               "; to open one, name it: " + place + ':' + found[0].path;
}

std::string pickledContentText(const PickleValue& value) {
    if (isPickledModule(value))
        return moduleText(value);
    const bool isDict = pickledDict(value).has_value();
    if (!isDict && !value.as<PickleList>() && !value.as<PickleTuple>()) {
        const Argument shown = pickledArgument(value);
        const auto* opaque = shown.as<OpaqueValue>();
        return opaque ? "an object: " + opaque->text : "a plain value";
    }
    const std::string entries = entriesText(value);
    const std::string kind = isDict ? "dict" : value.as<PickleList>() ? "list" : "tuple";
    return entries.empty() ? "an empty " + kind : "a " + kind + " of " + entries;
}

} // namespace fx
