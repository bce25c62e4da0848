// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/pass_job.h"

#include "core/base/error.h"
#include "core/open/pass_context.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/session/make_service.h"
#include "core/session/replica_message.h"
#include "core/userpasses/statement_pass.h"
#include "core/userpasses/user_pass.h"

namespace fx {

auto fields(PassTable& x) {
    return std::tie(x.name, x.columns, x.rows);
}
auto fields(PassRequest& x) {
    return std::tie(x.pass, x.options, x.graph, x.run);
}
auto fields(PassAnswer& x) {
    return std::tie(x.update, x.text, x.output, x.lines, x.fault, x.tables);
}

PassAnswer applyToCopy(const OpenedModel& opened, const PassRequest& request, Progress& progress) {
    loadLibraries(request.run);
    const RunSettings settings = settingsOf(request.run);
    const std::optional<UserPassName> own = userPassName(request.pass);
    const Pass pass = own                              ? loadUserPass(*own)
                      : request.pass == kStatementPass ? statementPass()
                                                       : findPass(request.pass);
    OpenedModel copy = opened;
    const ModelExtent before(copy.model);
    PassContext context = passContext(copy, specsOf(request.run, settings), settings, progress);
    PassReport report;
    try {
        report = runPass(copy.model, request.graph, pass, PassOptions(pass, request.options), context);
    } catch (const Error& why) {
        if (context.output.empty() && context.traceback.empty())
            throw;
        const std::string end = context.traceback.empty() ? "" : why.kind() + ": " + why.message() + '\n';
        return {updateOf(copy.model, {}, false, before),
                {},
                context.output + context.traceback + end,
                {},
                why.what()};
    }
    PassAnswer out{updateOf(copy.model, report.changes, false, before),
                   report.text(),
                   report.output,
                   report.warnings,
                   {}};
    out.lines.insert(out.lines.end(), report.results.begin(), report.results.end());
    out.tables = std::move(report.tables);
    return out;
}

const Service<PassRequest, PassAnswer> kPassService = [] {
    auto out = makeService<PassRequest, PassAnswer>(
        "pass", [](const ServiceModels& models, const PassRequest& request, Progress& progress) {
            return applyToCopy(models.opened, request, progress);
        });
    out.permissions = [](const PassRequest& request) {
        RunPermissions permissions = permissionsFor(request.run);
        permissions.addPass({request.pass, request.options});
        return permissions;
    };
    out.place = [](const PassRequest& request) { return request.pass; };
    return out;
}();

} // namespace fx
