// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/inputs_job.h"

#include "core/session/make_service.h"

namespace fx {

auto fields(InputsRequest& x) {
    return std::tie(x.run);
}

const Service<InputsRequest, std::tuple<>> kInputsService = makeService<InputsRequest, std::tuple<>>(
    "inputs", [](const ServiceModels& models, const InputsRequest& request, Progress&) {
        inputsOf(models.opened, request.run, settingsOf(request.run));
        return std::tuple<>();
    });

} // namespace fx
