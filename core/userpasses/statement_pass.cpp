// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/userpasses/statement_pass.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/pass_options.h"
#include "core/python/tree.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operator_effects.h"
#include "core/torch/values/thread_modes.h"
#include "core/trace/model_builders.h"
#include "core/userpasses/pass_program.h"
#include "core/userpasses/program_module.h"

#include <ATen/core/grad_mode.h>

namespace fx {

namespace {

constexpr const char* kPlace = "console";

constexpr const char* kShow = "__show__";

/// Python's prompt shows what each statement gives that is an expression, wherever in the line it stands.
void showExpressions(Block& block) {
    for (Statement& statement : block) {
        for (Block& inner : statement.blocks)
            showExpressions(inner);
        if (statement.kind != Statement::Kind::Expression)
            continue;
        Expression& shown = statement.expressions[0];
        Expression name;
        name.kind = Expression::Kind::Name;
        name.begin = shown.begin;
        name.end = shown.end;
        name.text = kShow;
        name.name = makeText(kShow);
        Expression call;
        call.kind = Expression::Kind::Call;
        call.height = static_cast<uint16_t>(shown.height + 1);
        call.begin = shown.begin;
        call.end = shown.end;
        call.children = {name, std::move(shown)};
        shown = std::move(call);
    }
}

void runLine(Evaluator& evaluator, const std::string& line, const Value& globals) {
    const std::shared_ptr<const SourceFile> file = parseSource(line + '\n', kPlace);
    showExpressions(file->module->body);
    evaluator.evaluate(file, globals);
}

void runStatements(Edit& edit, const PassOptions& options, PassContext& context) {
    const ReachScope reach(Reach::Opening);
    const KeptModes kept;
    at::GradMode::set_enabled(true);
    PassProgram program(edit.model().sources());
    Evaluator& evaluator = program.evaluator;
    try {
        evaluator.runOutside([&]() -> Value {
            ProgramModule module(evaluator, program.tracing, program.sources, edit.model(), edit.module(),
                                 context.isTracedHere);
            const Value globals = makeGlobals("__main__");
            evaluator.call(program.helper("fill_console"),
                           {globals, module.value(), makeText(options.text("selection"))});
            globals.as<DictObject>()->set(
                kShow, makeNative(kShow, [](Evaluator& at, Values& args, NamedValues&) -> Value {
                    if (!args.at(0).isNone())
                        at.output() += at.repr(args[0]) + '\n';
                    return {};
                }));
            const std::string definitions = options.text("definitions");
            for (const std::string_view line : split(definitions, '\n'))
                try {
                    runLine(evaluator, std::string(line), globals);
                } catch (const Error&) { // the name of a node that is gone is no name any more
                }
            evaluator.output().clear();
            evaluator.startRequest();
            runLine(evaluator, options.text("code"), globals);
            const Value* result = globals.as<DictObject>()->find(makeText("gm"));
            const Value changed = evaluator.call(program.helper("console_result"),
                                                 {result ? *result : Value(), module.value()});
            for (const std::string& lost : module.commit(edit, changed))
                context.warnings.push_back(lost + " cannot be kept in a model");
            context.sources = neededSources(evaluator, edit.model());
            return {};
        });
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        context.results.emplace_back(error.what());
    }
    context.output += evaluator.output();
    for (const std::string& warning : evaluator.warnings())
        context.output += warning + '\n';
}

} // namespace

Pass statementPass() {
    Pass pass;
    pass.name = kStatementPass;
    pass.title = "Console";
    pass.summary = "run a line of Python over the graph";
    pass.dialects = kAnyDialect;
    pass.options = {{"code", OptionType::String, "the line", {}, {}, true},
                    {"definitions", OptionType::String, "earlier lines whose names it uses"},
                    {"selection", OptionType::String, "names of nodes, with commas between them"}};
    pass.run = runStatements;
    pass.runsCode = true;
    pass.mayLeaveFaults = true;
    return pass;
}

} // namespace fx
