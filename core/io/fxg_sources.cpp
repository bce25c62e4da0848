// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/fxg_sources.h"

#include "core/io/json.h"

namespace fx {

namespace {

constexpr const char* kSources = "fxscope/sources.json";

} // namespace

void writeSources(ZipWriter& zip, const Model& model) {
    if (model.sources().empty())
        return;
    Json rows = Json::array();
    for (const SourceText& source : model.sources())
        rows.push_back({{"module", source.module},
                        {"path", source.path},
                        {"package", source.isPackage},
                        {"text", source.text}});
    zip.add(kSources, rows.dump());
}

void readSources(ZipArchive& zip, Model& model) {
    if (!zip.contains(kSources))
        return;
    const JsonDocument json(zip.read(kSources), zip.path() + ": " + kSources);
    std::vector<SourceText> sources;
    for (const Json& row : json.array(json.root()))
        sources.push_back({json.string(json.member(row, "module")), json.string(json.member(row, "path")),
                           json.string(json.member(row, "text")), json.boolean(json.member(row, "package"))});
    model.setSources(std::move(sources));
}

} // namespace fx
