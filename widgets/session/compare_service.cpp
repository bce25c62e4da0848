// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/compare_service.h"

#include "core/session/compare_job.h"
#include "core/torch/bind/call.h"
#include "widgets/document/history.h"
#include "widgets/session/debug_service.h"
#include "widgets/support/qt_text.h"

namespace fx {

namespace {

std::shared_ptr<const OpenedModel> stateOf(const std::shared_ptr<const OpenedModel>& now,
                                           const HistoryWay& way) {
    auto out = std::make_shared<OpenedModel>(*now);
    way.follow(out->model);
    return out;
}

CompareRequest requestOf(const CompareWish& wish, const RunRequest& run) {
    CompareRequest out;
    out.run = run;
    if (wish.first.kind == ComparePoint::Kind::Run)
        out.referenceFile = utf8(wish.first.path);
    out.areIdsShared = wish.first.kind == ComparePoint::Kind::State;
    for (const auto& [a, b] : wish.byHand)
        out.byHand.emplace_back(utf8(a), utf8(b));
    out.tolerance = wish.tolerance;
    out.isIsolated = wish.isIsolated;
    out.report = {utf8(wish.report), utf8(wish.firstTitle), utf8(wish.secondTitle)};
    return out;
}

} // namespace

CompareService::CompareService(GraphDocument& document, DebugService& debug, Opener opener, QObject* parent)
    : QObject(parent), m_document(document), m_debug(debug), m_opener(std::move(opener)) {
    connect(&m_runner, &JobRunner::began, this, &CompareService::started);
    connect(&m_runner, &JobRunner::progressed, this, &CompareService::progressed);
    connect(&m_runner, &JobRunner::ended, this, &CompareService::ended);
}

void CompareService::compare(const CompareWish& wish) {
    const QUndoStack& history = m_document.undoStack();
    const auto now = std::make_shared<const OpenedModel>(m_document.opened());
    const DocumentState state = wish.steps == history.index() ? m_document.state() : DocumentState();
    const HistoryWay toSecond = wayTo(history, wish.steps);
    const bool isState = wish.first.kind == ComparePoint::Kind::State;
    const HistoryWay toFirst = isState ? wayTo(history, wish.first.steps) : HistoryWay();
    Job<Comparison> job;
    job.title = "Comparing";
    job.work = [now, state, toFirst, toSecond, first = wish.first, opener = m_opener,
                request = requestOf(wish, m_debug.requestHere())](JobRun<Comparison>& run) {
        Comparison out{nullptr, nullptr, {}, state};
        guarded([&] {
            out.second = stateOf(now, toSecond);
            if (first.kind == ComparePoint::Kind::State)
                out.first = stateOf(now, toFirst);
            else if (first.kind == ComparePoint::Kind::File)
                out.first = std::make_shared<const OpenedModel>(opener(utf8(first.path), run));
            out.answer = compareApart(out.first.get(), *out.second, request, run);
        });
        return out;
    };
    job.done = [this](const Comparison& comparison) { Q_EMIT compared(comparison); };
    job.failed = [this](const Error& why) { Q_EMIT failed(qt(why.what())); };
    m_runner.startNewest(*this, std::move(job));
}

} // namespace fx
