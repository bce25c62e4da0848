// SPDX-License-Identifier: GPL-3.0-or-later
// A service that works beside the interface, one job at a time, of which the newest wins.
#pragma once

#include "widgets/support/job.h"

#include <QObject>
#include <QString>

namespace fx::ui {

class JobService : public QObject {
    Q_OBJECT

public:
    virtual void cancel() { m_runner.cancelAll(); }
    bool isWorking() const { return m_runner.isWorking(); }

Q_SIGNALS:
    void started(const QString& what);
    void progressed(double fraction, const QString& what);
    void ended();

protected:
    explicit JobService(QObject* parent);
    /// Also tells of the jobs of another runner.
    void tellOf(JobRunner& runner);

    /// Ends after the members of the derived class, so that no work may use them.
    JobRunner m_runner;
};

} // namespace fx::ui
