// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/within.h"

#include <ranges>
#include <unordered_set>

namespace fx {

void forEachWithin(const Value& value, const std::function<bool(const Value&)>& visit) {
    std::vector<const Value*> waiting{&value}; // the next one last
    std::unordered_set<const Object*> seen;
    const auto isNew = [&](const Value& container) { return seen.insert(container.object().get()).second; };
    while (!waiting.empty()) {
        const Value& item = *waiting.back();
        waiting.pop_back();
        if (!visit(item))
            return;
        const Value& plain = plainOf(item);
        if (const auto* sequence = plain.as<SequenceObject>()) {
            if (!sequence->items.empty() && isNew(plain))
                for (const Value& inner : std::views::reverse(sequence->items))
                    waiting.push_back(&inner);
        } else if (const auto* dict = plain.as<DictObject>()) {
            if (!dict->empty() && isNew(plain))
                for (const DictObject::Entry& entry : std::views::reverse(dict->entries()))
                    waiting.push_back(&entry.value);
        } else if (const auto* slice = item.as<SliceObject>()) {
            for (const Value* part : {&slice->step, &slice->stop, &slice->start})
                waiting.push_back(part);
        }
    }
}

} // namespace fx
