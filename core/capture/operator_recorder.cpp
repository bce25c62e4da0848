// SPDX-License-Identifier: GPL-3.0-or-later
// A boxed fallback for a dispatch key that no tensor has and PyTorch uses for tests alone (GenericMode) or
// not from C++ (Fake): whoever records includes the key in his thread. GenericMode lies above autograd, so it
// sees what is called; Fake lies below, so it sees what is left of it.
#include "core/capture/operator_recorder.h"

#include "core/base/error.h"
#include "core/capture/symbolic_call.h"
#include "core/capture/symbolic_slice.h"
#include "core/ir/names.h"
#include "core/torch/bind/operators.h"
#include "core/torch/values/functional_tensors.h"
#include "core/torch/values/symbolic_tensors.h"
#include "core/torch/values/thread_modes.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/SequenceNumber.h>
#include <torch/csrc/autograd/function.h>
#include <torch/library.h>

#include <algorithm>

namespace fx {

namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using c10::IValue;
using c10::SymNode;
using torch::jit::Stack;

thread_local OperatorRecorder* currentRecorder = nullptr;

/// As PyTorch's: what is larger is not kept for a program that reads it.
constexpr int64_t kLargestConstant = 1;

DispatchKey keyOf(OperatorRecorder::Level level) {
    return level == OperatorRecorder::Level::Composite ? DispatchKey::TESTING_ONLY_GenericMode
                                                       : DispatchKey::Fake;
}

/// These are in the set of included keys of this thread, and no others of ours.
void include(DispatchKeySet keys) {
    c10::impl::LocalDispatchKeySet local = c10::impl::tls_local_dispatch_key_set();
    local.included_ = (local.included_ - kRecordingKeys) | keys;
    local.excluded_ = local.excluded_ - kRecordingKeys;
    c10::impl::_force_tls_local_dispatch_key_set(local);
}

/// Of a list or a tuple.
std::vector<IValue> itemsOf(const IValue& value) {
    return value.isList() ? value.toListRef().vec() : value.toTupleRef().elements().vec();
}

ValueMeta describeResult(const IValue& value) {
    if (value.isTensor())
        return value.toTensor().defined() ? ValueMeta{describeSymbolic(value.toTensor())}
                                          : ValueMeta{NoneValue()};
    if (const SymNode number = symbolicNode(value))
        return describeNumber(number);
    if (!value.isList() && !value.isTuple())
        return describeValue(value);
    std::vector<ValueMeta> items;
    for (const IValue& item : itemsOf(value))
        items.push_back(describeResult(item));
    return {std::move(items)};
}

bool isAliasAlone(const std::string& name) {
    return name == "aten::detach" || name == "aten::alias";
}

/// Autograd would have done it by its parts, and where it is off (in inference mode) nobody has.
bool isComposite(const c10::OperatorHandle& op, at::ArrayRef<IValue> args) {
    if (!op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd))
        return false;
    std::optional<bool> hasKernelOfItsOwn; // for the device of the first tensor, which PyTorch goes by
    for (const IValue& arg : args)
        forEachTensor(arg, [&](const at::Tensor& tensor) {
            if (!hasKernelOfItsOwn)
                hasKernelOfItsOwn = op.hasKernelForDispatchKey(
                    c10::computeDispatchKey(std::nullopt, c10::kStrided, tensor.device()));
        });
    return !hasKernelOfItsOwn.value_or(false);
}

/// Of those that are made of others: what writes or gives a view goes by its parts, as functionalization
/// knows these alone.
bool mayBeKept(const c10::OperatorHandle& op) {
    return op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd) &&
           !op.hasTag(at::Tag::maybe_aliasing_or_mutating) &&
           std::ranges::none_of(op.schema().arguments(),
                                [](const c10::Argument& argument) { return argument.alias_info(); });
}

OperatorRecorder::Moment now() {
    if (const auto node = torch::autograd::get_current_node())
        return {true, static_cast<int64_t>(node->sequence_nr())};
    return {false, static_cast<int64_t>(at::sequence_number::peek()) - 1};
}

} // namespace

/// The way from the dispatcher to the recorder of the thread.
struct RecorderFallback {
    static void call(const c10::OperatorHandle& op, DispatchKeySet keys, Stack* stack) {
        currentRecorder->call(op, keys, *stack);
    }
    static void callAbove(const c10::OperatorHandle& op, DispatchKeySet keys, Stack* stack) {
        currentRecorder->callAbove(op, keys, *stack);
    }
};

