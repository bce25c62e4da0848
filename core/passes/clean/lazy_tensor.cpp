// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/lazy_tensor.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <mutex>

namespace fx {

namespace {

using TensorValues = std::vector<at::Tensor>;
using Make = std::function<TensorValues(const TensorValues&)>;

struct LazyResults {
    std::vector<std::optional<TensorSlot>> sources;
    Make make;
    std::once_flag isDone;
    TensorValues results;

    template <class Read>
    TensorValues run(const Read& read) const {
        // Whoever reads a tensor first may be in any mode.
        const c10::InferenceMode plain(false);
        const at::NoGradGuard noGrad;
        const c10::impl::ExcludeDispatchKeyGuard exact(c10::autocast_dispatch_keyset);
        TensorValues given;
        for (const std::optional<TensorSlot>& source : sources)
            given.push_back(source ? read(*source) : at::Tensor());
        return make(given);
    }

    const TensorValues& get() {
        std::call_once(isDone, [this] {
            results = run([](const TensorSlot& slot) { return slot.value(); });
            sources.clear();
        });
        return results;
    }
};

} // namespace

std::vector<TensorSlot> lazyTensors(std::vector<std::optional<TensorSlot>> sources, Make make) {
    const auto lazy = std::make_shared<LazyResults>();
    lazy->sources = std::move(sources);
    lazy->make = std::move(make);
    const TensorValues shapes = lazy->run([](const TensorSlot& slot) {
        return withoutData(slot.meta()).set_requires_grad(slot.meta().requiresGrad);
    });
    std::vector<TensorSlot> out;
    for (size_t i = 0; i < shapes.size(); ++i) {
        TensorMeta meta = describe(shapes[i]);
        meta.device = lazy->sources[0]->meta().device;
        out.emplace_back(std::move(meta), [lazy, i] { return lazy->get()[i]; });
    }
    return out;
}

} // namespace fx
