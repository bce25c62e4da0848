// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fxpython/dispatch_functions.h"

#include "core/capture/dispatch_mode.h"
#include "core/capture/python_call.h"
#include "core/python/types/support.h"
#include "core/torch/bind/operators.h"
#include "core/torch/values/thread_modes.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace fx {

namespace {

const char* const kModeType = "torch.utils._python_dispatch.Entered";

/// A mode of a program's that is on: its __torch_dispatch__ does the work of operators.
class EnteredMode {
public:
    EnteredMode(Evaluator& evaluator, Value text)
        : m_evaluator(evaluator), m_text(std::move(text)),
          m_mode(std::in_place,
                 DispatchMode::Dispatch([this](const auto& op, auto& stack) { dispatch(op, stack); })) {}
    void leave() { m_mode.reset(); }

private:
    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
        const c10::FunctionSchema& schema = op.schema();
        PythonCall call;
        {
            const NotRecorded reading; // numbers out of tensors, which other modes are not told of
            call = pythonCall(schema, torch::jit::last(stack, schema.arguments().size()));
        }
        torch::jit::drop(stack, schema.arguments().size());
        DictObject kwargs;
        for (auto& [name, value] : call.kwargs)
            kwargs.set(name, std::move(value));
        pushResults(schema,
                    m_evaluator.callMethod(m_text, "__torch_dispatch__",
                                           {Object{FunctionObject{operatorTarget(schema.operator_name())}},
                                            makeTuple({}), makeTuple(std::move(call.args)),
                                            Object{std::move(kwargs)}}),
                    stack);
    }

    Evaluator& m_evaluator;
    Value m_text;
    std::optional<DispatchMode> m_mode;
};

} // namespace

void addDispatchFunctions(NativeModule& module) {
    // (mode): what leave_dispatch_mode() takes
    module.add("enter_dispatch_mode", 1, 1, [](Evaluator& evaluator, Values& args) -> Value {
        return Object{HandleObject{nullptr, kModeType, std::make_shared<EnteredMode>(evaluator, args[0])}};
    });
    module.add("leave_dispatch_mode", 1, 1, [](Evaluator&, Values& args) -> Value {
        const auto* handle = args[0].as<HandleObject>();
        if (!handle || handle->typeName != kModeType)
            raise("TypeError", "expected a mode that was entered, not " + typeName(args[0]));
        static_cast<EnteredMode*>(handle->content.get())->leave();
        return {};
    });
}

} // namespace fx
