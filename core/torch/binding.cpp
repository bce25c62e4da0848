// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/binding.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/torch/convert.h"

#include <algorithm>

namespace fx {

namespace {

/// Gathers `x.view(2, 3)` into `x.view([2, 3])` where the last positional parameter is a list of ints.
Values gatherSizes(const c10::FunctionSchema& schema, const Values& args) {
    size_t positional = 0;
    while (positional < schema.arguments().size() && !schema.arguments()[positional].kwarg_only())
        ++positional;
    for (size_t i = 0; i < positional; ++i) {
        const auto* list = schema.arguments()[i].real_type()->castRaw<c10::ListType>();
        const bool isSizes = list && (list->getElementType()->kind() == c10::TypeKind::SymIntType ||
                                      list->getElementType()->kind() == c10::TypeKind::IntType);
        const bool isSpread = isSizes && i < args.size() && args[i].isData() && args[i].data().isInt() &&
                              args.size() > positional;
        const bool isSingle = isSizes && i + 1 == positional && args.size() == positional &&
                              args[i].isData() && args[i].data().isInt() && !schema.arguments()[i].N();
        if (!isSpread && !isSingle)
            continue;
        Values gathered(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(i));
        gathered.push_back(
            makeSequence(Values(args.begin() + static_cast<std::ptrdiff_t>(i), args.end()), true));
        return gathered;
    }
    return args;
}

} // namespace

std::optional<BoundCall> bind(const TorchOperator& op, const Values& givenArgs, const NamedValues& kwargs,
                              std::string& why) {
    const c10::FunctionSchema& schema = *op.schema;
    const Values args = gatherSizes(schema, givenArgs);
    const std::vector<c10::Argument>& parameters = schema.arguments();
    for (const auto& [key, value] : kwargs) {
        const bool isKnown = std::any_of(parameters.begin(), parameters.end(),
                                         [&](const c10::Argument& p) { return p.name() == key; });
        if (!isKnown) {
            why = "has no parameter '" + key + "'";
            return std::nullopt;
        }
    }
    BoundCall out{&op, {}, 0};
    out.stack.reserve(parameters.size());
    size_t next = 0;
    for (const c10::Argument& parameter : parameters) {
        const Value* given = nullptr;
        if (next < args.size() && !parameter.kwarg_only()) {
            given = &args[next++];
        } else {
            for (const auto& [key, value] : kwargs)
                if (key == parameter.name())
                    given = &value;
        }
        if (!given) {
            if (!parameter.default_value()) {
                why = "is missing its argument '" + parameter.name() + "'";
                return std::nullopt;
            }
            out.stack.push_back(*parameter.default_value());
            continue;
        }
        std::optional<Converted> converted = convert(*given, parameter);
        if (!converted) {
            why = "wants " + parameter.real_type()->repr_str() + " for '" + parameter.name() + "', not " +
                  typeName(*given);
            return std::nullopt;
        }
        out.effort += converted->effort;
        out.stack.push_back(std::move(converted->value));
    }
    if (next < args.size()) {
        why = "takes " + plural(next, "positional argument") + ", " + std::to_string(args.size()) +
              " were given";
        return std::nullopt;
    }
    return out;
}

BoundCall bindBest(const std::string& name, const std::vector<const TorchOperator*>& overloads,
                   const Values& args, const NamedValues& kwargs) {
    std::optional<BoundCall> best;
    std::string tried;
    for (const TorchOperator* op : overloads) {
        // Variants with out= are only meant where out= is given.
        const bool writesOut = std::any_of(op->schema->arguments().begin(), op->schema->arguments().end(),
                                           [](const c10::Argument& p) { return p.is_out(); });
        const bool hasOut =
            std::any_of(kwargs.begin(), kwargs.end(), [](const auto& k) { return k.first == "out"; });
        if (writesOut && !hasOut)
            continue;
        std::string why;
        if (std::optional<BoundCall> call = bind(*op, args, kwargs, why)) {
            if (!best || call->effort < best->effort)
                best = std::move(call);
        } else {
            tried += "\n    " + name + "." +
                     (op->schema->overload_name().empty() ? "default" : op->schema->overload_name()) + ' ' +
                     why;
        }
    }
    if (!best)
        throw Error("", name + "() cannot be called with these arguments" +
                            (tried.empty() ? "" : "; tried:" + tried));
    return std::move(*best);
}

namespace {

/// The type of results that have names, (values, indices); null if any has none.
std::shared_ptr<c10::TupleType> namedReturns(const c10::FunctionSchema& schema) {
    std::vector<std::string> names;
    std::vector<c10::TypePtr> types;
    for (const c10::Argument& result : schema.returns()) {
        if (result.name().empty())
            return nullptr;
        names.push_back(result.name());
        types.push_back(result.type());
    }
    const std::string function = schema.name().substr(schema.name().rfind(':') + 1);
    return c10::TupleType::createNamed(c10::QualifiedName("torch.return_types." + function), names, types);
}

} // namespace

Value perform(BoundCall call) {
    const size_t results = call.op->schema->returns().size();
    call.op->call(call.stack);
    if (results == 0)
        return {};
    if (results == 1)
        return std::move(call.stack.back());
    std::vector<c10::IValue> items(
        std::make_move_iterator(call.stack.end() - static_cast<std::ptrdiff_t>(results)),
        std::make_move_iterator(call.stack.end()));
    for (c10::IValue& item : items)
        if (item.isTensor() && !item.toTensor().defined())
            item = c10::IValue(); // what an operator leaves out is None in Python
    if (std::shared_ptr<c10::TupleType> type = namedReturns(*call.op->schema))
        return c10::IValue(c10::ivalue::Tuple::createNamed(std::move(items), std::move(type)));
    return c10::IValue(c10::ivalue::Tuple::create(std::move(items)));
}

} // namespace fx
