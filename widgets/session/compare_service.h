// SPDX-License-Identifier: GPL-3.0-or-later
// Holds the model, as it is or was after a step, against another state of it, another file, or a run that was
// kept: both run in a process of their own.
#pragma once

#include "core/io/opened_model.h"
#include "core/session/compare_answer.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/job_service.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>

namespace fx::ui {

class DebugService;
class DocumentHost;

/// What is compared.
struct ComparePoint {
    enum class Kind {
        State, ///< the document after so many steps
        File,  ///< a model
        Run    ///< a run that was kept (core/compare/reference_file.h)
    };
    Kind kind = Kind::State;
    int steps = 0;
    QString path = {};
    bool operator==(const ComparePoint&) const = default;
};

struct CompareWish {
    ComparePoint first;                              ///< the reference
    ComparePoint second;                             ///< what is held against it: no run
    std::vector<std::pair<QString, QString>> byHand; ///< as PairingOptions has them
    std::optional<double> tolerance;                 ///< as CompareOptions has it
    bool isIsolated = false;                         ///< the same
    QString otherDtype = {};  ///< that the second computes in, by the pass cast; empty: as it does
    QString otherDevice = {}; ///< as CompareRequest has it
    QString report = {}, firstTitle = {}, secondTitle = {}; ///< as WantedReport has them
};

struct Comparison {
    std::shared_ptr<const OpenedModel> first; ///< null: the reference is a file of values
    std::shared_ptr<const OpenedModel> second;
    CompareAnswer answer;
    DocumentState state; ///< that the second is; of no document where that is an earlier or later one
};

class CompareService : public JobService {
    Q_OBJECT

public:
    /// Opens a model file; called on another thread.
    using Opener = std::function<OpenedModel(const std::string& path, Progress&)>;

    /// `debug` says what the model runs on.
    CompareService(GraphDocument& document, DebugService& debug, DocumentHost& host, Opener opener,
                   QObject* parent = nullptr);

    /// The newest wish wins.
    void compare(const CompareWish& wish);

Q_SIGNALS:
    void compared(const fx::ui::Comparison& comparison);
    void failed(const QString& reason);

private:
    GraphDocument& m_document;
    DebugService& m_debug;
    DocumentHost& m_host;
    const Opener m_opener;
};

} // namespace fx::ui
