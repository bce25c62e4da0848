// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/recorded_regions.h"

#include "core/base/error.h"
#include "core/interpret/run_modes.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <c10/core/GradMode.h>
#include <torch/custom_class.h>

#include <unordered_map>

namespace fx {

namespace {

namespace cast = at::autocast;
using c10::IValue;

/// What an entering call gives and the leaving one takes.
template <class Region>
struct Entered : torch::CustomClassHolder {
    explicit Entered(Region entered) : region(std::move(entered)) {}
    Region region;
};

template <class Region>
Value makeEntered(Region region) {
    return IValue::make_capsule(c10::make_intrusive<Entered<Region>>(std::move(region)));
}

template <class Region>
Region& regionOf(const Values& args, const char* what) {
    if (!args.empty() && args[0].isData() && args[0].data().isCapsule())
        if (auto* held = dynamic_cast<Entered<Region>*>(args[0].data().toCapsule().get()))
            return held->region;
    throw Error("", std::string(what) + " is left, but was not entered");
}

/// By position, then by name; None where it is not given.
Value argument(const Values& args, const NamedValues& kwargs, size_t position, std::string_view name) {
    if (position < args.size())
        return args[position];
    for (const auto& [key, value] : kwargs)
        if (key == name)
            return value;
    return {};
}

Value setGradEnabled(const Values& args, const NamedValues&) {
    if (args.size() != 1)
        throw Error("", "_set_grad_enabled() takes 1 positional argument but " + std::to_string(args.size()) +
                            " were given");
    c10::GradMode::set_enabled(isTrue(args[0]));
    return {};
}

Value enterAutocast(const Values& args, const NamedValues& kwargs) {
    const Value device = argument(args, kwargs, 0, "device_type"), dtype = argument(args, kwargs, 1, "dtype"),
                enabled = argument(args, kwargs, 2, "enabled"),
                cached = argument(args, kwargs, 3, "cache_enabled");
    if (!device.isString())
        throw Error("", "Expected `device_type` of type `str`, got: `<class '" + typeName(device) + "'>`");
    const auto* leaf = dtype.as<Argument>();
    const auto* chosen = leaf ? leaf->as<c10::ScalarType>() : nullptr;
    return makeEntered(AutocastRegion(device.text(), chosen ? std::optional(*chosen) : std::nullopt,
                                      enabled.isNone() || isTrue(enabled),
                                      cached.isNone() ? std::nullopt : std::optional(isTrue(cached))));
}

Value exitAutocast(const Values& args, const NamedValues&) {
    regionOf<AutocastRegion>(args, "autocast").leave();
    return {};
}

/// What the thread had before a region of inference mode.
struct InferenceRegion {
    c10::AutogradState autograd = c10::AutogradState::get_tls_state();
    c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
};

Value enterInferenceMode(const Values& args, const NamedValues& kwargs) {
    const InferenceRegion before;
    setInferenceMode(isTrue(argument(args, kwargs, 0, "mode")));
    return makeEntered(before);
}

Value exitInferenceMode(const Values& args, const NamedValues&) {
    const auto& before = regionOf<InferenceRegion>(args, "inference_mode");
    c10::AutogradState::set_tls_state(before.autograd);
    c10::impl::_force_tls_local_dispatch_key_set(before.keys);
    return {};
}

} // namespace

AutocastRegion::AutocastRegion(const std::string& deviceType, std::optional<c10::ScalarType> dtype,
                               bool isEnabled, std::optional<bool> isCached)
    : m_device(c10::Device(deviceType).type()), m_wasEnabled(cast::is_autocast_enabled(m_device)),
      m_wasCached(cast::is_autocast_cache_enabled()), m_dtypeBefore(cast::get_autocast_dtype(m_device)) {
    if (m_device != at::kCPU && m_device != at::kCUDA)
        throw Error("", "User specified an unsupported autocast device_type '" + deviceType + '\'');
    const c10::ScalarType fast = dtype.value_or(m_dtypeBefore);
    const bool isHalf = fast == c10::ScalarType::Half || fast == c10::ScalarType::BFloat16;
    // torch.autocast warns and does nothing where it cannot help.
    if ((m_device == at::kCPU && !isHalf) || (m_device == at::kCUDA && !at::hasCUDA()))
        isEnabled = false;
    cast::set_autocast_enabled(m_device, isEnabled);
    cast::set_autocast_dtype(m_device, fast);
    cast::increment_nesting();
    cast::set_autocast_cache_enabled(isCached.value_or(m_wasCached));
}

void AutocastRegion::leave() {
    // Casts of weights are kept until the outermost region ends.
    if (cast::decrement_nesting() == 0)
        cast::clear_cache();
    cast::set_autocast_enabled(m_device, m_wasEnabled);
    cast::set_autocast_dtype(m_device, m_dtypeBefore);
    cast::set_autocast_cache_enabled(m_wasCached);
}

RegionFunction findRegion(Target target) {
    static const std::unordered_map<Target, RegionFunction> kTable = {
        {"torch._C._set_grad_enabled", setGradEnabled},
        {"torch.amp.autocast_mode._enter_autocast", enterAutocast},
        {"torch.amp.autocast_mode._exit_autocast", exitAutocast},
        {"torch.autograd.grad_mode._enter_inference_mode", enterInferenceMode},
        {"torch.autograd.grad_mode._exit_inference_mode", exitInferenceMode},
    };
    const auto found = kTable.find(target);
    return found == kTable.end() ? nullptr : found->second;
}

} // namespace fx
