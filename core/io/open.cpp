// SPDX-License-Identifier: GPL-3.0-or-later
// Telling formats apart, and what to say to the owner of a file that has no graph to show.
#include "core/io/open.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/fxg.h"

#include <algorithm>
#include <filesystem>

namespace fx {

namespace {

bool hasRecord(const std::vector<std::string>& names, std::string_view ending) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name.ends_with(ending); });
}

[[noreturn]] void refuseZip(const std::string& path, const ZipArchive& zip) {
    const std::vector<std::string> names = zip.names();
    const bool hasCode =
        std::any_of(names.begin(), names.end(), [](const std::string& n) { return contains(n, "/code/"); });
    if (hasCode && hasRecord(names, "/data.pkl"))
        throw Error(path, "is a TorchScript program, which cannot be opened yet")
            .hint("export the model with torch.export.save and open the .pt2");
    if (hasRecord(names, "/data.pkl"))
        throw Error(path,
                    "was written by torch.save; it holds Python objects or weights, and no exported graph")
            .hint("export the model with torch.export.save and open the .pt2");
    throw Error(path, "is a zip file, but no model that is known here").hint("open a .pt2 or an .fxg");
}

} // namespace

OpenedModel openModel(const std::string& path, const OpenOptions& options, Progress& progress) {
    if (std::filesystem::is_directory(path))
        throw Error(path, "is a folder").hint("open the .pt2 or .fxg that it was exported from");
    const auto file = MappedFile::open(path);
    if (ZipArchive::isZip(file->bytes())) {
        auto zip = std::make_shared<ZipArchive>(path);
        try {
            if (isPt2(*zip))
                return readPt2(zip, {options.isLifted}, progress);
            if (isFxg(*zip))
                return readFxg(zip, progress);
        } catch (Error& error) {
            throw error.place().starts_with(path) ? error : error.within(path);
        }
        refuseZip(path, *zip);
    }
    if (path.ends_with(".safetensors"))
        throw Error(path, "holds weights and no graph").hint("open the .pt2 of the model");
    if (path.ends_with(".py"))
        throw Error(path, "is Python source, which cannot be traced yet")
            .hint("export the model with torch.export.save and open the .pt2");
    if (file->bytes()[0] == std::byte(0x80))
        throw Error(path, "is a Python pickle")
            .hint("export the model with torch.export.save and open the .pt2");
    throw Error(path, "is no model that is known here").hint("open a .pt2 (torch.export.save) or an .fxg");
}

} // namespace fx