namespace {

/// When the first recorder needs it: LibTorch lists all fallbacks in its errors.
void registerFallbacks() {
    const auto made = [](OperatorRecorder::Level level, torch::CppFunction fallback) {
        torch::Library library(torch::Library::IMPL, "_", keyOf(level), __FILE__, __LINE__);
        library.fallback(std::move(fallback));
        return library;
    };
    static const torch::Library above =
        made(OperatorRecorder::Level::Composite,
             torch::CppFunction::makeFromBoxedFunction<&RecorderFallback::callAbove>());
    static const torch::Library below = made(
        OperatorRecorder::Level::Aten, torch::CppFunction::makeFromBoxedFunction<&RecorderFallback::call>());
}

} // namespace

OperatorRecorder::Scope::Scope(OperatorRecorder& recorder)
    : m_before(currentRecorder), m_keys(c10::impl::tls_local_dispatch_key_set()),
      m_mode([&recorder](const at::Tensor& tensor) { return recorder.detach(tensor); }),
      m_recorder(recorder) {
    currentRecorder = &recorder;
    if (recorder.m_environment)
        recorder.m_environment->listener = &recorder.m_numbers;
    include(recorder.m_environment ? kRecordingKeys : DispatchKeySet(keyOf(recorder.m_level)));
}

OperatorRecorder::Scope::~Scope() {
    currentRecorder = m_before;
    if (m_recorder.m_environment)
        m_recorder.m_environment->listener = nullptr;
    include(m_keys.included_ & kRecordingKeys);
}

OperatorRecorder::OperatorRecorder(Edit& edit, Level level, Owner& owner)
    : m_edit(edit), m_level(level), m_owner(owner), m_numbers(edit) {
    registerFallbacks();
}

void OperatorRecorder::leaveOutData(std::shared_ptr<SymbolEnvironment> environment, bool takesData) {
    m_environment = std::move(environment);
    m_takesData = takesData;
}

const OperatorRecorder::Tracked* OperatorRecorder::find(const at::Tensor& tensor) const {
    const auto found = m_tracked.find(tensor.unsafeGetTensorImpl());
    return found == m_tracked.end() ? nullptr : &found->second;
}

NodeId OperatorRecorder::trackedNode(const at::Tensor& tensor) const {
    const Tracked* known = find(tensor);
    return known ? known->node : NodeId();
}

NodeId OperatorRecorder::nodeOf(const at::Tensor& tensor) {
    const Tracked* known = find(tensor);
    return known ? known->node : m_owner.untracked(tensor);
}

void OperatorRecorder::track(const at::Tensor& tensor, NodeId node) {
    track(tensor, node, {});
}

void OperatorRecorder::describe(NodeId node, const ValueMeta& value) {
    const SharedMeta shared = value;
    m_edit.setMeta(node, meta::kValue, shared);
    m_edit.setMeta(node, meta::kTensorMeta, shared);
}

void OperatorRecorder::track(const at::Tensor& tensor, NodeId node, at::Tensor constant) {
    if (m_environment)
        m_numbers.trackSizes(tensor, node, *m_environment);
    m_tracked.insert_or_assign(tensor.unsafeGetTensorImpl(),
                               Tracked{c10::weak_intrusive_ptr<c10::TensorImpl>(tensor.getIntrusivePtr()),
                                       node, std::move(constant)});
}

void OperatorRecorder::trackAll(const IValue& value, NodeId node) {
    if (value.isTensor()) {
        if (value.toTensor().defined())
            track(value.toTensor(), node);
        return;
    }
    if (const c10::SymNode number = symbolicNode(value))
        return m_numbers.track(number, node);
    if (!value.isList() && !value.isTuple())
        return;
    const std::vector<IValue> items = itemsOf(value);
    const Meta meta = m_owner.meta(now());
    for (size_t i = 0; i < items.size(); ++i) {
        const NodeId item =
            m_edit.createNode(Opcode::CallFunction, Target("operator.getitem"),
                              {node, static_cast<int64_t>(i)}, {}, std::nullopt, std::nullopt, meta);
        describe(item, describeResult(items[i]));
        trackAll(items[i], item);
    }
}

