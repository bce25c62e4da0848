// SPDX-License-Identifier: GPL-3.0-or-later
// A model under the debugger in this process, and what a request for a run means on this machine.
#pragma once

#include "core/io/opened_model.h"
#include "core/module/follow.h"
#include "core/open/run_inputs.h"
#include "core/run/debug_session.h"
#include "core/run/debuggee.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace fx {

/// In bytes, on this machine.
uint64_t memoryLimitOf(const RunRequest& request);
/// The model after an edit; whoever has the one before it keeps that.
std::shared_ptr<const OpenedModel> followed(const OpenedModel& opened, const ModelUpdate& update);

/// Throws an Error for a device that is not here and a mode that is none.
RunSettings settingsOf(const RunRequest& request);
InputSpecs specsOf(const RunRequest& request, const RunSettings& settings);
/// Throws an Error where they cannot be made.
GraphInputs inputsOf(const OpenedModel& opened, const RunRequest& request, const RunSettings& settings);
/// Throws an Error for a library that cannot be loaded.
void loadLibraries(const RunRequest& request);

class LocalDebuggee : public Debuggee {
public:
    /// `position`: as in DebugOptions; may be null.
    explicit LocalDebuggee(Listener listener, std::atomic<uint64_t>* position = nullptr)
        : m_listener(std::move(listener)), m_position(position) {}
    ~LocalDebuggee() override;

    void setModel(std::shared_ptr<const OpenedModel> opened) override { m_opened = std::move(opened); }
    void follow(const ModelUpdate& update) override;
    void start(int run, const RunRequest& request) override;
    void send(DebugCommand command) override;
    void pause() override;
    void stop() override;
    void end() override { m_session.reset(); }

private:
    const Listener m_listener;
    std::atomic<uint64_t>* const m_position;
    std::shared_ptr<const OpenedModel> m_opened; ///< runs have it, too
    std::unique_ptr<DebugSession> m_session;
    int m_run = 0; ///< the last that was started
};

} // namespace fx
