// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker is asked once about a model, and answers: counting costs, a pass, a comparison. A service is
// a function, a name, and a row of core/session/services.cpp.
#pragma once

#include "core/base/progress.h"
#include "core/io/opened_model.h"
#include "core/process/channel.h"
#include "core/session/confine_run.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace fx {

/// The models that a request is about.
struct ServiceModels {
    const OpenedModel& opened;
    const OpenedModel* reference = nullptr; ///< what a comparison holds it against; null: no model
    /// ServiceHost::version() of `opened`; none: it is no state of the model that the host follows.
    std::optional<uint64_t> version = std::nullopt;
};

/// The number of a Fault which says that the worker has no model, and is of no use any more.
constexpr int32_t kHasNoModel = 1;

struct AnyService {
    std::string_view name;
    /// In the worker: reads the request, does the work, and gives the reply. Throws what the work throws, and
    /// an Error for what is no request.
    std::function<Message(const ServiceModels& models, const Message& question, Progress& progress)> serve;
};

/// Made by makeService (core/session/make_service.h).
template <class Request, class Answer>
struct Service : AnyService {
    std::function<Message(const Request& request)> question;
    std::function<Message(const Answer& answer)> reply;
    /// Throws an Error for what is no answer.
    std::function<Answer(const Message& reply)> answerFrom;
    std::function<const RunRequest&(const Request& request)> runOf;
    // What differs from the rule, or null:
    /// What the process may do. The rule: what its run needs.
    RunPermissions (*permissions)(const Request& request) = nullptr;
    /// What a failure is about. The rule: the name of the service.
    std::string (*place)(const Request& request) = nullptr;
    /// Throws an Error for an answer that does not fit the model. The rule: all fit.
    void (*check)(const OpenedModel& opened, const Answer& answer) = nullptr;
};

/// Throws an Error for what is no question.
std::string serviceNameIn(const Message& question);
/// Null: there is none of that name.
const AnyService* findService(std::string_view name);

} // namespace fx
