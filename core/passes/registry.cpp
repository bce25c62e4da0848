// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/registry.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/shape_prop.h"
#include "core/module/lint.h"
#include "core/passes/dead_code.h"
#include "core/rewrite/decompose.h"

namespace fx {

namespace {

bool runDeadCode(Edit& edit, const PassContext&) {
    return removeDeadCode(edit);
}

bool runShapeProp(Edit& edit, const PassContext& context) {
    propagateShapes(edit, context.inputs ? context.inputs(edit.model()) : Values());
    return true;
}

bool runDecompose(Edit& edit, const PassContext& context) {
    if (context.rulesFile.empty())
        throw Error("decompose", "needs rules").hint("give --rules FILE.py with a dict from functions to functions");
    return decompose(edit, context.rulesFile);
}

bool runLint(Edit& edit, const PassContext&) {
    requireSound(edit.model(), edit.module());
    return false;
}

} // namespace

const std::vector<Pass>& passes() {
    static const std::vector<Pass> kPasses = {
        {"dead-code", "remove nodes that nobody reads", runDeadCode},
        {"shape-prop", "run the graph and record the shape of every value", runShapeProp},
        {"decompose", "replace calls by what the Python functions of --rules do", runDecompose},
        {"lint", "check that the graph is well formed", runLint},
    };
    return kPasses;
}

const Pass& findPass(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Pass& pass : passes()) {
        if (pass.name == name)
            return pass;
        names.push_back(pass.name);
    }
    throw Error("", "there is no pass '" + std::string(name) + "'")
        .hint("the passes are: " + join(names, ", "));
}

} // namespace fx
