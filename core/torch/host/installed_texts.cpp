// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/installed_texts.h"

#include "core/base/error.h"
#include "core/python/source_finder.h"

#include <ATen/Context.h>
#include <torch/version.h>

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <mutex>
#include <unordered_map>

namespace fx {

namespace {

/// Files that the evaluator runs as they are, and that pass our tests. The others of these folders are texts
/// of our own in library/: they reach into what is not Python here (guards, the compiler's logs, packed
/// weights).
constexpr std::string_view kInstalled[] = {
    "torch/ao/nn/qat/modules/embedding_ops.py",
    "torch/ao/nn/quantized/functional.py",
    "torch/ao/nn/quantized/modules/dropout.py",
    "torch/ao/nn/quantized/modules/normalization.py",
    "torch/ao/quantization/fake_quantize.py",
    "torch/ao/quantization/qconfig.py",
    "torch/ao/quantization/stubs.py",
    "torch/export/graph_signature.py",
    "torch/fx/passes/annotate_getitem_nodes.py",
    "torch/fx/passes/graph_manipulation.py",
    "torch/fx/passes/infra/partitioner.py",
    "torch/fx/passes/infra/pass_base.py",
    "torch/fx/passes/infra/pass_manager.py",
    "torch/fx/passes/net_min_base.py",
    "torch/fx/passes/operator_support.py",
    "torch/fx/passes/param_fetch.py",
    "torch/fx/passes/pass_manager.py",
    "torch/fx/passes/split_module.py",
    "torch/fx/passes/split_utils.py",
    "torch/fx/passes/splitter_base.py",
    "torch/fx/passes/tools_common.py",
    "torch/fx/passes/utils/common.py",
    "torch/fx/passes/utils/fuser_utils.py",
    "torch/fx/passes/utils/matcher_with_name_node_map_utils.py",
    "torch/fx/passes/utils/source_matcher_utils.py",
    "torch/testing/_comparison.py",
    "torch/testing/_creation.py",
};

/// The folder torch/ of a wheel, or that of an unpacked LibTorch: the parent of lib/.
std::filesystem::path torchFolder() {
    Dl_info found{};
    if (!dladdr(reinterpret_cast<const void*>(&at::globalContext), &found) || !found.dli_fname)
        return {};
    return std::filesystem::path(found.dli_fname).parent_path().parent_path();
}

std::string readInstalled(std::string_view path) {
    const std::filesystem::path file = torchFolder() / path.substr(std::string_view("torch/").size());
    if (!std::filesystem::is_regular_file(file))
        throw Error(file.string(), "not found; the LibTorch in use comes without PyTorch's Python package")
            .hint("install the wheel: pip install torch==" TORCH_VERSION);
    return readSource(file);
}

} // namespace

std::string_view installedText(std::string_view path) {
    const auto* const listed = std::ranges::find(kInstalled, path);
    if (listed == std::end(kInstalled))
        return {};
    static std::mutex mutex;
    static std::unordered_map<std::string_view, std::string> texts;
    const std::lock_guard lock(mutex);
    const auto known = texts.find(path);
    return known != texts.end() ? known->second : texts.emplace(*listed, readInstalled(path)).first->second;
}

} // namespace fx
