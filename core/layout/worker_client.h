// SPDX-License-Identifier: GPL-3.0-or-later
// Graphviz in a process of its own: asked level by level, given a deadline, killed and started again when it
// is late or has crashed. Equal levels are answered from a cache.
#pragma once

#include "core/layout/level.h"
#include "core/process/host.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

namespace fx {

class LayoutWorker {
public:
    /// `program`: the path of the worker; the worker is started when it is first needed.
    explicit LayoutWorker(std::string program);
    ~LayoutWorker();
    LayoutWorker(const LayoutWorker&) = delete;
    LayoutWorker& operator=(const LayoutWorker&) = delete;

    /// Throws an Error when the deadline passes, the worker dies or cannot be started, and Cancelled when
    /// `isCancelled` becomes true meanwhile; the worker is gone then, and starts anew for the next level.
    LevelLayout layOut(const Level& level, std::chrono::milliseconds deadline,
                       const std::function<bool()>& isCancelled = nullptr);

    /// The worker that was built beside this program; empty if there is none.
    static std::string besideThisProgram();

private:
    Message exchange(const std::string& request, std::chrono::milliseconds deadline,
                     const std::function<bool()>& isCancelled);

    std::string m_program;
    std::unique_ptr<Host> m_host; ///< null: not started yet, or killed
    std::unordered_map<std::string, LevelLayout> m_cache;
};

} // namespace fx
