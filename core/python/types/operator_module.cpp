// SPDX-License-Identifier: GPL-3.0-or-later
// Python's module operator.
#include "core/python/types/builtin_functions.h"
#include "core/python/types/native_modules.h"
#include "core/python/types/sequences.h"

#include <algorithm>

namespace fx {

namespace {

/// Under its own name and as "__name__", as the module has it.
void addBoth(NativeModule& module, const std::string& name, size_t count, PlainCall call) {
    module.add(name, count, count, std::move(call));
    const Value function = *module.value().as<SourceModuleObject>()->dict.as<DictObject>()->find(name);
    module.set("__" + (name.ends_with('_') ? name.substr(0, name.size() - 1) : name) + "__", function);
}

void addOperators(NativeModule& module) {
    for (const OperatorRow& row : operatorRows()) {
        const Operator op = row.op;
        const std::string name(row.function);
        if (op == Operator::In || op == Operator::NotIn) // `contains` takes its operands the other way round
            continue;
        if (row.isUnary())
            addBoth(module, name, 1,
                    [op](Evaluator& e, Values& args) { return operateUnary(e, op, args[0]); });
        else
            addBoth(module, name, 2,
                    [op](Evaluator& e, Values& args) { return e.operate(op, args[0], args[1]); });
        if (!row.inPlace.empty())
            addBoth(module, std::string(row.inPlaceFunction()), 2,
                    [op](Evaluator& e, Values& args) { return operateInPlace(e, op, args[0], args[1]); });
    }
    addBoth(module, "inv", 1,
            [](Evaluator& e, Values& args) { return operateUnary(e, Operator::Invert, args[0]); });
    addBoth(module, "abs", 1, [](Evaluator& e, Values& args) { return absolute(e, args[0]); });
    addBoth(module, "not_", 1, [](Evaluator& e, Values& args) { return makeBool(!e.isTrue(args[0])); });
    module.add("truth", 1, 1, [](Evaluator& e, Values& args) { return makeBool(e.isTrue(args[0])); });
    addBoth(module, "index", 1, [](Evaluator& e, Values& args) {
        return args[0].as<BigIntObject>() ? args[0] : makeInt(e.index(args[0]));
    });
    for (const bool isInPlace : {false, true})
        addBoth(module, isInPlace ? "iconcat" : "concat", 2, [isInPlace](Evaluator& e, Values& args) {
            const Value& plain = plainOf(args[0]);
            if (isRealNumber(plain) || isComplexNumber(plain) || plain.isNone() || plain.isTensor())
                raise("TypeError", '\'' + typeName(args[0]) + "' object can't be concatenated");
            return isInPlace ? operateInPlace(e, Operator::Add, args[0], args[1])
                             : e.operate(Operator::Add, args[0], args[1]);
        });
}

void addItems(NativeModule& module) {
    addBoth(module, "getitem", 2, [](Evaluator& e, Values& args) { return e.subscript(args[0], args[1]); });
    addBoth(module, "setitem", 3, [](Evaluator& e, Values& args) -> Value {
        setSubscript(e, args[0], args[1], args[2]);
        return {};
    });
    addBoth(module, "delitem", 2, [](Evaluator& e, Values& args) -> Value {
        deleteSubscript(e, args[0], args[1]);
        return {};
    });
    addBoth(module, "contains", 2,
            [](Evaluator& e, Values& args) { return makeBool(contains(e, args[0], args[1])); });
    module.add("countOf", 2, 2, [](Evaluator& e, Values& args) {
        int64_t count = 0;
        for (const Value& item : e.items(args[0]))
            count += areEqual(e, item, args[1]);
        return makeInt(count);
    });
    module.add("indexOf", 2, 2, [](Evaluator& e, Values& args) {
        int64_t at = 0;
        for (const Value& item : e.items(args[0])) {
            if (areEqual(e, item, args[1]))
                return makeInt(at);
            ++at;
        }
        raise("ValueError", "sequence.index(x): x not in sequence");
    });
    module.add("length_hint", 1, 2, [](Evaluator& e, Values& args) {
        const std::optional<Value> length = e.findAttribute(args[0], "__len__");
        return length ? makeInt(lengthOf(e, args[0])) : args.size() > 1 ? args[1] : makeInt(0);
    });
    module.addFree("call", [](Evaluator& e, Values& args, NamedValues& kwargs) {
        if (args.empty())
            raise("TypeError", "call expected at least 1 argument, got 0");
        const Value function = args[0];
        return e.call(function, Values(args.begin() + 1, args.end()), std::move(kwargs));
    });
}

/// What each of the names or keys gives, alone or as a tuple.
using Take = std::function<Value(Evaluator&, const Value& object, const Value& key)>;
Value makeGetter(const std::string& name, Values keys, Take take) {
    if (keys.empty())
        raise("TypeError", name + " expected 1 argument, got 0");
    const std::string title = name + "(...)"; // no name that a graph could have as a target
    return makeNative(title,
                      checkedCall(name, 1, 1, 0, [=, keys = std::move(keys)](Evaluator& e, Values& args) {
                          if (keys.size() == 1)
                              return take(e, args[0], keys[0]);
                          Values out;
                          for (const Value& key : keys)
                              out.push_back(take(e, args[0], key));
                          return makeTuple(std::move(out));
                      }));
}

Value dottedAttribute(Evaluator& evaluator, const Value& object, const Value& path) {
    Value out = object;
    const std::string& name = path.text();
    for (size_t at = 0; at <= name.size();) {
        const size_t dot = std::min(name.find('.', at), name.size());
        out = evaluator.attribute(out, name.substr(at, dot - at));
        at = dot + 1;
    }
    return out;
}

void addGetters(NativeModule& module) {
    module.add("itemgetter", 0, SIZE_MAX, [](Evaluator&, Values& args) {
        return makeGetter("itemgetter", args, [](Evaluator& e, const Value& object, const Value& key) {
            return e.subscript(object, key);
        });
    });
    module.add("attrgetter", 0, SIZE_MAX, [](Evaluator&, Values& args) {
        for (const Value& name : args)
            if (!name.isString())
                raise("TypeError", "attribute name must be a string");
        return makeGetter("attrgetter", args, dottedAttribute);
    });
    module.addFree("methodcaller", [](Evaluator&, Values& args, NamedValues& kwargs) {
        if (args.empty() || !args[0].isString())
            raise("TypeError", args.empty() ? "methodcaller needs at least one argument, the method name"
                                            : "method name must be a string");
        const std::string name = args[0].text();
        return makeNative("methodcaller(...)", [name, rest = Values(args.begin() + 1, args.end()),
                                                named = kwargs](Evaluator& e, Values& given, NamedValues&) {
            requireArguments("methodcaller", given, 1, 1);
            return e.callMethod(given[0], name, rest, named);
        });
    });
}

} // namespace

Value makeOperatorModule(Evaluator&) {
    NativeModule module("operator");
    addOperators(module);
    addItems(module);
    addGetters(module);
    return module.value();
}

} // namespace fx
