// SPDX-License-Identifier: GPL-3.0-or-later
// From names to callables: Python's own functions first, then overloads, then ATen by its Python name.
#include "core/torch/call.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/torch/attributes.h"
#include "core/torch/binding.h"
#include "core/torch/python_functions.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <unordered_map>

namespace fx {

namespace {

/// Python's class for an error of LibTorch's, as PyTorch's binding translates it.
const char* pythonKind(const c10::Error& error) {
    if (dynamic_cast<const c10::IndexError*>(&error))
        return "IndexError";
    if (dynamic_cast<const c10::ValueError*>(&error))
        return "ValueError";
    if (dynamic_cast<const c10::TypeError*>(&error))
        return "TypeError";
    if (dynamic_cast<const c10::NotImplementedError*>(&error))
        return "NotImplementedError";
    return "RuntimeError";
}

} // namespace

void guarded(const std::function<void()>& work) {
    try {
        work();
    } catch (const c10::Error& error) {
        throw Error("", error.what_without_backtrace()).kind(pythonKind(error));
    } catch (const std::bad_alloc&) {
        throw Error("", "not enough memory");
    }
}

namespace {

/// "aten::relu" of "torch.relu", "aten::linalg_norm" of "torch.linalg.norm"; empty for other modules.
std::string operatorName(const std::string& name) {
    static constexpr std::pair<std::string_view, std::string_view> kModules[] = {
        {"torch.nn.functional.", "aten::"},
        {"torch._C._nn.", "aten::"},
        {"torch._VF.", "aten::"},
        {"torch._C._linalg.", "aten::"},
        {"torch._C._fft.", "aten::"},
        {"torch._C._special.", "aten::"},
        {"torch.linalg.", "aten::linalg_"},
        {"torch.fft.", "aten::fft_"},
        {"torch.special.", "aten::special_"},
        {"torch.Tensor.", "aten::"},
        {"torch.functional.", "aten::"},
        {"torch.ops.", ""},
        {"torch.", "aten::"},
    };
    for (const auto& [module, prefix] : kModules) {
        if (!name.starts_with(module))
            continue;
        const std::string rest = name.substr(module.size());
        if (module == "torch.ops.") {
            const size_t dot = rest.find('.');
            return dot == std::string::npos ? std::string()
                                            : rest.substr(0, dot) + "::" + rest.substr(dot + 1);
        }
        return contains(rest, ".") ? std::string() : std::string(prefix) + rest;
    }
    return {};
}

/// torch.tensor(data): nested lists of numbers.
Value makeTensor(const Values& args, const NamedValues& kwargs) {
    if (args.size() != 1)
        throw Error("", "torch.tensor() takes one positional argument: the data");
    std::vector<int64_t> shape;
    std::vector<c10::Scalar> numbers;
    const std::function<void(const Value&, size_t)> read = [&](const Value& value, size_t depth) {
        if (const std::optional<Values> items = itemsOf(value)) {
            const auto count = static_cast<int64_t>(items->size());
            if (depth == shape.size() && numbers.empty())
                shape.push_back(count);
            else if (depth >= shape.size() || shape[depth] != count)
                throw Error("", "expected sequences of equal length at every depth");
            for (const Value& item : *items)
                read(item, depth + 1);
            return;
        }
        if (!value.isData() || !(value.data().isScalar() || value.data().isBool()) || depth != shape.size())
            throw Error("", "expected numbers in nested lists of equal length, not " + typeName(value));
        numbers.push_back(value.data().toScalar());
    };
    if (args[0].isTensor())
        return callMethod(callMethod(args[0], "detach", {}, {}), "clone", {}, {});
    read(args[0], 0);
    const auto has = [&](auto test) { return std::any_of(numbers.begin(), numbers.end(), test); };
    c10::ScalarType dtype = c10::get_default_dtype_as_scalartype();
    if (has([](const c10::Scalar& n) { return n.isComplex(); }))
        dtype = c10::ScalarType::ComplexFloat;
    else if (!numbers.empty() && !has([](const c10::Scalar& n) { return n.isFloatingPoint(); }))
        dtype = has([](const c10::Scalar& n) { return !n.isBoolean(); }) ? c10::ScalarType::Long
                                                                         : c10::ScalarType::Bool;
    at::Tensor tensor = at::empty({static_cast<int64_t>(numbers.size())}, dtype);
    for (size_t i = 0; i < numbers.size(); ++i)
        tensor[static_cast<int64_t>(i)].fill_(numbers[i]);
    const Value shaped = c10::IValue(tensor.view(shape));
    return kwargs.empty() ? shaped : callMethod(shaped, "to", {}, kwargs);
}

/// Where overloads have their receiver; the first place if none names it.
size_t placeOfSelf(const std::vector<const TorchOperator*>& overloads) {
    for (const TorchOperator* op : overloads) {
        const std::vector<c10::Argument>& parameters = op->schema->arguments();
        for (size_t i = 0; i < parameters.size(); ++i)
            if (parameters[i].name() == "self" && !parameters[i].kwarg_only())
                return i;
    }
    return 0;
}

Value callNamed(Target target, const Values& args, const NamedValues& kwargs) {
    const std::string& name = target.name();
    if (const PythonFunction function = findPythonFunction(name))
        return function(args, kwargs);
    if (const TorchOperator* op = findOperator(target))
        return perform(bindBest(name, {op}, args, kwargs));
    if (name == "torch.tensor")
        return makeTensor(args, kwargs);
    if (const std::vector<const TorchOperator*> overloads = findOverloads(operatorName(name));
        !overloads.empty())
        return perform(bindBest(name, overloads, args, kwargs));
    throw Error("", "no operator or function named '" + name + "' is known here")
        .hint(name.starts_with("torch.ops.")
                  ? "load the library that registers it, or run the graph in Python"
                  : "run the graph in Python");
}

} // namespace

Value callFunction(Target target, const Values& args, const NamedValues& kwargs) {
    Value result;
    guarded([&] { result = callNamed(target, args, kwargs); });
    return result;
}

bool isKnownFunction(Target target) {
    return findPythonFunction(target.name()) || findOperator(target) || target == Target("torch.tensor") ||
           !findOverloads(operatorName(target.name())).empty();
}

Value callMethod(const Value& self, const std::string& name, const Values& args, const NamedValues& kwargs) {
    Value result;
    guarded([&] {
        if (const PythonMethod method = findPythonMethod(self, name)) {
            result = method(self, args, kwargs);
            return;
        }
        const std::vector<const TorchOperator*> overloads = findOverloads("aten::" + name);
        if (!self.isTensor() || overloads.empty())
            throw Error("", '\'' + typeName(self) + "' object has no attribute '" + name + '\'');
        // The receiver is the parameter named self, wherever it stands: where(condition, self, other).
        const size_t place = placeOfSelf(overloads);
        Values all = args;
        NamedValues named = kwargs;
        if (place <= all.size())
            all.insert(all.begin() + static_cast<ptrdiff_t>(place), self);
        else
            named.emplace_back("self", self);
        result = perform(bindBest("torch.Tensor." + name, overloads, all, named));
    });
    return result;
}

} // namespace fx