bool OperatorRecorder::areConstant(at::ArrayRef<IValue> args, bool* areAnyTracked) const {
    bool areAll = true;
    for (const IValue& arg : args)
        forEachTensor(arg, [&](const at::Tensor& tensor) {
            const Tracked* known = find(tensor);
            areAll &= !known || known->constant.defined();
            if (areAnyTracked)
                *areAnyTracked |= known != nullptr;
        });
    return areAll;
}

IValue OperatorRecorder::constantOf(const IValue& value) const {
    if (value.isTensor() && value.toTensor().defined()) {
        const Tracked* known = find(value.toTensor());
        return known && known->constant.defined() ? IValue(known->constant) : value;
    }
    if (!value.isList())
        return value;
    c10::List<IValue> out = value.toList().copy();
    for (size_t i = 0; i < out.size(); ++i)
        out.set(i, constantOf(value.toListRef()[i]));
    return out;
}

at::Tensor OperatorRecorder::detach(const at::Tensor& tensor) {
    if (at::functionalization::impl::isFunctionalTensor(tensor)) {
        const at::AutoDispatchBelowADInplaceOrView below;
        return tensor.detach();
    }
    static const c10::OperatorHandle op = c10::Dispatcher::singleton().findSchemaOrThrow("aten::detach", "");
    Stack stack{tensor};
    call(op, tensor.key_set() & DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::Fake), stack);
    return stack.back().toTensor();
}

void OperatorRecorder::callAbove(const c10::OperatorHandle& op, DispatchKeySet keys, Stack& stack) {
    if (m_level == Level::Composite)
        return call(op, keys, stack);
    if (!c10::impl::tls_is_dispatch_key_excluded(DispatchKey::Python) && m_owner.decomposeAbove(op, stack))
        return;
    if (mayBeKept(op) && m_owner.isKept(op))
        return keep(op, stack);
    try {
        op.redispatchBoxed(keys & DispatchKeySet(DispatchKeySet::FULL_AFTER, keyOf(Level::Composite)),
                           &stack);
    } catch (const c10::Error& error) {
        if (std::string_view(error.what_without_backtrace()).find("compiled without Python support") ==
            std::string_view::npos)
            throw;
        throw Error("", "not supported: " + op.schema().name() + " of a size that is a symbol")
            .kind("NotImplementedError")
            .hint("give make_fx sizes that are numbers, by tracing_mode='fake'");
    }
}

void OperatorRecorder::keep(const c10::OperatorHandle& op, Stack& stack) {
    const size_t count = op.schema().arguments().size(), results = op.schema().returns().size();
    bool areFunctional = false;
    const auto unwrapped = [&](const at::Tensor& tensor) {
        areFunctional |= at::functionalization::impl::isFunctionalTensor(tensor);
        return functionalValue(tensor);
    };
    for (size_t i = stack.size() - count; i < stack.size(); ++i)
        stack[i] = withTensors(stack[i], unwrapped);
    {
        const NotRecorded silent;
        const DispatchMode none;
        record(op, {}, stack);
    }
    for (size_t i = stack.size() - results; areFunctional && i < stack.size(); ++i)
        stack[i] = withTensors(stack[i], [](const at::Tensor& tensor) {
            return at::functionalization::impl::to_functional_tensor(tensor);
        });
}

void OperatorRecorder::call(const c10::OperatorHandle& op, DispatchKeySet keys, Stack& stack) {
    const DispatchKeySet rest = keys & DispatchKeySet(DispatchKeySet::FULL_AFTER, keyOf(m_level));
    // Functionalization tries each write on the device meta for what is wrong with it, and nobody is to see
    // that.
    if (c10::impl::tls_is_dispatch_key_excluded(DispatchKey::Python))
        return tryWrite(op, rest, stack);
    const c10::impl::ExcludeDispatchKeyGuard below(m_level == Level::Aten ? kKeysAbovePython
                                                                          : DispatchKeySet());
    if (m_owner.decompose(op, stack))
        return;
    if (m_level == Level::Aten && isComposite(op, torch::jit::last(stack, op.schema().arguments().size())))
        return op.callBoxedForDispatchKey(DispatchKey::CompositeImplicitAutograd, stack);
    const NotRecorded silent;
    const DispatchMode none;
    record(op, rest, stack);
}

