// SPDX-License-Identifier: GPL-3.0-or-later
// Records what reaches LibTorch's dispatcher on this thread as nodes of a graph: torch.fx's make_fx. The
// operators run as always; a tensor is known by its TensorImpl. Gradients that are worked out meanwhile come
// through the same dispatcher, so they are recorded, too.
#pragma once

#include "core/capture/data_symbols.h"
#include "core/capture/dispatch_mode.h"
#include "core/capture/number_nodes.h"
#include "core/module/edit.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <unordered_map>

namespace fx {

class OperatorRecorder {
public:
    enum class Level {
        Composite, ///< what is called: aten.linear
        Aten,      ///< what is left of it below autograd: aten.t, aten.addmm
    };

    /// When a call was recorded.
    struct Moment {
        bool isBackward = false;
        /// Of autograd's node: the same for a call and for what works out its gradient.
        int64_t sequence = 0;
    };

    /// What whoever records knows better.
    class Owner {
    public:
        virtual ~Owner() = default;
        /// The node that stands for a tensor which no recorded call gave.
        virtual NodeId untracked(const at::Tensor& tensor) = 0;
        /// Does the call by other calls, which are recorded in its place. False: it is recorded itself.
        virtual bool decompose(const c10::OperatorHandle&, torch::jit::Stack&) { return false; }
        /// The same above autograd, where there is no data.
        virtual bool decomposeAbove(const c10::OperatorHandle&, torch::jit::Stack&) { return false; }
        /// Whether an operator that is made of others, and neither writes nor gives a view, is recorded
        /// itself.
        virtual bool isKept(const c10::OperatorHandle&) { return false; }
        /// The program reads a number out of a recorded tensor. Whether that is recorded, too; an error
        /// thrown here ends it.
        virtual bool dataIsRead(const c10::OperatorHandle& op) = 0;
        virtual Meta meta(const Moment&) { return {}; }
    };

    /// New nodes go to where the edit puts them. Both must outlive this.
    OperatorRecorder(Edit& edit, Level level, Owner& owner);
    OperatorRecorder(const OperatorRecorder&) = delete;
    OperatorRecorder& operator=(const OperatorRecorder&) = delete;

    /// From here on operators do not run: what they give has no data, and sizes that are numbers of the
    /// environment (core/capture/symbolic_call.h). Tensors that have data are refused, unless they may be
    /// among them.
    void leaveOutData(std::shared_ptr<SymbolEnvironment> environment, bool takesData);
    /// What stands for numbers that depend on symbols.
    NumberNodes& numbers() { return m_numbers; }
    /// What depends on data that is left out.
    DataSymbols& dataSymbols() { return m_dataSymbols; }

    /// Autograd makes aliases of what it keeps, which tell nothing to whoever reads the graph: they become
    /// the tensors that they are aliases of.
    void leaveOutAliases() { m_hasAliases = false; }

    void track(const at::Tensor& tensor, NodeId node);
    /// What is known of the node's value, as make_fx leaves it.
    void describe(NodeId node, const ValueMeta& value);
    /// Tracks all that is in the value: items of lists and tuples by calls of operator.getitem.
    void trackAll(const c10::IValue& value, NodeId node);
    /// No node for a tensor that is not tracked.
    NodeId trackedNode(const at::Tensor& tensor) const;
    /// Of one that is not tracked what the owner says.
    NodeId nodeOf(const at::Tensor& tensor);

    /// Recording is on in this thread while it lives.
    class Scope {
    public:
        explicit Scope(OperatorRecorder& recorder);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        OperatorRecorder* m_before;
        c10::impl::LocalDispatchKeySet m_keys;
        DispatchMode m_mode;
        OperatorRecorder& m_recorder;
    };

private:
    friend struct RecorderFallback;
    struct Tracked {
        c10::weak_intrusive_ptr<c10::TensorImpl> tensor; ///< so that nothing else comes to lie there
        NodeId node;
        at::Tensor constant; ///< what it holds, where the program has written it down; undefined elsewhere
    };

    /// What autograd keeps of a tensor.
    at::Tensor detach(const at::Tensor& tensor);
    void call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack);
    void callAbove(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack);
    /// Records a call above functionalization.
    void keep(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    void record(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack);
    void track(const at::Tensor& tensor, NodeId node, at::Tensor constant);
    const Tracked* find(const at::Tensor& tensor) const;
    /// Whether what is computed from these depends on nothing but what the program has written down.
    bool areConstant(at::ArrayRef<c10::IValue> args, bool* areAnyTracked = nullptr) const;
    c10::IValue constantOf(const c10::IValue& value) const;
    /// What the operator gives for the constants of these, a tensor.
    at::Tensor computed(const c10::OperatorHandle& op, at::ArrayRef<c10::IValue> given) const;

    /// What functionalization runs on the device meta for its errors alone.
    void tryWrite(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack);
    /// What the operator gives for these, which are on the stack.
    void run(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack);

    Edit& m_edit;
    const Level m_level;
    Owner& m_owner;
    NumberNodes m_numbers;
    DataSymbols m_dataSymbols;
    std::shared_ptr<SymbolEnvironment> m_environment; ///< null: operators run
    bool m_takesData = false;
    bool m_hasAliases = true;
    std::unordered_map<const c10::TensorImpl*, Tracked> m_tracked;
};

} // namespace fx
