// SPDX-License-Identifier: GPL-3.0-or-later
// Gradual types: sizes that a graph declares for values, TensorType((N, Dyn, 4)), and where they disagree
// with the sizes that were found. A name stands for one size wherever it is declared, Dyn for any.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/module/edit.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fx {

class PassOptions;
struct PassContext;
struct PassOption;

namespace meta {
/// std::string as an Argument: the sizes with their names, where the annotation, which Python reads, has Dyn
/// for these.
inline constexpr std::string_view kDeclaredSizes = "declared_sizes";
} // namespace meta

struct Dyn {
    bool operator==(const Dyn&) const = default;
};
using DeclaredSize = std::variant<Dyn, int64_t, std::string>;
using TensorType = std::vector<DeclaredSize>;

/// "(N, Dyn, 4)", "TensorType((N, Dyn, 4))" and what typing prints of that. None for an annotation of
/// another kind. Throws an Error for sizes that are none.
std::optional<TensorType> readTensorType(std::string_view text);
std::string sizeText(const DeclaredSize& size);
/// "(N, Dyn, 4)".
std::string tensorTypeText(const TensorType& type);
/// What is declared for a node's value; none: nothing that says sizes.
std::optional<TensorType> declaredType(const Node& node);

struct TypeDisagreement {
    NodeRef node;
    std::string reason; ///< "declared as (N, 4), but is f32[8, 5]: 4 is not 5"
};

/// What is known of a value; null: nothing, which agrees with all.
using ValueOf = std::function<const ValueMeta*(NodeRef)>;
/// In the order of the graph.
std::vector<TypeDisagreement> typeDisagreements(const Model& model, ModuleId graph, const ValueOf& valueOf);

std::vector<PassOption> declareSizesOptions();
std::vector<PassOption> checkTypesOptions();
/// Declares sizes for a node's value, or takes what is declared away.
void runDeclareSizes(Edit& edit, const PassOptions& options, PassContext& context);
/// Throws an Error that names all disagreements with sizes that are found from those of the inputs: declared
/// ones, else the recorded ones.
void runCheckTypes(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
