// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/parse_expression.h"

#include "core/base/error.h"

namespace fx {

Expression parseExpression(std::string_view source, const std::string& place) {
    const std::shared_ptr<const SourceFile> file = parseExpressionSource(source, place);
    return std::move(file->module->body[0].expressions[0]);
}

Argument constantArgument(const Expression& constant) {
    const Value& value = constant.constant;
    if (const auto* leaf = value.as<Argument>())
        return *leaf;
    const c10::IValue& data = value.data();
    if (!value.isData())
        throw Error("", "a value of this size or kind cannot be an argument");
    if (data.isBool())
        return data.toBool();
    if (data.isInt())
        return data.toInt();
    if (data.isDouble())
        return data.toDouble();
    if (data.isComplexDouble())
        return std::complex<double>(data.toComplexDouble());
    if (data.isString())
        return data.toStringRef();
    return {};
}

} // namespace fx
