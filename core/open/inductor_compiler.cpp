// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/inductor_compiler.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/io/mapped_file.h"
#include "core/io/output_file.h"
#include "core/io/pt2/pt2.h"
#include "core/open/python_starter.h"

#include <chrono>
#include <filesystem>
#include <unistd.h>

namespace fx {

namespace {

namespace fs = std::filesystem;

/// A folder that is gone with this object.
struct TemporaryFolder {
    TemporaryFolder() {
        std::string name = (fs::temp_directory_path() / (std::string(kCompilerFolder) + "XXXXXX")).string();
        if (!::mkdtemp(name.data()))
            throw Error(name, "no folder can be made for the compiler");
        path = name;
    }
    ~TemporaryFolder() {
        std::error_code fault;
        fs::remove_all(path, fault);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    fs::path path;
};

std::string lastLines(const std::string& log, size_t count) {
    std::string_view text = trim(log);
    size_t at = text.size();
    while (count-- > 0 && at != 0) {
        const size_t before = text.rfind('\n', at - 1);
        at = before == std::string_view::npos ? 0 : before;
    }
    return std::string(trim(text.substr(at)));
}

void writeProgram(const Model& model, const GraphInputs& inputs, const std::string& path) {
    OpenedModel opened{.model = model};
    opened.examples = [&] { return inputs.values; };
    Progress unseen;
    writePt2(opened, path, unseen);
}

} // namespace

void compileWithInductor(const Model& model, const GraphInputs& inputs, const std::string& path,
                         Progress& progress) {
    const TemporaryFolder folder;
    writeProgram(model, inputs, folder.path / kCompiledProgram);
    PythonCompiler compiler(folder.path);
    const auto begin = std::chrono::steady_clock::now();
    do {
        const auto seconds =
            std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin);
        // How much there is to do the compiler does not tell.
        progress.step(0, "compiling for " + std::to_string(seconds.count()) +
                             " s: " + oneLine(lastLines(compiler.log(), 1)));
    } while (compiler.wait());
    if (!compiler.hasCompiled())
        throw Error("python3", "could not compile it: " + lastLines(compiler.log(), 3));
    writeFile(path + ".log", compiler.log());
    writeFile(path, readFile(folder.path / kCompiledPackage));
}

} // namespace fx
