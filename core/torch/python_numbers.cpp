// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/python_numbers.h"

#include "core/base/error.h"

#include <ATen/ATen.h>

#include <cmath>

namespace fx {

using c10::IValue;

bool isInteger(const Value& value) {
    return value.isData() && (value.data().isInt() || value.data().isBool());
}

bool isReal(const Value& value) {
    return isInteger(value) || (value.isData() && value.data().isDouble());
}

int64_t asInt(const Value& value) {
    return value.data().isBool() ? int64_t(value.data().toBool()) : value.data().toInt();
}

double asDouble(const Value& value) {
    return value.data().isDouble() ? value.data().toDouble() : static_cast<double>(asInt(value));
}

bool isString(const Value& value) {
    return value.isData() && value.data().isString();
}

void requireCount(const Values& args, size_t least, size_t most, const char* name) {
    if (args.size() < least || args.size() > most)
        throw Error("", std::string(name) + "() takes " + std::to_string(least) +
                            (most == least ? "" : " to " + std::to_string(most)) + " arguments, " +
                            std::to_string(args.size()) + " were given");
}

/// A number of the kind that Python's int() and float() make.
Value toNumber(const Value& value, bool wantsInt) {
    Value item = value;
    if (value.isTensor())
        item = IValue(value.data().toTensor().item());
    if (isString(item)) {
        const std::string text = item.data().toStringRef();
        try {
            return wantsInt ? Value(IValue(int64_t(std::stoll(text)))) : Value(IValue(std::stod(text)));
        } catch (const std::exception&) {
            throw Error("", std::string("could not convert string to ") + (wantsInt ? "int" : "float") +
                                ": '" + text + '\'');
        }
    }
    if (!isReal(item))
        throw Error("", std::string(wantsInt ? "int" : "float") +
                            "() argument must be a string or a real number, not '" + typeName(value) + '\'');
    if (!wantsInt)
        return IValue(asDouble(item));
    if (isInteger(item))
        return IValue(asInt(item));
    return IValue(static_cast<int64_t>(std::trunc(asDouble(item))));
}

} // namespace fx
