// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/value_kinds.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/dtype.h"
#include "core/torch/values/value_text.h"

namespace fx {

namespace {

std::string tensorDifferences(const TensorMeta& old, const TensorMeta& fresh) {
    std::vector<std::string> parts;
    const auto tell = [&](const char* what, const std::string& now, const std::string& before) {
        if (now != before)
            parts.push_back(std::string(what) + now + " instead of " + before);
    };
    tell("shape ", shapeText(fresh.shape), shapeText(old.shape));
    tell("", std::string(dtypeAbbreviation(fresh.dtype)), std::string(dtypeAbbreviation(old.dtype)));
    tell("device ", fresh.device.str(), old.device.str());
    return join(parts, ", ");
}

/// Python's numbers stand for each other as they do in arithmetic: bool for int for float.
int numberRank(const Value& value) {
    return value.isBool() ? 1 : value.isInt() ? 2 : value.isDouble() ? 3 : 0;
}

} // namespace

std::string compareKinds(const std::string& name, const Value& old, const Value& fresh) {
    if (old.isNone())
        return {};
    if (old.isTensor() && fresh.isTensor()) {
        const auto tensor = [](const Value& value) {
            return std::get<TensorMeta>(describeValue(value).value);
        };
        return tensorDifferences(tensor(old), tensor(fresh));
    }
    if (numberRank(old) && numberRank(fresh) && numberRank(fresh) <= numberRank(old))
        return {};
    if (typeName(old) != typeName(fresh)) {
        Error error("", name + " is a '" + typeName(old) + "', and what reads it cannot take '" +
                            typeName(fresh) + '\'');
        if (old.isTensor() && numberRank(fresh))
            throw std::move(error).hint("torch.full_like(" + name + ", number) makes a tensor of a number");
        throw error;
    }
    const std::optional<Values> was = itemsOf(old), is = itemsOf(fresh);
    if (!was || !is)
        return {};
    if (was->size() != is->size())
        throw Error("", name + " has " + plural(was->size(), "item") + ", and what reads it cannot take " +
                            std::to_string(is->size()));
    std::vector<std::string> parts;
    for (size_t i = 0; i < was->size(); ++i) {
        const std::string item = name + '[' + std::to_string(i) + ']';
        if (const std::string part = compareKinds(item, (*was)[i], (*is)[i]); !part.empty())
            parts.push_back(item + ": " + part);
    }
    return join(parts, "; ");
}

} // namespace fx
