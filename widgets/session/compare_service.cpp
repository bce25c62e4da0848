// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/compare_service.h"

#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/session/compare_job.h"
#include "core/torch/bind/call.h"
#include "widgets/document/history.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/document_host.h"
#include "widgets/support/qt_text.h"

namespace fx::ui {

namespace {

std::shared_ptr<const OpenedModel> stateOf(const std::shared_ptr<const OpenedModel>& now,
                                           const HistoryWay& way) {
    auto out = std::make_shared<OpenedModel>(*now);
    way.follow(out->model);
    return out;
}

HistoryWay wayToPoint(const QUndoStack& history, const ComparePoint& point) {
    return point.kind == ComparePoint::Kind::State ? wayTo(history, point.steps) : HistoryWay();
}

/// The model as it computes in that dtype.
std::shared_ptr<const OpenedModel> castTo(const OpenedModel& model, const std::string& dtype,
                                          Progress& progress) {
    auto out = std::make_shared<OpenedModel>(model);
    const Pass& cast = findPass("cast");
    PassContext context{progress};
    runPass(out->model, out->model.root(), cast, PassOptions(cast, {{"dtype", dtype}}), context);
    return out;
}

CompareRequest requestOf(const CompareWish& wish, const RunRequest& run) {
    CompareRequest out;
    out.run = run;
    if (wish.first.kind == ComparePoint::Kind::Run)
        out.referenceFile = utf8(wish.first.path);
    out.areIdsShared =
        wish.first.kind == ComparePoint::Kind::State && wish.second.kind == ComparePoint::Kind::State;
    for (const auto& [a, b] : wish.byHand)
        out.byHand.emplace_back(utf8(a), utf8(b));
    out.tolerance = wish.tolerance;
    out.isIsolated = wish.isIsolated;
    out.otherDevice = utf8(wish.otherDevice);
    out.report = {utf8(wish.report), utf8(wish.firstTitle), utf8(wish.secondTitle)};
    return out;
}

} // namespace

CompareService::CompareService(GraphDocument& document, DebugService& debug, DocumentHost& host,
                               Opener opener, QObject* parent)
    : JobService(parent), m_document(document), m_debug(debug), m_host(host), m_opener(std::move(opener)) {}

void CompareService::compare(const CompareWish& wish) {
    const QUndoStack& history = m_document.undoStack();
    const ModelSnapshot now = m_host.snapshot();
    const ComparePoint isOpen{ComparePoint::Kind::State, history.index()};
    const bool isCurrent = wish.second == isOpen && wish.otherDtype.isEmpty();
    const DocumentState state = isCurrent ? m_document.state() : DocumentState();
    const HistoryWay toFirst = wayToPoint(history, wish.first), toSecond = wayToPoint(history, wish.second);
    Job<Comparison> job;
    job.title = "Comparing";
    job.work = [now, isCurrent, state, toFirst, toSecond, wish, opener = m_opener,
                request = requestOf(wish, m_debug.inputs().requestHere())](JobRun<Comparison>& run) mutable {
        Comparison out{nullptr, nullptr, {}, state};
        const auto modelOf = [&](const ComparePoint& point,
                                 const HistoryWay& way) -> std::shared_ptr<const OpenedModel> {
            if (point.kind == ComparePoint::Kind::File)
                return std::make_shared<const OpenedModel>(opener(utf8(point.path), run));
            return point.kind == ComparePoint::Kind::State ? stateOf(now.opened, way) : nullptr;
        };
        guarded([&] {
            out.second = modelOf(wish.second, toSecond);
            if (!wish.otherDtype.isEmpty())
                out.second = castTo(*out.second, utf8(wish.otherDtype), run);
            out.first = modelOf(wish.first, toFirst);
            if (!isCurrent) {
                out.answer = askApart(kCompareService, {*out.second, out.first.get()}, request, run);
                return;
            }
            // The worker has the second, and can make an earlier or later state of it.
            const bool isState = wish.first.kind == ComparePoint::Kind::State;
            if (isState)
                request.toReference = toFirst.updates(now.opened->model);
            out.answer = now.ask(kCompareService, request, run, isState ? nullptr : out.first.get());
        });
        return out;
    };
    job.done = [this](const Comparison& comparison) { Q_EMIT compared(comparison); };
    job.failed = [this](const Error& why) { Q_EMIT failed(faultText(why.what())); };
    m_runner.startNewest(*this, std::move(job));
}

} // namespace fx::ui
