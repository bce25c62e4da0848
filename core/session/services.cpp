// SPDX-License-Identifier: GPL-3.0-or-later
// The list of services.
#include "core/process/wire.h"
#include "core/session/compare_job.h"
#include "core/session/cost_job.h"
#include "core/session/export_job.h"
#include "core/session/inputs_job.h"
#include "core/session/pass_job.h"
#include "core/session/sizes_job.h"
#include "core/session/verify_job.h"

#include <algorithm>

namespace fx {

namespace {

const AnyService* const kServices[] = {&kExportService, &kPassService,    &kVerifyService,
                                       &kBisectService, &kCompareService, &kKeepReferenceService,
                                       &kCostService,   &kSizesService,   &kInputsService};

} // namespace

std::string serviceNameIn(const Message& question) {
    std::string out;
    WireReader(question.body).get(out);
    return out;
}

const AnyService* findService(std::string_view name) {
    const auto* const found =
        std::ranges::find_if(kServices, [&](const AnyService* each) { return each->name == name; });
    return found == std::end(kServices) ? nullptr : *found;
}

} // namespace fx
