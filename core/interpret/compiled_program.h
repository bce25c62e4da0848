// SPDX-License-Identifier: GPL-3.0-or-later
// Packages of compiled graphs, as the systems run them that have made them.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class CompiledProgram {
public:
    virtual ~CompiledProgram() = default;
    /// The tensors of the result, one after the other. Throws what the system throws.
    virtual std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) = 0;
};

/// How a graph can have been compiled.
struct CompiledForm {
    std::string_view word;
    std::string_view package; ///< the word of the form that has the same package; its own, if it is that one
    std::string_view ending;  ///< of the package's file
    std::unique_ptr<CompiledProgram> (*load)(const std::string& path);
};

inline constexpr std::string_view kInductorForm = "aotinductor";
inline constexpr std::string_view kScriptForm = "torchscript";
inline constexpr std::string_view kFrozenForm =
    "torchscript-frozen"; ///< parameters are constants of the code
/// The frozen one as optimize_for_inference leaves it: what it makes cannot be loaded, so that each load
/// makes it.
inline constexpr std::string_view kOptimizedForm = "torchscript-optimized";
/// The frozen one with groups of calls fused by oneDNN Graph, for sizes as in its first runs.
inline constexpr std::string_view kFusedForm = "torchscript-fused";

/// So many runs of a fused one look at the sizes and compile.
inline constexpr int kRunsThatPlan = 3;

/// Null for a word that is none.
const CompiledForm* compiledForm(std::string_view word);

} // namespace fx
