// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/job.h"

#include <QMetaObject>

namespace fx {

JobRunner::JobRunner(QObject* parent) : QObject(parent) {
    m_thread = std::thread([this] { loop(); });
}

JobRunner::~JobRunner() {
    {
        std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void JobRunner::start(std::function<void()> work) {
    {
        std::lock_guard lock(m_mutex);
        m_next = std::move(work);
    }
    m_wake.notify_all();
}

void JobRunner::post(std::function<void()> answer) {
    QMetaObject::invokeMethod(this, std::move(answer), Qt::QueuedConnection);
}

void JobRunner::loop() {
    while (true) {
        std::function<void()> work;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_next || m_isEnding; });
            if (m_isEnding)
                return;
            work = std::move(*m_next);
            m_next.reset();
        }
        work();
    }
}

} // namespace fx
