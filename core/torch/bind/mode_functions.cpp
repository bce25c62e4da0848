// SPDX-License-Identifier: GPL-3.0-or-later
// torch's functions in C about the modes of a thread. The contexts over them, torch.no_grad and its kin, are
// the library's text.
#include "core/base/error.h"
#include "core/torch/bind/argument_faults.h"
#include "core/torch/bind/python_functions.h"
#include "core/torch/values/thread_modes.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

namespace fx {

namespace {

namespace autocast = at::autocast;
using c10::IValue;

/// The arguments of one call, read by name and place.
struct Given {
    const char* function;
    const Values& args;
    const NamedValues& kwargs;

    Value argument(size_t position, const char* name) const {
        for (const auto& [key, value] : kwargs)
            if (key == name)
                return value;
        if (position < args.size())
            return args[position];
        raise("TypeError",
              std::string(function) + "() missing 1 required positional arguments: \"" + name + '"');
    }
    [[noreturn]] void refuse(size_t position, const char* name, const char* type, const Value& value) const {
        raise("TypeError", std::string(function) + "(): argument '" + name + "' (position " +
                               std::to_string(position + 1) + ") must be " + type + ", not " +
                               pythonTypeName(value));
    }
    bool flag(size_t position, const char* name = "enabled") const {
        const Value value = argument(position, name);
        if (!value.isBool())
            refuse(position, name, "bool", value);
        return value.data().toBool();
    }
    c10::DeviceType device(size_t position) const {
        const Value value = argument(position, "device_type");
        if (!value.isString())
            refuse(position, "device_type", "str", value);
        return c10::Device(value.text()).type();
    }
    c10::ScalarType dtype(size_t position) const {
        const Value value = argument(position, "dtype");
        const auto* leaf = value.as<Argument>();
        if (!leaf || !leaf->as<c10::ScalarType>())
            refuse(position, "dtype", "torch.dtype", value);
        return *leaf->as<c10::ScalarType>();
    }
    size_t count() const { return args.size() + kwargs.size(); }
};

Value definedDtype(c10::ScalarType type) {
    if (type == c10::ScalarType::Undefined)
        raise("RuntimeError", "unsupported scalarType");
    return Object{Argument(type)};
}

template <auto work>
PythonFunction bound(const char* function) {
    return [function](const Values& args, const NamedValues& kwargs) -> Value {
        return work(Given{function, args, kwargs});
    };
}

Value isAutocastEnabled(const Given& given) {
    return IValue(autocast::is_autocast_enabled(given.count() == 0 ? at::kCUDA : given.device(0)));
}

Value setAutocastEnabled(const Given& given) {
    const bool isForCuda = given.count() == 1;
    const bool enabled = given.flag(isForCuda ? 0 : 1);
    autocast::set_autocast_enabled(isForCuda ? at::kCUDA : given.device(0), enabled);
    return {};
}

Value setAutocastCached(const Given& given) {
    const Value enabled = given.argument(0, "enabled");
    if (!enabled.isBool())
        raise("TypeError", "enabled must be a bool (got " + pythonTypeName(enabled) + ')');
    autocast::set_autocast_cache_enabled(enabled.data().toBool());
    return {};
}

/// What there is once more for each device, by an older name.
template <c10::DeviceType device>
void addOlderNames(PythonFunctions& table, const std::string& word, const std::string& ofDtype) {
    table["torch.is_autocast_" + word + "enabled"] =
        bound<[](const Given&) -> Value { return IValue(autocast::is_autocast_enabled(device)); }>(
            "is_autocast_enabled");
    table["torch.set_autocast_" + word + "enabled"] = bound<[](const Given& given) -> Value {
        autocast::set_autocast_enabled(device, given.flag(0));
        return {};
    }>("set_autocast_enabled");
    table["torch.get_autocast_" + ofDtype + "dtype"] =
        bound<[](const Given&) { return definedDtype(autocast::get_autocast_dtype(device)); }>(
            "get_autocast_dtype");
    table["torch.set_autocast_" + ofDtype + "dtype"] = bound<[](const Given& given) -> Value {
        autocast::set_autocast_dtype(device, given.dtype(0));
        return {};
    }>("set_autocast_dtype");
}

void addAutocast(PythonFunctions& table) {
    addOlderNames<at::kCPU>(table, "cpu_", "cpu_");
    addOlderNames<at::kCUDA>(table, "", "gpu_");
    table["torch.is_autocast_enabled"] = bound<isAutocastEnabled>("is_autocast_enabled");
    table["torch.set_autocast_enabled"] = bound<setAutocastEnabled>("set_autocast_enabled");
    table["torch.get_autocast_dtype"] =
        bound<[](const Given& given) { return definedDtype(autocast::get_autocast_dtype(given.device(0))); }>(
            "get_autocast_dtype");
    table["torch.set_autocast_dtype"] = bound<[](const Given& given) -> Value {
        autocast::set_autocast_dtype(given.device(0), given.dtype(1));
        return {};
    }>("set_autocast_dtype");
    table["torch.is_autocast_cache_enabled"] =
        bound<[](const Given&) -> Value { return IValue(autocast::is_autocast_cache_enabled()); }>(
            "is_autocast_cache_enabled");
    table["torch.set_autocast_cache_enabled"] = bound<setAutocastCached>("set_autocast_cache_enabled");
    table["torch.autocast_increment_nesting"] =
        bound<[](const Given&) { return makeInt(autocast::increment_nesting()); }>(
            "autocast_increment_nesting");
    table["torch.autocast_decrement_nesting"] =
        bound<[](const Given&) { return makeInt(autocast::decrement_nesting()); }>(
            "autocast_decrement_nesting");
    table["torch.clear_autocast_cache"] = bound<[](const Given&) -> Value {
        autocast::clear_cache();
        return {};
    }>("clear_autocast_cache");
}

/// What the thread had before an _InferenceMode was entered.
struct ModesBefore : torch::CustomClassHolder {
    ThreadModes modes = ThreadModes::take();
};

} // namespace

void addModeFunctions(PythonFunctions& table) {
    addAutocast(table);
    table["torch.is_grad_enabled"] =
        bound<[](const Given&) -> Value { return IValue(at::GradMode::is_enabled()); }>("is_grad_enabled");
    table["torch._C._set_grad_enabled"] = bound<[](const Given& given) -> Value {
        at::GradMode::set_enabled(given.flag(0));
        return {};
    }>("set_grad_enabled");
    table["torch.is_inference_mode_enabled"] =
        bound<[](const Given&) -> Value { return IValue(c10::InferenceMode::is_enabled()); }>(
            "is_inference_mode_enabled");
}

void addInferenceModeClass(ClassData& type) {
    type.construct = [](Evaluator& e, const Value& self, Values& args, NamedValues&) {
        requireArguments("_InferenceMode", args, 1, 1);
        return makeInstance(self, IValue(e.isTrue(args[0])));
    };
    type.add("__enter__", [](Evaluator&, Values& args, NamedValues&) -> Value {
        Value& held = args.at(0).as<InstanceObject>()->payload;
        const bool enabled = held.data().toBool();
        held = IValue::make_capsule(c10::make_intrusive<ModesBefore>());
        setInferenceMode(enabled);
        return {};
    });
    type.add("__exit__", [](Evaluator&, Values& args, NamedValues&) -> Value {
        Value& held = args.at(0).as<InstanceObject>()->payload;
        const auto* before =
            held.data().isCapsule() ? dynamic_cast<ModesBefore*>(held.data().toCapsule().get()) : nullptr;
        if (!before)
            throw Error("", "an inference mode is left that was not entered");
        c10::AutogradState::set_tls_state(before->modes.autograd);
        c10::impl::_force_tls_local_dispatch_key_set(before->modes.keys);
        return {};
    });
}

} // namespace fx
