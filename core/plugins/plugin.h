// SPDX-License-Identifier: GPL-3.0-or-later
// What a plugin is compiled against: a shared library that links libfxcore and defines one function,
//   FXSCOPE_PLUGIN(registry) { registry.passes.push_back({"my-pass", ...}); }
// Which files are plugins, and when they are loaded, says plugin_host.h.
#pragma once

#include "core/open/added_formats.h"
#include "core/passes/pass.h"
#include "core/torch/bind/added_functions.h"

#include <torch/version.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

class QWidget;

namespace fx {

/// Of what plugins share with the program. The first number grows with each change of the headers that they
/// see. Not inline: a plugin has its own, and would find the program's in its place.
constexpr char kPluginVersion[] = "7 (PyTorch " TORCH_VERSION ")";

/// What a pane of a plugin sees of the open model, and may wish for. On the interface's thread; it outlives
/// the pane.
class PaneHost {
public:
    virtual ~PaneHost() = default;
    virtual const Model& model() const = 0;
    /// The module whose graph is shown.
    virtual ModuleId graph() const = 0;
    virtual void select(NodeId node) = 0;
    /// Calls `then` after each change of the model, and when another graph is shown; not for a widget that is
    /// gone.
    virtual void whenChanged(QWidget& pane, std::function<void()> then) = 0;
};

struct PluginPane {
    std::string name;  ///< under which its place is remembered
    std::string title; ///< of its tab
    /// Makes it for a model that was opened; it goes when the model is closed.
    std::function<QWidget*(PaneHost& host)> make;
};

/// A plugin appends its rows. All of them are taken, or none.
struct PluginRegistry {
    const char* version = kPluginVersion; ///< first, so that a plugin of any version can read it
    std::vector<Pass> passes;
    std::vector<AddedFormat> formats;
    std::vector<std::pair<std::string, PythonFunction>> functions; ///< what targets of call_function mean
    std::vector<PluginPane> panes;                                 ///< of window plugins alone
};

/// The type of the exported function: gives the version that it was compiled for, and does nothing else for
/// another one.
using PluginFunction = const char* (*)(PluginRegistry* registry);
inline constexpr char kPluginFunction[] = "fxscope_plugin";

} // namespace fx

#define FXSCOPE_PLUGIN(registry)                                                                             \
    static void fxscopeFill(fx::PluginRegistry& registry);                                                   \
    extern "C" __attribute__((visibility("default"))) const char* fxscope_plugin(                            \
        fx::PluginRegistry* given) {                                                                         \
        if (std::strcmp(given->version, fx::kPluginVersion) == 0)                                            \
            fxscopeFill(*given);                                                                             \
        return fx::kPluginVersion;                                                                           \
    }                                                                                                        \
    static void fxscopeFill(fx::PluginRegistry& registry)
