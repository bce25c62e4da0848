// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/job.h"

#include "widgets/support/qt_text.h"

#include <QMetaObject>

namespace fx::ui {

StartedJob::StartedJob(JobRunner& runner, QObject& owner, QString title)
    : m_runner(runner), m_owner(&owner), m_title(std::move(title)) {}

void StartedJob::tell(std::function<void()> news) {
    QMetaObject::invokeMethod(
        &m_runner,
        [self = shared_from_this(), news = std::move(news)] {
            if (self->isWanted())
                news();
        },
        Qt::QueuedConnection);
}

void StartedJob::report(double fraction, const std::string& what) {
    tell([this, fraction, what] { Q_EMIT m_runner.progressed(fraction, qt(what)); });
}

JobRunner::JobRunner(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
    m_pool.setExpiryTimeout(-1); // LibTorch keeps threads of its own for each that calls it
}

JobRunner::~JobRunner() {
    cancelAll();
    m_pool.waitForDone();
}

void JobRunner::cancelAll() {
    for (const auto& job : m_jobs)
        job->cancel();
}

void JobRunner::cancelCurrent() {
    if (!m_jobs.empty())
        m_jobs.front()->cancel();
}

void JobRunner::enqueue(std::shared_ptr<StartedJob> job) {
    m_jobs.push_back(job);
    if (m_jobs.size() == 1)
        Q_EMIT began(job->m_title);
    m_pool.start([this, job = std::move(job)]() mutable {
        std::optional<Error> fault;
        try {
            if (!job->isCancelled())
                job->work();
        } catch (const Cancelled&) {
            job->cancel();
        } catch (const Error& error) {
            fault = error;
        } catch (const std::exception& error) {
            fault.emplace("", error.what());
        }
        // The job ends on the interface's thread, with all that its functions hold.
        QMetaObject::invokeMethod(
            this, [this, job = std::move(job), fault] { finish(job, fault ? &*fault : nullptr); },
            Qt::QueuedConnection);
    });
}

void JobRunner::finish(const std::shared_ptr<StartedJob>& job, const Error* fault) {
    m_jobs.pop_front();
    if (m_jobs.empty())
        Q_EMIT ended();
    else
        Q_EMIT began(m_jobs.front()->m_title);
    // Last: it may be told in a dialog, which stays for a while.
    if (job->isWanted())
        job->conclude(fault);
}

} // namespace fx::ui
