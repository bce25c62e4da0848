// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/userpasses/user_examples.h"

#include "core/torch/bind/operator_effects.h"
#include "core/torch/values/thread_modes.h"
#include "core/userpasses/pass_program.h"

namespace fx {

void forEachUserExample(const UserPassName& name, const std::vector<SourceText>& sources,
                        const std::function<void(const Value&)>& visit) {
    PassProgram program(sources);
    Evaluator& evaluator = program.evaluator;
    // The model runs between two of them, as runs do.
    const auto outside = [&](const std::function<Value()>& work) {
        const ReachScope reach(Reach::Opening);
        const KeptModes kept;
        return evaluator.runOutside(work);
    };
    const Value iterator = outside([&] {
        const Value found = program.named(name);
        const bool isMade = evaluator.findAttribute(found, "__iter__").has_value();
        return evaluator.iterator(isMade ? found : evaluator.call(found, {}));
    });
    for (;;) {
        std::optional<Value> next;
        outside([&]() -> Value {
            next = evaluator.next(iterator);
            return {};
        });
        if (!next)
            return;
        visit(*next);
    }
}

} // namespace fx
