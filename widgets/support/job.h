// SPDX-License-Identifier: GPL-3.0-or-later
// Slow work off the interface's thread: one thread a runner, one job after the other. What a job gives comes
// back by value on the interface's thread, and to nobody once the job is cancelled or its owner is gone.
#pragma once

#include "core/base/error.h"
#include "core/base/progress.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>

#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace fx::ui {

class JobRunner;
template <class T>
class JobRun;

template <class T>
struct Job {
    QString title;                     ///< for people, while it runs
    std::function<T(JobRun<T>&)> work; ///< on the runner's thread; may throw, also Cancelled
    std::function<void(T)> done = {};  ///< takes what the work gives
    std::function<void(const Error& why)> failed = {};
};

/// A job that was started. Progress::cancel() gives it up: from then on nothing is told of it.
class StartedJob : public Progress, public std::enable_shared_from_this<StartedJob> {
public:
    StartedJob(JobRunner& runner, QObject& owner, QString title);
    void report(double fraction, const std::string& what) override;

protected:
    friend class JobRunner;
    virtual void work() = 0;
    /// `fault`: what the work threw, if it did.
    virtual void conclude(const Error* fault) = 0;
    bool isWanted() const { return m_owner && !isCancelled(); }
    /// From the job's thread: does `news` on the interface's, while it is wanted.
    void tell(std::function<void()> news);

private:
    JobRunner& m_runner; ///< outlives the thread that uses it
    QPointer<QObject> m_owner;
    QString m_title;
};

/// A job as its own work sees it.
template <class T>
class JobRun : public StartedJob {
public:
    JobRun(JobRunner& runner, QObject& owner, Job<T> job)
        : StartedJob(runner, owner, job.title), m_job(std::move(job)) {}
    /// A result for the time being, told as the last one is.
    void deliver(T early) {
        tell([this, early = std::move(early)] { m_job.done(early); });
    }

private:
    void work() override { m_result = m_job.work(*this); }
    void conclude(const Error* fault) override {
        if (fault && m_job.failed)
            m_job.failed(*fault);
        if (m_result && m_job.done)
            m_job.done(std::move(*m_result));
    }

    Job<T> m_job;
    std::optional<T> m_result;
};

class JobRunner : public QObject {
    Q_OBJECT

public:
    explicit JobRunner(QObject* parent = nullptr);
    /// Cancels all jobs, and waits for the one that runs.
    ~JobRunner() override;

    /// Runs the job after those that were started before. `owner`: whom the result is for.
    template <class T>
    std::shared_ptr<StartedJob> start(QObject& owner, Job<T> job) {
        const auto run = std::make_shared<JobRun<T>>(*this, owner, std::move(job));
        enqueue(run);
        return run;
    }
    /// The newest wins: cancels all that were started before.
    template <class T>
    std::shared_ptr<StartedJob> startNewest(QObject& owner, Job<T> job) {
        cancelAll();
        return start(owner, std::move(job));
    }
    void cancelAll();
    /// The job that runs; those behind it have their turn.
    void cancelCurrent();
    bool isWorking() const { return !m_jobs.empty(); }

Q_SIGNALS:
    /// Of the job whose turn it is.
    void began(const QString& title);
    void progressed(double fraction, const QString& what);
    /// No job is left. Told before the result of the last one is.
    void ended();

private:
    void enqueue(std::shared_ptr<StartedJob> job);
    void finish(const std::shared_ptr<StartedJob>& job, const Error* fault);

    std::deque<std::shared_ptr<StartedJob>> m_jobs; ///< the first is running
    QThreadPool m_pool;                             ///< of one thread
};

} // namespace fx::ui
