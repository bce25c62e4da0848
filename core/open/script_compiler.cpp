// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/script_compiler.h"

#include "core/interpret/compiled_program.h"
#include "core/interpret/shape_prop.h"
#include "core/interpret/structure.h"
#include "core/io/script/module_lowering.h"
#include "core/module/edit.h"
#include "core/open/torchscript_writer.h"
#include "core/torch/bind/call.h"

namespace fx {

void compileToScript(std::string_view form, const Model& model, const GraphInputs& inputs,
                     const std::string& path, Progress& progress) {
    OpenedModel flat{.model = model};
    Edit edit(flat.model, Edit::WithoutHistory());
    edit.setSignature(std::nullopt);
    propagateShapes(edit, withOwnTensors(inputs)); // by which calls are told apart that are written alike
    edit.finish();
    form == kFrozenForm ? requireFreezable(flat) : requireScriptable(flat);
    progress.step(0.2, "making the program");
    torch::jit::Module program = scripted(flat.model).module;
    OutputFile file(path);
    guarded([&] {
        if (form == kFrozenForm)
            program = torch::jit::freeze(program);
        progress.step(0.6, "writing it");
        writeModule(program, file);
    });
    file.finish();
    progress.step(1, "done");
}

} // namespace fx
