// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a Service of a function, where the `fields` of its request and of its answer are in sight.
#pragma once

#include "core/process/wire.h"
#include "core/process/worker_process.h"
#include "core/session/debug_wire.h"
#include "core/session/service.h"

#include <ATen/ATen.h>

namespace fx {

/// Request has a member `run`, a RunRequest. `name`: a literal. `work`: called with the models, the request
/// and a Progress.
template <class Request, class Answer, class Work>
Service<Request, Answer> makeService(const char* name, const Work& work) {
    const auto replyOf = [](const Answer& answer) {
        WireWriter writer;
        writer.put(answer);
        return writer.take(MessageKind::Reply, 0);
    };
    Service<Request, Answer> out;
    out.name = name;
    out.serve = [work, replyOf](const ServiceModels& models, const Message& question, Progress& progress) {
        WireReader reader(question.body, question.file.get());
        std::string asked;
        Request request{};
        reader.get(asked);
        reader.get(request);
        reader.requireEnd();
        limitOwnMemory(memoryLimitOf(request.run));
        loadLibraries(request.run);
        // Without a seed the default one is set, so that equal requests get equal answers.
        at::manual_seed(request.run.seed.value_or(c10::default_rng_seed_val));
        return replyOf(work(models, request, progress));
    };
    out.question = [name](const Request& request) {
        WireWriter writer;
        writer.put(std::string(name));
        writer.put(request);
        return writer.take(MessageKind::Ask, 0);
    };
    out.reply = replyOf;
    out.answerFrom = [](const Message& reply) {
        WireReader reader(reply.body, reply.file.get());
        Answer answer{};
        reader.get(answer);
        reader.requireEnd();
        return answer;
    };
    out.runOf = [](const Request& request) -> const RunRequest& { return request.run; };
    return out;
}

} // namespace fx
