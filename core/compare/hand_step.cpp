// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/hand_step.h"

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/codegen/python_code.h"
#include "core/codegen/statement_lines.h"
#include "core/compare/text_diff.h"
#include "core/module/edit.h"
#include "core/passes/code_pass.h"
#include "core/passes/pass_options.h"
#include "core/passes/registry.h"

namespace fx {

namespace {

/// Of lines around a change: enough to find its place, few enough to be in another model, too.
constexpr size_t kContext = 1;

} // namespace

std::optional<RecipeStep> handStep(const Model& before, const Model& after) {
    if (before.moduleCount() != after.moduleCount() || before.tensorCount() != after.tensorCount())
        throw Error("recipe", "modules or weights were made, which it has no words for");
    const std::string patch = unifiedText(
        diffLines(statementLines(before, before.root()), statementLines(after, after.root())), kContext);
    for (size_t i = 0; i < before.moduleCount(); ++i) {
        const ModuleId module{static_cast<int32_t>(i)};
        if (module != before.root() && before.module(module).graph && after.module(module).graph &&
            PythonCode(before, module).text() != PythonCode(after, module).text())
            throw Error("recipe", "the graph of a submodule was edited, which it has no words for");
    }
    if (patch.empty())
        return std::nullopt;
    RecipeStep step{"edit-code", {{"patch", patch}}};
    // The proof that the words say all.
    Model replayed = before;
    Progress progress;
    PassContext context{progress};
    Edit edit(replayed);
    runEditCode(edit, PassOptions(findPass(step.pass), step.options), context);
    edit.finish();
    if (PythonCode(replayed, replayed.root()).text() != PythonCode(after, after.root()).text())
        throw Error("recipe", "what was edited is more than lines of the code say");
    return step;
}

} // namespace fx
