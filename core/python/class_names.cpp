// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/class_names.h"

#include "core/python/evaluator.h"
#include "core/python/exceptions.h"

namespace fx {

namespace {

/// False where the mapping raises KeyError.
template <class Work>
bool finds(Evaluator& evaluator, Work work) {
    try {
        work();
        return true;
    } catch (const Error& error) {
        const auto* raised = dynamic_cast<const RaisedError*>(&error);
        const bool isMissing = raised ? evaluator.isInstance(raised->exception(), evaluator.type("KeyError"))
                                      : error.kind() == "KeyError";
        if (!isMissing)
            throw;
    }
    evaluator.frames().takeTrace();
    return false;
}

} // namespace

std::optional<Value> findName(Evaluator& evaluator, const Value& names, const Value& name) {
    if (auto* dict = names.as<DictObject>()) {
        const Value* found = dict->find(name);
        return found ? std::optional(*found) : std::nullopt;
    }
    Value found;
    const bool isThere = finds(evaluator, [&] { found = evaluator.subscript(names, name); });
    return isThere ? std::optional(std::move(found)) : std::nullopt;
}

void setName(Evaluator& evaluator, const Value& names, const Value& name, Value value) {
    if (auto* dict = names.as<DictObject>())
        dict->set(name, std::move(value));
    else
        setSubscript(evaluator, names, name, std::move(value));
}

bool eraseName(Evaluator& evaluator, const Value& names, const Value& name) {
    if (auto* dict = names.as<DictObject>())
        return dict->erase(name);
    return finds(evaluator, [&] { deleteSubscript(evaluator, names, name); });
}

} // namespace fx
