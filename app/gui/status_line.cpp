// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/status_line.h"

#include "app/gui/workspace.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/module/summary.h"
#include "widgets/session/open_service.h"
#include "widgets/session/run_text.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QEvent>
#include <QHBoxLayout>

namespace fx::ui {

StatusLine::StatusLine(OpenService& service, const Theme& theme)
    : m_service(service), m_theme(theme), m_dot(new QLabel), m_run(new QLabel), m_model(new QLabel),
      m_numbers(new QLabel), m_busyText(new QLabel), m_busy(new QWidget), m_cancel(new QPushButton("Cancel")),
      m_culprit(new QPushButton("Show")), m_progress(new QProgressBar) {
    setSizeGripEnabled(false);
    m_run->setObjectName("runState");
    m_run->setAccessibleName("State of the run");
    m_model->setAlignment(Qt::AlignCenter);
    m_model->setObjectName("dim");
    m_numbers->setObjectName("dim");
    for (QLabel* label : {m_run, m_model, m_numbers, m_busyText})
        label->setTextFormat(Qt::PlainText);
    // The middle gives way first in a narrow window.
    m_model->setMinimumWidth(20);
    m_model->installEventFilter(this);
    m_model->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_cancel->setObjectName("link");
    m_culprit->setObjectName("link");
    m_culprit->setAccessibleName("Show where it comes from");
    m_culprit->setToolTip("Select the node where it comes from");
    connect(m_culprit, &QPushButton::clicked, this,
            [this] { Q_EMIT nodeWanted(m_workspace->debug().run().culprit()); });
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(160);
    auto* busy = new QHBoxLayout(m_busy);
    busy->setContentsMargins(0, 0, 0, 0);
    busy->addWidget(m_busyText);
    busy->addWidget(m_progress);
    busy->addWidget(m_cancel);
    m_busy->hide();
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(10, 2, 12, 2);
    row->setSpacing(8);
    row->addWidget(m_dot);
    row->addWidget(m_run);
    row->addWidget(m_culprit);
    row->addWidget(m_model, 1);
    row->addWidget(m_busy);
    row->addWidget(m_numbers);
    // As high as with the buttons that come and go.
    ensurePolished();
    for (QPushButton* each : {m_cancel, m_culprit})
        each->ensurePolished();
    line->setFixedHeight(std::max(m_cancel->sizeHint().height(), m_run->sizeHint().height()) + 4);
    addWidget(line, 1);
    connect(m_cancel, &QPushButton::clicked, &service, &OpenService::cancel);
    showWorkOf(service);
    connect(&theme, &Theme::changed, this, &StatusLine::refresh);
    refresh();
}

template <class Service>
QList<QMetaObject::Connection> StatusLine::showWorkOf(Service& service) {
    return {connect(&service, &Service::started, this,
                    [this, &service](const QString& what) {
                        m_worker = &service;
                        m_busyText->setText(what);
                        m_progress->setRange(0, 0);
                        m_busy->show();
                    }),
            connect(&service, &Service::progressed, this,
                    [this, &service](double fraction, const QString& what) {
                        if (m_worker != &service)
                            return;
                        m_progress->setRange(0, 1000);
                        m_progress->setValue(static_cast<int>(fraction * 1000));
                        m_progress->setToolTip(plainTip(what));
                    }),
            connect(&service, &Service::ended, this, [this, &service] {
                if (m_worker == &service)
                    m_busy->hide();
            })};
}

void StatusLine::follow(Workspace* workspace) {
    for (const QMetaObject::Connection& each : std::exchange(m_followed, {}))
        disconnect(each);
    m_workspace = workspace;
    m_worker = m_service.isWorking() ? &m_service : nullptr;
    if (workspace) {
        DebugService& debug = workspace->debug();
        m_followed = {
            connect(&debug, &DebugService::stateChanged, this, &StatusLine::refresh),
            connect(&debug, &DebugService::runningChanged, this, &StatusLine::refresh),
            connect(&debug.place(), &RunPlace::changed, this, &StatusLine::refresh),
            connect(&debug, &DebugService::memoryChanged, this, &StatusLine::refresh),
            connect(&workspace->layout(), &LayoutService::layoutReady, this, &StatusLine::refresh),
            connect(&workspace->document(), &GraphDocument::changed, this, &StatusLine::describeModel),
            // Saved, the model has the format of the file.
            connect(&workspace->document(), &GraphDocument::saved, this, &StatusLine::describeModel)};
        const auto follow = [this](auto& service, bool isShown) {
            using Service = std::remove_reference_t<decltype(service)>;
            m_followed << connect(m_cancel, &QPushButton::clicked, &service, &Service::cancel);
            m_followed += showWorkOf(service);
            if (isShown)
                m_worker = &service;
        };
        follow(workspace->passes(), workspace->passes().isWorking());
        follow(workspace->verify(), workspace->verify().isWorking());
        follow(workspace->layout(), workspace->layout().isTold());
        follow(workspace->costs(), workspace->costs().isWorking());
        follow(workspace->sizes(), workspace->sizes().isWorking());
        describeModel();
    }
    m_busy->setVisible(m_worker);
    refresh();
}

bool StatusLine::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_model && event->type() == QEvent::Resize)
        elide();
    return QStatusBar::eventFilter(watched, event);
}