void OperatorRecorder::record(const c10::OperatorHandle& op, DispatchKeySet keys, Stack& stack) {
    const c10::FunctionSchema& schema = op.schema();
    const size_t count = schema.arguments().size(), results = schema.returns().size();
    const std::vector<IValue> given = torch::jit::last(stack, count).vec();
    bool areAnyTracked = false;
    const bool areAllConstant = areConstant(given, &areAnyTracked);
    const bool readsData = op.hasTag(at::Tag::data_dependent_output);
    if (readsData && (areAllConstant || (!m_environment && !m_owner.dataIsRead(op)))) {
        torch::jit::drop(stack, count);
        for (const IValue& value : given)
            torch::jit::push(stack, constantOf(value));
        op.redispatchBoxed(keys, &stack);
        return;
    }
    if (!m_hasAliases && isAliasAlone(schema.name())) {
        const NodeId node = nodeOf(given[0].toTensor());
        op.redispatchBoxed(keys, &stack);
        track(stack.back().toTensor(), node);
        return;
    }
    c10::OperatorName name = schema.operator_name();
    // What a program has written down is a new tensor each time it gets there.
    const bool isWrittenDown = name.name == "aten::lift_fresh";
    if (isWrittenDown)
        name.name = "aten::lift_fresh_copy";
    OperatorArguments arguments = operatorArguments(
        schema, given, [&](const at::Tensor& tensor) { return nodeOf(tensor); },
        [&](const c10::SymNode& number) { return m_numbers.argument(number); });
    const NodeId node = m_edit.createNode(
        Opcode::CallFunction, operatorTarget(name), std::move(arguments.args), std::move(arguments.kwargs),
        snakeCase(name.name.substr(name.name.find("::") + 2)), std::nullopt, m_owner.meta(now()));
    run(op, keys, stack);
    // A literal gives a new tensor in each run. Dropout that drops nothing returns a copy, as PyTorch's
    // Python kernel does: its input keeps its node.
    const bool dropsNothing =
        schema.name() == "aten::dropout" && stack.back().toTensor().is_same(given[0].toTensor());
    if ((isWrittenDown && !m_environment) || dropsNothing)
        stack.back() = stack.back().toTensor().clone();
    const at::ArrayRef<IValue> back = torch::jit::last(stack, results);
    if (results == 0)
        return;
    const IValue result = results == 1 ? back[0] : IValue(c10::ivalue::Tuple::create(back.vec()));
    describe(node, describeResult(result));
    if (!result.isTensor() || !result.toTensor().defined() || hasSymbolicSizes(result.toTensor()) ||
        result.toTensor().numel() > kLargestConstant)
        return trackAll(result, node);
    at::Tensor constant;
    if (isWrittenDown)
        constant = given[0].toTensor().clone();
    else if (areAllConstant && areAnyTracked && !op.hasTag(at::Tag::nondeterministic_seeded))
        constant = computed(op, given);
    track(result.toTensor(), node, std::move(constant));
}

void OperatorRecorder::tryWrite(const c10::OperatorHandle& op, DispatchKeySet keys, Stack& stack) {
    if (!m_environment)
        return op.redispatchBoxed(keys, &stack);
    const NotRecorded silent;
    const DispatchMode none;
    const SymbolEnvironment::Unheard unheard(*m_environment);
    callSymbolically(op, stack, m_environment);
}

void OperatorRecorder::run(const c10::OperatorHandle& op, DispatchKeySet keys, Stack& stack) {
    if (!m_environment)
        return op.redispatchBoxed(keys, &stack);
    const bool isWrittenDown = op.schema().name() == "aten::lift_fresh";
    for (const IValue& value : torch::jit::last(stack, op.schema().arguments().size()))
        forEachTensor(value, [&](const at::Tensor& tensor) {
            if (!m_takesData && !isWrittenDown && !isFake(tensor) &&
                !tensor.unsafeGetTensorImpl()->is_wrapped_number())
                throw Error(
                    "", "Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode with "
                        "'allow_non_fake_inputs'. Found in " +
                            operatorTarget(op.operator_name()).name().substr(sizeof("torch.ops.") - 1))
                    .kind("AssertionError");
        });
    const SymbolEnvironment::Unheard unheard(*m_environment);
    if (!m_dataSymbols.call(op, stack, m_environment) && !sliceSymbolically(op, stack))
        callSymbolically(op, stack, m_environment);
}

at::Tensor OperatorRecorder::computed(const c10::OperatorHandle& op, at::ArrayRef<IValue> given) const {
    Stack stack;
    for (const IValue& value : given)
        stack.push_back(constantOf(value));
    op.callBoxed(stack);
    return stack.back().toTensor();
}

} // namespace fx
