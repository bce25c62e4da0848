// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/example_files.h"

#include "core/base/error.h"
#include "core/userpasses/user_examples.h"

#include <algorithm>
#include <filesystem>

namespace fx {

namespace {

bool holdsInputs(const std::filesystem::path& path) {
    static const std::vector<std::string> kEndings = {".pt", ".pth", ".npz", ".safetensors"};
    return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

} // namespace

void forEachExample(const OpenedModel& model, const InputSpecs& specs, const std::string& path,
                    const std::function<void(const GraphInputs&)>& visit) {
    if (const std::optional<UserPassName> name = userPassName(path); name && !name->name.empty()) {
        size_t number = 0;
        forEachUserExample(*name, model.model.sources(), [&](const Value& content) {
            InputSpecs one = specs;
            one.file = path + ", example " + std::to_string(++number);
            one.content = content;
            visit(makeInputs(model, one));
        });
        return;
    }
    std::vector<std::filesystem::path> files;
    std::error_code fault;
    if (std::filesystem::is_directory(path, fault)) {
        for (const auto& entry : std::filesystem::directory_iterator(path, fault))
            if (holdsInputs(entry.path()))
                files.push_back(entry.path());
        if (files.empty())
            throw Error(path, fault ? fault.message() : "holds no files with inputs")
                .hint("they end in .pt, .npz or .safetensors");
        std::ranges::sort(files);
    } else {
        files.emplace_back(path);
    }
    for (const std::filesystem::path& file : files) {
        InputSpecs one = specs;
        one.file = file.string();
        visit(makeInputs(model, one));
    }
}

} // namespace fx
