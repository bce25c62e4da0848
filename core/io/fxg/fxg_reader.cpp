// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/io/fxg/fxg.h"
#include "core/io/fxg/fxg_members.h"
#include "core/io/model_json.h"
#include "core/io/torch/torch_archive.h"
#include "core/python/value.h"

namespace fx {

using namespace fxg;

bool isFxg(const ZipArchive& zip) {
    return zip.contains(kModel);
}

OpenedModel readFxg(const std::shared_ptr<ZipArchive>& zip, Progress& progress) {
    const JsonDocument json(zip->read(kModel), zip->path() + ": " + kModel);
    const Json& root = json.root();
    if (json.string(json.member(root, "format")) != "fxscope")
        json.fail(root, "is not written by fxscope");
    const int64_t version = json.integer(json.member(root, "version"));
    if (version < fxg::kVersion || version > fxg::kVersionOfViews)
        throw Error(zip->path(), "is of version " + std::to_string(version) +
                                     ", this program reads versions up to " +
                                     std::to_string(fxg::kVersionOfViews))
            .hint("open it with a newer fxscope");
    OpenedModel out = modelFromJson(
        json, [&](const JsonDocument& document, Edit& edit) { return readTensors(*zip, document, edit); },
        progress);
    if (zip->contains(kSources)) {
        const JsonDocument sources(zip->read(kSources), zip->path() + ": " + kSources);
        out.model.setSources(sourcesFromJson(sources, sources.root()));
    }
    out.path = zip->path();
    out.format = "fxscope (.fxg)";
    if (zip->contains(kLayout))
        out.layoutState = zip->read(kLayout);
    if (zip->contains(kExamples))
        out.examples = [zip] {
            return itemsOf(readTorchArchive(zip->read(kExamples), zip->path() + ": " + kExamples))
                .value_or(Values());
        };
    return out;
}

} // namespace fx
