// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/dispatch_mode.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/core/impl/PyInterpreter.h>

namespace fx {

namespace {

using c10::TensorImpl;
using c10::impl::TorchDispatchModeTLS;
using Detach = std::function<at::Tensor(const at::Tensor&)>;
using Dispatch = DispatchMode::Dispatch;

[[noreturn]] void refuse() {
    TORCH_INTERNAL_ASSERT(false, "there is no Python here");
}

/// What LibTorch asks of Python: of all this, detach alone is asked without a tensor of Python's.
class NoPython final : public c10::impl::PyInterpreterVTable {
public:
    explicit NoPython(Detach detach, Dispatch dispatch = nullptr)
        : m_detach(std::move(detach)), m_dispatch(std::move(dispatch)) {}

    std::string name() const override { return "fxscope"; }
    void incref(PyObject*) const override {}
    void decref(PyObject*) const override {}
    bool try_incref(const c10::impl::PyObjectSlot&) const override { return false; }
    size_t refcnt(PyObject*) const override { return 1; }
    c10::intrusive_ptr<TensorImpl> detach(const TensorImpl* self) const override {
        const at::Tensor tensor(c10::intrusive_ptr<TensorImpl>::reclaim_copy(const_cast<TensorImpl*>(self)));
        return m_detach(tensor).getIntrusivePtr();
    }
    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack* stack) const override {
        m_dispatch ? m_dispatch(op, *stack) : refuse();
    }
    void reportErrorCallback(PyObject*, c10::DispatchKey) const override { refuse(); }
    void python_op_registration_trampoline(const c10::OperatorHandle&, c10::DispatchKey, c10::DispatchKeySet,
                                           torch::jit::Stack*, bool, bool) const override {
        refuse();
    }
    void throw_abstract_impl_not_imported_error(std::string, const char*, const char*) const override {
        refuse();
    }
    void python_dispatcher(const c10::OperatorHandle&, c10::DispatchKeySet,
                           torch::jit::Stack*) const override {
        refuse();
    }
    bool is_contiguous(const TensorImpl*, at::MemoryFormat) const override { refuse(); }
    c10::SymBool sym_is_contiguous(const TensorImpl*, at::MemoryFormat) const override { refuse(); }
    bool is_strides_like(const TensorImpl*, at::MemoryFormat) const override { refuse(); }
    bool is_non_overlapping_and_dense(const TensorImpl*) const override { refuse(); }
    c10::Device device(const TensorImpl*) const override { refuse(); }
    int64_t dim(const TensorImpl*) const override { refuse(); }
    c10::IntArrayRef strides(const TensorImpl*) const override { refuse(); }
    c10::IntArrayRef sizes(const TensorImpl*) const override { refuse(); }
    c10::SymIntArrayRef sym_sizes(const TensorImpl*) const override { refuse(); }
    c10::Layout layout(const TensorImpl*) const override { refuse(); }
    int64_t numel(const TensorImpl*) const override { refuse(); }
    c10::SymInt sym_numel(const TensorImpl*) const override { refuse(); }
    c10::SymIntArrayRef sym_strides(const TensorImpl*) const override { refuse(); }
    c10::SymInt sym_storage_offset(const TensorImpl*) const override { refuse(); }
    void trace_gpu_event_creation(c10::DeviceType, uintptr_t) const override {}
    void trace_gpu_event_deletion(c10::DeviceType, uintptr_t) const override {}
    void trace_gpu_event_record(c10::DeviceType, uintptr_t, uintptr_t) const override {}
    void trace_gpu_event_wait(c10::DeviceType, uintptr_t, uintptr_t) const override {}
    void trace_gpu_memory_allocation(c10::DeviceType, uintptr_t) const override {}
    void trace_gpu_memory_deallocation(c10::DeviceType, uintptr_t) const override {}
    void trace_gpu_stream_creation(c10::DeviceType, uintptr_t) const override {}
    void trace_gpu_device_synchronization(c10::DeviceType) const override {}
    void trace_gpu_stream_synchronization(c10::DeviceType, uintptr_t) const override {}
    void trace_gpu_event_synchronization(c10::DeviceType, uintptr_t) const override {}
    void reset_backward_hooks(const TensorImpl*) const override {}

private:
    Detach m_detach;
    Dispatch m_dispatch;
};

/// A mode with the interpreter that it belongs to.
struct WatchingMode {
    explicit WatchingMode(Detach detach, Dispatch dispatch = nullptr)
        : vtable(std::move(detach), std::move(dispatch)), interpreter(&vtable),
          object(nullptr, &interpreter) {}
    NoPython vtable;
    c10::impl::PyInterpreter interpreter;
    c10::impl::PyObject_TorchDispatchMode object;
};

/// Without the dispatch keys by which Python would be called for each operator.
void setState(c10::impl::TorchDispatchModeTLS state) {
    const c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
    c10::impl::TorchDispatchModeTLS::set_state(std::move(state));
    c10::impl::_force_tls_local_dispatch_key_set(keys);
}

/// The innermost mode is off while it lives.
class Suspended {
public:
    Suspended() : m_mode(TorchDispatchModeTLS::pop_stack()) {}
    ~Suspended() { TorchDispatchModeTLS::push_non_infra_mode_onto_stack(m_mode); }
    Suspended(const Suspended&) = delete;

private:
    std::shared_ptr<c10::impl::PyObject_TorchDispatchMode> m_mode;
};

} // namespace

DispatchMode::DispatchMode(Detach detach) : m_before(c10::impl::TorchDispatchModeTLS::get_state()) {
    const auto mode = std::make_shared<WatchingMode>(std::move(detach));
    const c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
    c10::impl::TorchDispatchModeTLS::push_non_infra_mode_onto_stack(
        std::shared_ptr<c10::impl::PyObject_TorchDispatchMode>(mode, &mode->object));
    c10::impl::_force_tls_local_dispatch_key_set(keys);
}

DispatchMode::DispatchMode() : m_before(c10::impl::TorchDispatchModeTLS::get_state()) {
    setState({});
}

DispatchMode::DispatchMode(Dispatch dispatch)
    : m_before(TorchDispatchModeTLS::get_state()), m_isDispatching(true) {
    const auto call = [dispatch = std::move(dispatch)](const c10::OperatorHandle& op,
                                                       torch::jit::Stack& stack) {
        const Suspended off;
        dispatch(op, stack);
    };
    const auto detach = [call](const at::Tensor& tensor) {
        torch::jit::Stack stack{tensor};
        call(c10::Dispatcher::singleton().findSchemaOrThrow("aten::detach", ""), stack);
        return stack.back().toTensor();
    };
    const auto mode = std::make_shared<WatchingMode>(detach, call);
    TorchDispatchModeTLS::push_non_infra_mode_onto_stack(
        std::shared_ptr<c10::impl::PyObject_TorchDispatchMode>(mode, &mode->object));
}

DispatchMode::~DispatchMode() {
    m_isDispatching ? TorchDispatchModeTLS::set_state(std::move(m_before)) : setState(std::move(m_before));
}

} // namespace fx
