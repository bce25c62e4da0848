// SPDX-License-Identifier: GPL-3.0-or-later
// A worker with the socket to it, seen from the program that asks it.
#pragma once

#include "core/process/channel.h"
#include "core/process/worker_process.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fx {

struct Host {
    /// Throws an Error where the process cannot be started.
    explicit Host(const std::string& program, const std::vector<std::string>& arguments = {})
        : process(program, arguments), channel(process.takeSocket(), true) {}

    /// Sends the messages and waits for the reply to the last one; none if the worker has died. `wait` is
    /// called every few milliseconds meanwhile, on this thread; when it throws, the worker is killed. `heard`
    /// is told of progress, on another thread; it may be null.
    std::optional<Message> ask(const std::vector<Message>& messages, const std::function<void()>& wait,
                               const std::function<void(const Message&)>& heard = {});

    WorkerProcess process;
    Channel channel;
};

} // namespace fx
