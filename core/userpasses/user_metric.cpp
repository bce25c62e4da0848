// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/userpasses/user_metric.h"

#include "core/base/error.h"
#include "core/torch/bind/operator_effects.h"
#include "core/torch/values/thread_modes.h"
#include "core/userpasses/pass_program.h"
#include "core/userpasses/program_module.h"

namespace fx {

double userMetric(const std::string& text, const Model& model) {
    const std::optional<UserPassName> name = userPassName(text);
    if (!name || name->name.empty())
        throw Error(text, "is no metric").hint("write FILE.py:NAME");
    const ReachScope reach(Reach::Opening);
    const KeptModes kept;
    PassProgram program(model.sources());
    Evaluator& evaluator = program.evaluator;
    const Value number = evaluator.runOutside([&]() -> Value {
        const Value metric = program.named(*name);
        const ProgramModule given(evaluator, program.tracing, program.sources, model, model.root());
        return evaluator.call(program.helper("metric_of"), {metric, given.value()});
    });
    return number.data().toDouble();
}

} // namespace fx
