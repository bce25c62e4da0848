// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/export_folder.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/written_names.h"
#include "core/export/package_writer.h"
#include "core/io/output_file.h"
#include "core/io/output_folder.h"
#include "core/io/torch/torch_archive.h"
#include "core/ir/names.h"

#include <ATen/ATen.h>

#include <filesystem>

namespace fx {

ExportedFolder exportFolder(const Model& model, const std::string& folder, const std::string& className,
                            const std::string& origin) {
    namespace fs = std::filesystem;
    if (!isWrittenBare(className) || isReservedName(className))
        throw Error("", pythonRepr(className) + " cannot name a class").hint("give another with --name");
    PackageWriter writer(model, className);
    std::map<std::string, std::string> texts;
    texts["module.py"] = writer.moduleText(origin);
    texts["__init__.py"] = "from .module import " + className + "\n\n__all__ = [\"" + className + "\"]\n";
    texts.merge(writer.sourceFiles());
    std::vector<std::pair<Value, Value>> state;
    for (const StateEntry& entry : writer.state())
        state.emplace_back(Value(c10::IValue(entry.path)),
                           Value(c10::IValue(model.tensor(entry.tensor).value())));

    ExportedFolder out;
    writeFolder(folder, [&](const std::string& made) {
        if (!state.empty()) {
            writeTorchFile(made + "/state.pt", makeDict(std::move(state)));
            out.files.push_back("state.pt");
        }
        for (const auto& [name, text] : texts) {
            const fs::path path = fs::path(made) / name;
            fs::create_directories(path.parent_path());
            writeFile(path.string(), text);
            out.files.push_back(name);
        }
    });
    out.notes = writer.notes();
    // "net/" and "." have their name in what is before, or in the current folder.
    const std::string package =
        fs::absolute(fs::path(folder) / "").lexically_normal().parent_path().filename().string();
    if (!isIdentifier(package))
        out.notes.push_back("the folder's name is no Python identifier, so 'from " + package +
                            " import' is not possible");
    return out;
}

} // namespace fx
