// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/remote_opening.h"

#include "core/base/text.h"
#include "core/io/mapped_file.h"
#include "core/open/python_source.h"

#include <cstdlib>

namespace fx {

RemoteModel openThere(const RemoteRequest& request, Progress& progress) {
    progress.report(0, "Connecting");
    RemoteModel out;
    out.host = RemoteHost::connect(request.address, request.token, request.session, &progress);
    if (!request.session.empty()) {
        out.host->keepSession(); // it is not this one's to end, if that fails
        out.opened = out.host->recall(&progress);
        out.host->keepSession(false);
        return out;
    }
    OpeningRequest model = request.model;
    if (request.isUploaded) {
        if (!namesPackage(model.path)) { // which are found there
            const auto [file, expression] = splitExpression(model.path, {});
            model.path = out.host->upload(file, &progress) + (expression.empty() ? "" : ':' + expression);
        }
        for (std::string* beside : {&model.options.trace.stateFile, &model.options.trace.sourceFile})
            if (!beside->empty())
                *beside = out.host->upload(*beside, &progress);
    }
    progress.report(0, "Opening");
    out.opened = out.host->open(model, &progress);
    return out;
}

std::optional<std::string> givenToken(const std::string& file) {
    if (!file.empty())
        return std::string(trim(readFile(file)));
    const char* given = std::getenv("FXSCOPE_TOKEN");
    return given ? std::optional<std::string>(given) : std::nullopt;
}

} // namespace fx
