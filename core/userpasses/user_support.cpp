// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/userpasses/user_support.h"

#include "core/torch/bind/operator_effects.h"
#include "core/torch/values/thread_modes.h"
#include "core/userpasses/pass_program.h"
#include "core/userpasses/program_module.h"

namespace fx {

Refusals userRefusals(const UserPassName& name, const Model& model, ModuleId module) {
    const ReachScope reach(Reach::Opening);
    const KeptModes kept;
    PassProgram program(model.sources());
    Evaluator& evaluator = program.evaluator;
    Refusals out;
    evaluator.runOutside([&]() -> Value {
        const Value support = program.named(name);
        const ProgramModule given(evaluator, program.tracing, program.sources, model, module);
        std::unordered_map<std::string, NodeId> nodes;
        for (const Node& node : model.graph(module))
            nodes[node.name] = node.id;
        for (const Value& refused :
             evaluator.items(evaluator.call(program.helper("refused_nodes"), {support, given.value()}))) {
            const Values parts = evaluator.items(refused);
            out.emplace(nodes.at(parts.at(0).text()), parts.at(1).text());
        }
        return {};
    });
    return out;
}

} // namespace fx
