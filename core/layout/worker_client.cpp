// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/worker_client.h"

#include "core/base/error.h"
#include "core/layout/level_message.h"
#include "core/process/fault_message.h"

#include <filesystem>

namespace fx {

namespace {

using Clock = std::chrono::steady_clock;

} // namespace

LayoutWorker::LayoutWorker(std::string program) : m_program(std::move(program)) {}

LayoutWorker::~LayoutWorker() = default;

std::string LayoutWorker::besideThisProgram() {
    std::error_code fault;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", fault);
    const auto worker = self.parent_path() / "fxscope-layout-worker";
    return !fault && std::filesystem::exists(worker) ? worker.string() : std::string();
}

Message LayoutWorker::exchange(const std::string& request, std::chrono::milliseconds deadline,
                               const std::function<bool()>& isCancelled) {
    const Clock::time_point end = Clock::now() + deadline;
    std::optional<Message> reply = m_host->ask({{MessageKind::Ask, 0, request}}, [&] {
        if (isCancelled && isCancelled())
            throw Cancelled();
        if (Clock::now() >= end)
            throw Error("layout", "took longer than allowed");
    });
    if (!reply)
        throw Error("layout", "the worker has ended");
    if (reply->kind == MessageKind::Fault)
        throw faultFrom(*reply);
    return std::move(*reply);
}

LevelLayout LayoutWorker::layOut(const Level& level, std::chrono::milliseconds deadline,
                                 const std::function<bool()>& isCancelled) {
    std::string request = levelBytes(level);
    if (const auto known = m_cache.find(request); known != m_cache.end())
        return known->second;
    if (m_program.empty())
        throw Error("layout", "there is no layout worker beside this program");
    if (!m_host)
        m_host = std::make_unique<Host>(m_program);
    try {
        const Message reply = exchange(request, deadline, isCancelled);
        LevelLayout layout = layoutFrom(reply.body, level.items.size(), level.edges.size());
        return m_cache.emplace(std::move(request), std::move(layout)).first->second;
    } catch (...) {
        m_host.reset();
        throw;
    }
}

} // namespace fx
