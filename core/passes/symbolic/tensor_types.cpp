// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/symbolic/tensor_types.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/symbolic/symbolic_inputs.h"

#include <algorithm>

namespace fx {

namespace {

DeclaredSize readSize(std::string_view text, std::string_view type) {
    if (text == "Dyn" || text == "torch.fx.tensor_type._DynType" || text == "torch.fx.tensor_type.Dyn")
        return Dyn();
    if (const std::optional<int64_t> number = wholeNumber(text))
        return *number;
    if (!isIdentifier(text))
        throw Error("'" + std::string(type) + "'", "'" + std::string(text) + "' is no size")
            .hint("give numbers, names and Dyn: (N, Dyn, 4)");
    return std::string(text);
}

/// What is between the brackets of "TensorType((...))", "TensorType[...]" or "(...)"; none: it is neither.
std::optional<std::string_view> sizesIn(std::string_view text) {
    constexpr std::string_view kModule = "torch.fx.tensor_type.", kName = "TensorType";
    if (text.starts_with(kModule))
        text.remove_prefix(kModule.size());
    const bool isNamed = text.starts_with(kName);
    if (isNamed)
        text.remove_prefix(kName.size());
    const auto peel = [&](char open, char close) {
        if (!text.starts_with(open) || !text.ends_with(close))
            return false;
        text = trim(text.substr(1, text.size() - 2));
        return true;
    };
    const bool isPeeled = peel('(', ')') || (isNamed && peel('[', ']'));
    if (!isPeeled)
        return std::nullopt;
    if (isNamed)
        peel('(', ')');
    return text;
}

} // namespace

std::optional<TensorType> readTensorType(std::string_view text) {
    const std::optional<std::string_view> inside = sizesIn(trim(text));
    if (!inside)
        return std::nullopt;
    TensorType out;
    for (const std::string_view part : split(*inside, ','))
        if (!trim(part).empty())
            out.push_back(readSize(trim(part), text));
    return out;
}

std::string sizeText(const DeclaredSize& size) {
    if (const auto* number = std::get_if<int64_t>(&size))
        return std::to_string(*number);
    const auto* name = std::get_if<std::string>(&size);
    return name ? *name : "Dyn";
}

std::string tensorTypeText(const TensorType& type) {
    std::vector<std::string> sizes;
    for (const DeclaredSize& size : type)
        sizes.push_back(sizeText(size));
    return '(' + join(sizes, ", ") + (sizes.size() == 1 ? ",)" : ")");
}

std::optional<TensorType> declaredType(const Node& node) {
    const auto* named = node.meta.find<Argument>(meta::kDeclaredSizes);
    const auto* text = named ? named->as<std::string>() : nullptr;
    try {
        return text ? readTensorType(*text) : node.type ? readTensorType(*node.type) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt; // of a file: Python may declare what is no size
    }
}

namespace {

class Checker {
public:
    /// Why the type is not that of the value; none: it may be.
    std::optional<std::string> fault(const TensorType& type, const ValueMeta& value,
                                     const std::string& where) {
        const auto* tensor = std::get_if<TensorMeta>(&value.value);
        if (!tensor)
            return "that is no tensor";
        if (tensor->shape.size() != type.size())
            return plural(type.size(), "size") + " declared, " + std::to_string(tensor->shape.size()) +
                   " there";
        for (size_t i = 0; i < type.size(); ++i)
            if (std::optional<std::string> why = fault(type[i], tensor->shape[i], where))
                return why;
        return std::nullopt;
    }

private:
    std::optional<std::string> fault(const DeclaredSize& declared, const Dimension& is,
                                     const std::string& where) {
        const std::string text = dimensionText(is);
        if (const auto* number = std::get_if<int64_t>(&declared))
            return text == std::to_string(*number)
                       ? std::nullopt
                       : std::optional(std::to_string(*number) + " is not " + text);
        const auto* name = std::get_if<std::string>(&declared);
        if (!name)
            return std::nullopt;
        const auto& [first, known] = m_names.try_emplace(*name, where, text).first->second;
        if (known == text)
            return std::nullopt;
        return *name + " is " + known + " at '" + first + "', and " + text + " here";
    }

    std::map<std::string, std::pair<std::string, std::string>>
        m_names; ///< where each was met first, and as what
};

} // namespace

std::vector<TypeDisagreement> typeDisagreements(const Model& model, ModuleId module, const ValueOf& valueOf) {
    std::vector<TypeDisagreement> out;
    Checker checker;
    for (const Node& node : model.graph(module)) {
        const std::optional<TensorType> type = declaredType(node);
        const NodeRef at{module, node.id};
        const ValueMeta* value = type ? valueOf(at) : nullptr;
        if (!value)
            continue;
        if (const std::optional<std::string> why = checker.fault(*type, *value, node.name))
            out.push_back({at, "declared as " + tensorTypeText(*type) + ", but is " + valueMetaText(*value) +
                                   ": " + *why});
    }
    return out;
}

} // namespace fx
