// SPDX-License-Identifier: GPL-3.0-or-later
// Proves the last step of the history: the model before and after it runs in a process of its own, and what
// came of it is a card, which stands until the model is edited again.
#pragma once

#include "core/session/verify_answer.h"
#include "widgets/support/job.h"

#include <QObject>
#include <QString>

#include <optional>

namespace fx {

class DebugService;
class GraphDocument;

class VerifyService : public QObject {
    Q_OBJECT

public:
    /// `debug` says what the model runs on.
    VerifyService(GraphDocument& document, DebugService& debug, QObject* parent = nullptr);

    /// Of what undo would take back. Nothing happens where there is no such step.
    void verifyLast();
    void cancel();
    /// The step is kept: its card goes.
    void keep();
    void undo();

    bool isWorking() const { return m_runner.isWorking(); }
    /// The title of the step that the card is about.
    const QString& title() const { return m_title; }
    /// None: there is none, or fault() says why.
    const std::optional<VerifyAnswer>& card() const { return m_card; }
    const QString& fault() const { return m_fault; }

Q_SIGNALS:
    void started(const QString& what);
    void progressed(double fraction, const QString& what);
    void ended();
    /// Another card, or none any more.
    void changed();

private:
    void show(const QString& title, std::optional<VerifyAnswer> card, const QString& fault);

    GraphDocument& m_document;
    DebugService& m_debug;
    QString m_title, m_fault;
    std::optional<VerifyAnswer> m_card;
    JobRunner m_runner; ///< last: its thread uses what is above
};

} // namespace fx
