// SPDX-License-Identifier: GPL-3.0-or-later
// A model that runs in a process of its own, and models with an operator that kills it (fx_deadly_operators).
#pragma once

#include "core/module/edit.h"
#include "core/session/worker_client.h"
#include "tests/support/debuggee_probe.h"

#include <filesystem>
#include <fstream>
#include <set>

namespace fx {

/// The processes of this one that are alive.
inline std::set<int> workers() {
    std::set<int> out;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream list(task.path() / "children");
        for (int child = 0; list >> child;)
            out.insert(child);
    }
    return out;
}

inline WorkerOptions builtWorker() {
    WorkerOptions out;
    out.program = FXSCOPE_BUILD "/bin/fxscope-worker";
    return out;
}

/// Here, or in a process of its own.
class Heard : public DebuggeeProbe {
public:
    explicit Heard(bool isApart, WorkerOptions options = {})
        : DebuggeeProbe([&](Debuggee::Listener listen) -> std::unique_ptr<Debuggee> {
              if (!isApart)
                  return std::make_unique<LocalDebuggee>(std::move(listen));
              options.program = FXSCOPE_BUILD "/bin/fxscope-worker";
              return std::make_unique<WorkerDebuggee>(options, std::move(listen));
          }),
          worker(dynamic_cast<WorkerDebuggee*>(debuggee.get())) {}

    WorkerDebuggee* const worker;
};

/// x -> relu -> OPERATOR -> neg -> output
inline std::shared_ptr<const OpenedModel> deadly(const std::string& op, Arguments more = {}) {
    OpenedModel out;
    Edit edit(out.model);
    const NodeId x = edit.placeholder("x");
    Arguments args{edit.callFunction("torch.relu", {x})};
    args.insert(args.end(), more.begin(), more.end());
    edit.output(edit.callMethod("neg", {edit.callFunction("torch.ops.fxdeadly." + op + ".default", args)}));
    edit.finish();
    return std::make_shared<const OpenedModel>(std::move(out));
}

inline RunRequest onOnes(bool pauses = false) {
    RunRequest out;
    out.inputs["x"] = "torch.ones(3)";
    out.pausesAtEntry = pauses;
    out.libraries = {FXSCOPE_DEADLY_OPERATORS};
    return out;
}

inline NodeRef nodeNamed(const OpenedModel& opened, const std::string& name) {
    return {opened.model.root(), opened.model.graph().find(name)};
}

/// That the debuggee works, with a model that does nothing deadly.
inline bool works(Heard& heard) {
    OpenedModel tame;
    Edit edit(tame.model);
    edit.output(edit.callMethod("neg", {edit.placeholder("x")}));
    edit.finish();
    heard.debuggee->setModel(std::make_shared<const OpenedModel>(std::move(tame)));
    heard.start(onOnes());
    return heard.wait<Finished>().result == "tensor([-1., -1., -1.])";
}

} // namespace fx
