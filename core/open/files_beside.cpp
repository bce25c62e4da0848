// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/files_beside.h"

#include "core/base/error.h"
#include "core/io/pickle/pickled_objects.h"
#include "core/io/torch/torch_container.h"

#include <algorithm>
#include <filesystem>

namespace fx {

namespace {

namespace fs = std::filesystem;

/// True for the globals that torch.load(weights_only=True) allows.
bool isHarmless(std::string_view name) {
    static constexpr std::string_view kKnown[] = {"collections.OrderedDict",
                                                  "collections.defaultdict",
                                                  "collections.Counter",
                                                  "builtins.set",
                                                  "builtins.dict",
                                                  "builtins.list",
                                                  "builtins.bytearray",
                                                  "_codecs.encode",
                                                  "torch.Size",
                                                  "torch.Tensor",
                                                  "torch.device",
                                                  "torch.serialization._get_layout",
                                                  "torch.nn.parameter.Parameter",
                                                  "torch.storage.UntypedStorage",
                                                  "torch.storage.TypedStorage"};
    return std::ranges::find(kKnown, name) != std::end(kKnown) ||
           name.starts_with("torch._utils._rebuild_") ||
           (name.starts_with("torch.") && name.ends_with("Storage")) ||
           pickledDtype(PickleValue{PickleGlobal{std::string(name)}});
}

} // namespace

FilesBeside::FilesBeside(const std::string& sourcePath)
    : m_folder(fs::weakly_canonical(fs::absolute(sourcePath)).parent_path().string()) {}

std::string FilesBeside::find(const std::string& path) const {
    if (path.find('\0') != std::string::npos) // which ends a path for the system alone
        throw Error("", "embedded null byte").kind("ValueError");
    bool isBeside = false;
    for (const fs::path& base : {fs::current_path(), fs::path(m_folder)}) {
        std::error_code fault;
        const fs::path real = fs::weakly_canonical(base / path, fault); // an absolute path stays as it is
        const fs::path within = real.lexically_relative(m_folder);
        if (fault || within.empty() || *within.begin() == "..")
            continue;
        isBeside = true;
        if (fs::is_regular_file(real, fault))
            return real.string();
    }
    if (isBeside)
        throw Error("", "[Errno 2] No such file or directory: '" + path + '\'').kind("FileNotFoundError");
    throw Error("", "torch.load() is not supported: '" + path + "' is not beside the source")
        .kind("RuntimeError")
        .hint("a program reads no other files here; move it to the folder " + m_folder);
}

Value FilesBeside::load(Evaluator& evaluator, const std::string& path) const {
    const TorchContainer container = TorchContainer::open(find(path));
    for (const PickleValue& value : container.document().values)
        if (const std::string_view name = value.globalName(); !name.empty() && !isHarmless(name))
            throw Error("", "Weights only load failed: " + std::string(name) +
                                " is not an allowed global by default")
                .kind("UnpicklingError")
                .hint("torch.load() reads weights alone here; save the state_dict");
    PickledObjects objects(evaluator, container, nullptr);
    return objects.make(container.root());
}

} // namespace fx
