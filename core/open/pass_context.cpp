// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/pass_context.h"

#include "core/interpret/compiled_program.h"
#include "core/open/backend_support.h"
#include "core/open/example_files.h"
#include "core/open/inductor_compiler.h"
#include "core/open/python_source.h"
#include "core/open/script_compiler.h"
#include "core/userpasses/user_metric.h"

#include <ATen/Context.h>

#include <filesystem>

namespace fx {

namespace {

void compileGraph(std::string_view form, const Model& model, const GraphInputs& inputs,
                  const std::string& path, Progress& progress) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::filesystem::create_directories(folder);
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
    if (form == kInductorForm)
        compileWithInductor(model, inputs, path, progress);
    else
        compileToScript(form, model, inputs, path, progress);
}

} // namespace

PassContext passContext(const OpenedModel& model, InputSpecs specs, const RunSettings& settings,
                        Progress& progress) {
    PassContext out{progress};
    out.inputs = [&model, specs, seed = settings.seed](const Model&) {
        if (seed)
            at::manual_seed(*seed);
        return makeInputs(model, specs);
    };
    out.examples = [&model, specs](const Model&, const std::string& path,
                                   const std::function<void(const GraphInputs&)>& visit) {
        forEachExample(model, specs, path, visit);
    };
    out.refusals = refusalsBy;
    out.metric = userMetric;
    out.compile = compileGraph;
    out.exported = {model.exportRecord, model.examples};
    out.settings = settings;
    out.isTracedHere = isTracedSource(model);
    return out;
}

} // namespace fx
