// SPDX-License-Identifier: GPL-3.0-or-later
// Slow work off the interface's thread: one thread a runner, the newest job wins, answers come back by value.
#pragma once

#include <QObject>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace fx {

class JobRunner : public QObject {
public:
    explicit JobRunner(QObject* parent = nullptr);
    /// Waits for the job that runs; its owner should have cancelled it.
    ~JobRunner() override;

    /// Runs `work` on the runner's thread; a job that has not begun yet is dropped for it.
    void start(std::function<void()> work);
    /// From the job: runs `answer` on this object's thread, unless the runner is gone by then.
    void post(std::function<void()> answer);

private:
    void loop();

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::optional<std::function<void()>> m_next;
    bool m_isEnding = false;
    std::thread m_thread;
};

} // namespace fx
