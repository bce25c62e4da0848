// SPDX-License-Identifier: GPL-3.0-or-later
// The diagram of the shown graph, placed: quickly at first where Graphviz takes its time, then by Graphviz.
// It follows edits and scopes by itself; the newest wish wins.
#pragma once

#include "core/layout/diagram.h"
#include "core/torch/bind/call_family.h"
#include "widgets/session/text_metrics.h"
#include "widgets/support/job.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <chrono>
#include <memory>

namespace fx {

class BoxTexts;
class LayoutWorker;

} // namespace fx

namespace fx::ui {

class GraphDocument;
class Selection;

/// A placed diagram with the texts of its boxes: all that the canvas draws from.
struct Picture {
    ModuleId module;
    Diagram diagram;
    std::vector<BoxText> texts;       ///< by box
    std::vector<Opcode> opcodes;      ///< by box; of a stub, that of its value
    std::vector<CallFamily> families; ///< the same
    std::vector<QString> scopePaths;  ///< by box: the scope that it is, or stands for; else empty
    std::vector<QString> edgeLabels;  ///< by edge: the shape that flows
    QString anchor;                   ///< what should stay where it is on the screen
    double milliseconds = 0;
};

/// A shape as it is written beside a wire.
QString wireLabelText(const ValueMeta& value);

class LayoutService : public QObject {
    Q_OBJECT

public:
    LayoutService(const GraphDocument& document, const Selection& selection, const TextMetrics& metrics,
                  QObject* parent = nullptr);
    ~LayoutService() override;

    std::shared_ptr<const Picture> picture() const { return m_picture; }
    bool isWorking() const { return m_isWorking; }
    /// For so long that started() was told.
    bool isTold() const { return m_isWorking && !m_patience.isActive(); }
    /// Gives up what is being placed: the picture stays that is there.
    void cancel();

Q_SIGNALS:
    void layoutReady();
    /// Told of what takes long.
    void started(const QString& what);
    void progressed(double fraction, const QString& what);
    void ended();
    /// Why the placement is not Graphviz's; empty if it is.
    void noteChanged(const QString& note);

private:
    struct Placed {
        std::shared_ptr<const Picture> picture;
        QString note;
    };
    void request(const QString& anchor);
    /// On the job's thread; a quick placement is delivered ahead where Graphviz takes its time.
    Placed place(JobRun<Placed>& job, Picture base, bool foldsLong,
                 std::chrono::steady_clock::time_point start) const;
    void show(const Placed& placed);
    void setWorking(bool isWorking);

    const GraphDocument& m_document;
    const Selection& m_selection;
    TextMetrics m_metrics;
    std::unique_ptr<LayoutWorker> m_worker;
    std::shared_ptr<const Picture> m_picture;
    bool m_isWorking = false;
    QTimer m_patience;  ///< while it runs, nobody is told that there is work
    JobRunner m_runner; ///< last: its thread uses what is above
};

} // namespace fx::ui
