// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/host.h"

#include <chrono>
#include <future>

namespace fx {

std::optional<Message> Host::ask(const std::vector<Message>& messages, const std::function<void()>& wait,
                                 const std::function<void(const Message&)>& heard) {
    auto reply = std::async(std::launch::async, [&]() -> std::optional<Message> {
        for (const Message& message : messages)
            if (!channel.send(message))
                return std::nullopt;
        std::optional<Message> message = channel.receive();
        for (; message && message->kind == MessageKind::Progress; message = channel.receive())
            if (heard)
                heard(*message);
        return message;
    });
    try {
        do
            wait();
        while (reply.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready);
    } catch (...) {
        process.kill();
        channel.shutDown(); // a child of it may hold the socket
        reply.wait();
        throw;
    }
    return reply.get();
}

} // namespace fx
