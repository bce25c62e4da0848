// SPDX-License-Identifier: GPL-3.0-or-later
// Proves the last step of the history: the model before and after it runs in a process of its own, and what
// came of it is a card, which stands until the model is edited again.
#pragma once

#include "core/session/verify_answer.h"
#include "widgets/session/job_service.h"

#include <QObject>
#include <QString>

#include <optional>

namespace fx {

struct VerifyRequest;

} // namespace fx

namespace fx::ui {

class DebugService;
class DocumentHost;
class GraphDocument;

class VerifyService : public JobService {
    Q_OBJECT

public:
    /// `debug` says what the model runs on.
    VerifyService(GraphDocument& document, DebugService& debug, DocumentHost& host,
                  QObject* parent = nullptr);

    /// Of what undo would take back. Nothing happens where there is no such step.
    void verifyLast();
    /// Looks for the step, and for the changes in it, that made the results other ones than they were after
    /// so many steps (0: as it was opened). Nothing happens where there are no more.
    void bisectSince(int steps);
    /// The same of the step that the card is about.
    void bisectLast();
    void cancel() override;
    /// The step is kept: its card goes.
    void keep();
    void undo();

    /// The title of the step that the card is about.
    const QString& title() const { return m_title; }
    /// None: there is none, or fault() says why.
    const std::optional<VerifyAnswer>& card() const { return m_card; }
    const QString& fault() const { return m_fault; }
    /// What bisectSince() has found; beside the card, or in its place.
    struct Found {
        QString text;              ///< "Step 3, Replace by pattern: ..."
        std::vector<NodeId> nodes; ///< of the root graph
    };
    const std::optional<Found>& found() const { return m_found; }

Q_SIGNALS:
    /// Another card, or none any more.
    void changed();
    /// The history keeps what came of a step. Not told while an edit is under way.
    void noted();
    /// found() is there.
    void bisected();

private:
    VerifyRequest requestSince(int steps) const;
    void takeFound(int steps, const BisectAnswer& answer);
    void show(const QString& title, std::optional<VerifyAnswer> card, const QString& fault);

    GraphDocument& m_document;
    DebugService& m_debug;
    DocumentHost& m_host;
    QString m_title, m_fault;
    std::optional<VerifyAnswer> m_card;
    std::optional<Found> m_found;
};

} // namespace fx::ui
