// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/userpasses/test_run.h"

#include "core/base/error.h"
#include "core/python/exceptions.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operator_effects.h"
#include "core/torch/values/thread_modes.h"
#include "core/userpasses/pass_program.h"

#include <ATen/core/grad_mode.h>

#include <optional>
#include <utility>

namespace fx {

namespace {

Value textsOf(const std::vector<std::string>& texts) {
    Values out;
    for (const std::string& text : texts)
        out.push_back(makeText(text));
    return makeList(std::move(out));
}

} // namespace

bool runTests(const TestRun& run, const std::function<void(const std::string& text)>& tell) {
    const ReachScope reach(Reach::Opening);
    const KeptModes kept;
    at::GradMode::set_enabled(true);
    const std::vector<SourceText> none;
    PassProgram program(none);
    Evaluator& evaluator = program.evaluator;
    const auto tellOutput = [&] { tell(std::exchange(evaluator.output(), {})); };
    // Calls what it is given; gives the text of what no `except` of a program can catch.
    const Value guard = makeNative("guarded", [&](Evaluator&, Values& args, NamedValues&) -> Value {
        tellOutput();
        evaluator.startRequest();
        const KeptModes modes;
        std::optional<std::string> fault;
        try {
            evaluator.call(args.at(0), {});
        } catch (const RaisedError&) {
            throw;
        } catch (const Error& error) {
            fault = error.what();
        }
        tellOutput();
        evaluator.startRequest(); // what follows need not do with what the test has left
        return fault ? makeText(*fault) : Value();
    });
    bool havePassed = false;
    guarded([&] {
        evaluator.runOutside([&]() -> Value {
            for (const std::string& folder : run.packageFolders)
                evaluator.modules().finder().addInstalled(folder);
            const Value file = program.load(run.path);
            const Value runner =
                evaluator.attribute(evaluator.modules().importModule("unittest._outside"), "run");
            havePassed = evaluator.isTrue(
                evaluator.call(runner, {file, textsOf(run.names), textsOf(run.patterns),
                                        c10::IValue(run.isQuiet), c10::IValue(run.endsAtFailure), guard}));
            return {};
        });
    });
    tellOutput();
    return havePassed;
}

} // namespace fx