void StatusLine::describeModel() {
    const ModelSummary summary = summarize(m_workspace->document().model());
    const QString dot = QString(" %1 ").arg(QChar(0xB7));
    m_modelText = qt(m_workspace->document().opened().format) + dot + qt(plural(summary.nodeCount, "node")) +
                  dot + countLabel(summary.parameterCount) +
                  (summary.parameterCount == 1 ? " parameter" : " parameters");
    if (const RemoteHost* host = m_workspace->debug().place().host())
        m_modelText.prepend("runs on " + qt(oneLine(host->name() + " (" + host->address() + ')')) + dot);
    elide();
}

void StatusLine::elide() {
    m_model->setText(m_model->fontMetrics().elidedText(m_modelText, Qt::ElideRight, m_model->width()));
}

void StatusLine::refresh() {
    m_dot->setVisible(m_workspace);
    if (!m_workspace) {
        m_culprit->hide();
        m_run->setText("No model open");
        m_modelText.clear();
        elide();
        m_numbers->clear();
        return;
    }
    const Tokens& t = m_theme.tokens();
    const DebugService& debug = m_workspace->debug();
    QColor color = t.faint;
    if (!debug.place().fault().isEmpty())
        color = t.fault;
    else if (debug.state() == DebugService::State::Paused)
        color = t.current;
    else if (debug.state() == DebugService::State::Running)
        color = t.selection;
    else if (debug.state() == DebugService::State::Over)
        color = debug.run().culprit().node                                            ? t.fault
                : endText(debug.run().state()).isEmpty() && !debug.run().isOutdated() ? t.healthy
                                                                                      : t.dim;
    m_culprit->setVisible(debug.state() == DebugService::State::Over && debug.run().culprit().node);
    m_dot->setText(QString("<span style='color:%1'>%2</span>").arg(color.name(), QString(QChar(0x25CF))));
    const QString state = runText(debug);
    m_run->setText(elided(state, 90));
    m_run->setToolTip(plainTip(state));
    const QString dot = QString(" %1 ").arg(QChar(0xB7));
    QStringList numbers;
    const MemoryReport& memory = debug.run().memory();
    if (memory.budgetBytes) {
        QString kept =
            "values " + byteLabel(memory.keptBytes) + " of " + byteLabel(memory.budgetBytes) + " kept";
        if (memory.droppedCount)
            kept += QString(", %1 dropped").arg(memory.droppedCount);
        numbers << kept;
    }
    if (const auto picture = m_workspace->layout().picture())
        numbers << "layout " + timeLabel(picture->milliseconds);
    m_numbers->setText(numbers.join(dot));
}

} // namespace fx::ui
