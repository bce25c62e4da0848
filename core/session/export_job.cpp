// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/export_job.h"

#include "core/base/error.h"
#include "core/export/export_forms.h"
#include "core/export/verify_export.h"
#include "core/module/muted.h"
#include "core/session/make_service.h"

namespace fx {

auto fields(ExportRequest& x) {
    return std::tie(x.folder, x.className, x.format, x.run);
}
auto fields(ExportAnswer& x) {
    return std::tie(x.line, x.isDifferent, x.notes);
}

namespace {

ExportAnswer exportAndCompare(const ServiceModels& models, const ExportRequest& request, Progress& progress) {
    OpenedModel opened = models.opened;
    const std::optional<ExportForm> form = exportForm(request.format);
    if (!form)
        throw Error(request.folder, "there is no form '" + request.format + "' to write");
    if (!form->keepsAll)
        takeOutMuted(opened.model);
    if (!form->isFolder())
        return {form->isCompared ? "written, opened again and compared" : "written", false,
                form->write(opened, request.folder, progress)};
    const RunSettings settings = settingsOf(request.run);
    const ExportedFolder written = exportFolder(opened.model, request.folder, request.className, opened.path);
    const ExportVerdict verdict =
        verifyExport(opened, request.folder, specsOf(request.run, settings), settings);
    return {exportLine(written, verdict), verdict.state == ExportState::Different, written.notes};
}

} // namespace

const Service<ExportRequest, ExportAnswer> kExportService = [] {
    auto out = makeService<ExportRequest, ExportAnswer>("export", exportAndCompare);
    out.permissions = [](const ExportRequest& request) {
        RunPermissions permissions = permissionsFor(request.run);
        permissions.outputs = {request.folder};
        return permissions;
    };
    out.place = [](const ExportRequest& request) { return request.folder; };
    return out;
}();

} // namespace fx
