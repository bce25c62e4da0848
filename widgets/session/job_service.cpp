// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/job_service.h"

namespace fx::ui {

JobService::JobService(QObject* parent) : QObject(parent) {
    tellOf(m_runner);
}

void JobService::tellOf(JobRunner& runner) {
    connect(&runner, &JobRunner::began, this, &JobService::started);
    connect(&runner, &JobRunner::progressed, this, &JobService::progressed);
    connect(&runner, &JobRunner::ended, this, &JobService::ended);
}

} // namespace fx::ui
