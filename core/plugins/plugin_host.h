// SPDX-License-Identifier: GPL-3.0-or-later
// Finds plugins and loads them when a program starts; nothing is loaded later, and no model can name one. A
// plugin is a file that ends in .so, in one of
//   $FXSCOPE_PLUGIN_PATH (folders with colons between them), ~/.local/share/fxscope/plugins,
//   PREFIX/lib/fxscope/plugins;
// those for the window, which bring panes, lie in a folder `window` there. The first of several with one name
// counts.
#pragma once

#include "core/plugins/plugin.h"

#include <deque>

namespace fx {

enum class PluginKind { Any, Window };

struct FoundPlugin {
    std::string path;
    PluginKind kind = PluginKind::Any;
    std::string fault;                                          ///< why it was left out; empty: it was loaded
    std::vector<std::string> passes, formats, functions, panes; ///< what it added, by name
};

/// ~/.local/share/fxscope; empty if there is no such place.
std::string userDataFolder();
/// Where plugins are looked for, first first; there need be no such folder.
std::vector<std::string> pluginFolders();

/// Loads what is there, and tells of each; once in a process, before it has threads. `hasWindow`: those for
/// the window too. Each is looked at as a file (plugin_file.h), and loaded in a process of its own, before it
/// is loaded here: one that is damaged, crashes or never ends is left out.
std::vector<FoundPlugin> loadPlugins(bool hasWindow);
/// "plugin /a/b.so is left out: REASON" for each that was not loaded, in one line.
std::vector<std::string> faultLines(const std::vector<FoundPlugin>& found);

/// Of the plugins that were loaded.
const std::deque<PluginPane>& pluginPanes();

} // namespace fx
