// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/library_texts.h"

#include "core/torch/host/installed_texts.h"

#include <algorithm>

namespace fx {

std::string_view torchLibrarySource(std::string_view path); // generated from library/

namespace {

std::string_view torchText(std::string_view path) {
    const std::string_view own = torchLibrarySource(path);
    return own.data() ? own : installedText(path);
}

Library& texts() {
    static Library library(&torchText);
    return library;
}

/// One of those modules, or a module in one. Of torch.fx all others are texts, so that a name which is not
/// there is missed.
bool isOutside(std::string_view name) {
    static constexpr std::string_view kModules[] = {"numpy.char",
                                                    "numpy.core",
                                                    "numpy.ctypeslib",
                                                    "numpy.dtypes",
                                                    "numpy.exceptions",
                                                    "numpy.fft",
                                                    "numpy.lib",
                                                    "numpy.ma",
                                                    "numpy.polynomial",
                                                    "numpy.rec",
                                                    "numpy.strings",
                                                    "numpy.testing",
                                                    "numpy.typing",
                                                    "torch._dynamo",
                                                    "torch._inductor",
                                                    "torch._utils",
                                                    "torch.distributed",
                                                    "torch.distributions",
                                                    "torch.export",
                                                    "torch.futures",
                                                    "torch.fx._graph_pickler",
                                                    "torch.fx.experimental._backward_state",
                                                    "torch.fx.experimental._config",
                                                    "torch.fx.experimental._constant_symnode",
                                                    "torch.fx.experimental._dynamism",
                                                    "torch.fx.experimental._size_hinting",
                                                    "torch.fx.experimental.debug",
                                                    "torch.fx.experimental.dynamic_spec",
                                                    "torch.fx.experimental.migrate_gradual_types",
                                                    "torch.fx.experimental.recording",
                                                    "torch.fx.experimental.sym_node",
                                                    "torch.fx.experimental.symbolic_shapes",
                                                    "torch.fx.experimental.unification.dispatch",
                                                    "torch.fx.experimental.unification.match",
                                                    "torch.fx.experimental.unification.multipledispatch",
                                                    "torch.fx.experimental.unification.unification_tools",
                                                    "torch.fx.experimental.unification.utils",
                                                    "torch.fx.experimental.validator",
                                                    "torch.fx.passes._tensorify_python_scalars",
                                                    "torch.fx.passes.backends",
                                                    "torch.fx.passes.regional_inductor",
                                                    "torch.fx.passes.regional_inductor_invoke_subgraph",
                                                    "torch.fx.passes.runtime_assert",
                                                    "torch.fx.passes.tests",
                                                    "torch.hub",
                                                    "torch.multiprocessing",
                                                    "torch.onnx",
                                                    "torch.optim",
                                                    "torch.package",
                                                    "torch.serialization",
                                                    "torch.testing",
                                                    "torch.utils.benchmark",
                                                    "torch.utils.collect_env",
                                                    "torch.utils.cpp_extension",
                                                    "torch.utils.data",
                                                    "torch.utils.flop_counter",
                                                    "torch.utils.hooks",
                                                    "torch.utils.mobile_optimizer",
                                                    "torch.utils.model_zoo",
                                                    "torch.utils.tensorboard"};
    return std::ranges::any_of(kModules, [&](std::string_view module) {
        return name.starts_with(module) && (name.size() == module.size() || name[module.size()] == '.');
    });
}

} // namespace

bool hasTextOf(const std::string& name) {
    return texts().has(name);
}

bool isTextModule(const std::string& name) {
    return texts().has(name) || isOutside(name);
}

const LibraryModule* findTextModule(const std::string& name) {
    if (const LibraryModule* found = texts().find(name))
        return found;
    return isOutside(name) ? texts().find("torch._outside") : nullptr;
}

} // namespace fx
