// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/code_pass.h"

#include "core/base/text.h"
#include "core/codegen/statement_lines.h"
#include "core/passes/new_calls.h"
#include "core/passes/pass_options.h"
#include "core/rewrite/code_edit.h"
#include "core/rewrite/code_patch.h"

namespace fx {

void writeCode(Edit& edit, const std::string& code) {
    NewCalls calls(edit);
    calls.finish(applyCode(edit, code).calls, ShapeRule::OfCalls);
}

void runEditCode(Edit& edit, const PassOptions& options, PassContext&) {
    const std::vector<std::string> lines =
        patchedLines(statementLines(edit.model(), edit.module()), options.text("patch"));
    writeCode(edit, '\n' + join(lines, "\n") + '\n');
}

} // namespace fx
