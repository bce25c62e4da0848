// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/operator_bounds.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/exceptions.h"
#include "core/torch/bind/bounds_rules.h"

#include <ATen/ATen.h>
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/TensorWrapper.h>
#include <torch/csrc/jit/runtime/operator.h>
#include <torch/library.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

namespace fx {

std::string_view torchTables(std::string_view name); // generated from tables/*.txt

namespace {

using c10::IValue;
using torch::jit::Stack;

struct Bounds {
    std::string refusal;                                      ///< why it is not called; empty where it is
    bool isZeroed = false, isGrown = false, isCopied = false; ///< what is done with its results
    std::vector<std::string_view> call, kernel;               ///< rules
};

using BoundsTable = std::unordered_map<std::string, Bounds>;

/// "= aten::NAME call RULE; RULE"
void readBoundsRules(std::string_view line, BoundsTable& table) {
    const std::vector<std::string_view> words = split(line, ' ');
    std::string_view rest = line.substr(2 + words[1].size() + 1 + words[2].size() + 1);
    Bounds& bounds = table[std::string(words[1])];
    auto& rules = words[2] == "call" ? bounds.call : bounds.kernel;
    for (size_t end = 0; end != rest.npos; rest.remove_prefix(end == rest.npos ? 0 : end + 2)) {
        end = rest.find("; ");
        rules.push_back(rest.substr(0, end));
    }
}

BoundsTable readBoundsTable() {
    BoundsTable out;
    std::string space, reason;
    std::string_view group;
    for (const std::string_view line : split(torchTables("operator_bounds.txt"), '\n')) {
        if (line.empty() || line.starts_with('#'))
            continue;
        if (line.starts_with("= ")) {
            readBoundsRules(line, out);
            continue;
        }
        const std::vector<std::string_view> words = split(line, ' ');
        if (words[0] == "@") {
            space = std::string(words[1]) + "::";
            group = words[2];
            reason = group == "refused" ? std::string(line.substr(line.find("refused") + 8)) : std::string();
            continue;
        }
        if (group == "checked")
            continue;
        for (const std::string_view word : words) {
            Bounds& bounds = out[space + std::string(word)];
            bounds.refusal = reason;
            bounds.isZeroed = group == "zeroed";
            bounds.isGrown = group == "grown";
            bounds.isCopied = group == "copied";
        }
    }
    return out;
}

const BoundsTable& boundsTable() {
    static const BoundsTable kTable = readBoundsTable();
    return kTable;
}

std::vector<BoundsCheck> checksOf(const std::vector<std::string_view>& rules,
                                  const c10::FunctionSchema& schema) {
    std::vector<BoundsCheck> out;
    for (const std::string_view rule : rules)
        if (std::optional<BoundsCheck> check = boundsRule(rule, schema))
            out.push_back(std::move(*check));
    return out;
}

// --- Memory that is new

/// What holds the memory: of wrappers, the tensor within.
at::Tensor tensorWithin(at::Tensor tensor) {
    while (tensor.defined()) {
        if (at::functionalization::impl::isFunctionalTensor(tensor))
            tensor = at::functionalization::impl::from_functional_tensor(tensor);
        else if (const auto* batched = at::functorch::maybeGetBatchedImpl(tensor))
            tensor = batched->value();
        else if (const auto* wrapper = at::functorch::maybeGetTensorWrapper(tensor))
            tensor = wrapper->value();
        else
            break;
    }
    return tensor;
}

c10::StorageImpl* storageWithin(const at::Tensor& given) {
    const at::Tensor tensor = tensorWithin(given);
    return tensor.defined() && tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr;
}

size_t bytesIn(const c10::StorageImpl& storage) {
    const std::optional<int64_t> bytes = storage.sym_nbytes().maybe_as_int();
    return bytes ? static_cast<size_t>(*bytes) : 0;
}

void zeroFrom(c10::StorageImpl* storage, size_t start) {
    if (!storage || bytesIn(*storage) <= start || storage->device_type() == c10::DeviceType::Meta)
        return;
    auto* data = static_cast<char*>(storage->_mutable_data_ptr_no_checks().get());
    if (!data)
        return;
    const size_t bytes = bytesIn(*storage) - start;
    if (storage->device_type() == c10::DeviceType::CPU) {
        std::memset(data + start, 0, bytes);
        return;
    }
    const at::AutoDispatchBelowADInplaceOrView below;
    at::from_blob(data + start, {static_cast<int64_t>(bytes)},
                  c10::TensorOptions(storage->device()).dtype(at::kByte))
        .zero_();
}

/// The storages of a tensor, of a list of them, or the storage itself.
void forEachMemory(const IValue& value, const std::function<void(c10::StorageImpl*)>& visit) {
    if (value.isStorage())
        return visit(value.toStorage().unsafeGetStorageImpl());
    if (value.isTensor() && value.toTensor().defined())
        if (c10::StorageImpl* storage = storageWithin(value.toTensor()))
            visit(storage);
    if (value.isTensorList())
        for (const at::Tensor& tensor : value.toTensorVector())
            if (c10::StorageImpl* storage = storageWithin(tensor))
                visit(storage);
}

/// `keepsStart`: a new tensor begins with the elements of the first argument.
StackCall zeroing(StackCall call, bool keepsStart) {
    return [call = std::move(call), keepsStart](Stack& stack) {
        std::map<c10::StorageImpl*, size_t> before;
        const Stack kept = stack; // an address that is freed meanwhile could be another storage's
        for (const IValue& value : kept)
            forEachMemory(value,
                          [&](c10::StorageImpl* storage) { before.emplace(storage, bytesIn(*storage)); });
        const size_t start =
            keepsStart && !kept.empty() && kept[0].isTensor() ? kept[0].toTensor().nbytes() : 0;
        call(stack);
        for (const Stack* values : {&std::as_const(stack), &kept})
            for (const IValue& value : *values)
                forEachMemory(value, [&](c10::StorageImpl* storage) {
                    const auto known = before.find(storage);
                    zeroFrom(storage, known == before.end() ? start : known->second);
                });
    };
}

StackCall copying(StackCall call) {
    return [call = std::move(call)](Stack& stack) {
        call(stack);
        for (IValue& value : stack)
            if (value.isTensor() && value.toTensor().defined())
                value = value.toTensor().clone();
    };
}

[[noreturn]] void refuseUnbounded(const std::string& name, const std::string& reason) {
    throw Error("", name + " is not run: " + reason)
        .hint("run the graph in Python, if you trust whoever made the model")
        .kind(kNotAllowedKind);
}

// --- Before the kernels

/// The checks of one operator, then the kernel that LibTorch has for one key.
class CheckedKernel : public c10::OperatorKernel {
public:
    CheckedKernel(std::vector<BoundsCheck> checks, c10::SafeKernelFunction kernel)
        : m_checks(std::move(checks)), m_kernel(std::move(kernel)) {}

    void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
        const BoundedCall call{op.schema(), torch::jit::last(*stack, op.schema().arguments().size())};
        try {
            for (const BoundsCheck& check : m_checks)
                check(call);
        } catch (const Error& error) { // as kernels say it to whoever called them
            TORCH_CHECK(false, error.explanation());
        }
        m_kernel.callBoxed(op, keys, stack);
    }

private:
    std::vector<BoundsCheck> m_checks;
    c10::SafeKernelFunction m_kernel;
};

constexpr c10::DispatchKey kMemoryKeys[] = {
    c10::DispatchKey::CPU,           c10::DispatchKey::CUDA,          c10::DispatchKey::QuantizedCPU,
    c10::DispatchKey::QuantizedCUDA, c10::DispatchKey::SparseCPU,     c10::DispatchKey::SparseCUDA,
    c10::DispatchKey::SparseCsrCPU,  c10::DispatchKey::SparseCsrCUDA, c10::DispatchKey::MkldnnCPU};

void putBefore(torch::Library& library, const c10::OperatorHandle& op,
               const std::vector<BoundsCheck>& checks) {
    const auto replace = [&](c10::DispatchKey target, c10::DispatchKey from) {
        auto kernel = std::make_unique<CheckedKernel>(checks, op.getComputedKernelForDispatchKey(from));
        library.impl(c10::toString(op.operator_name()).c_str(),
                     torch::dispatch(target, torch::CppFunction::makeFromBoxedKernel(
                                                 c10::BoxedKernel::makeFromFunctor(std::move(kernel)))));
    };
    if (op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)) {
        replace(c10::DispatchKey::CompositeImplicitAutograd, c10::DispatchKey::CPU);
        return;
    }
    const bool isForAll =
        op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd) ||
        op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutogradNonFunctional);
    for (const c10::DispatchKey key : kMemoryKeys)
        if (op.hasKernelForDispatchKey(key) || (isForAll && op.hasComputedKernelForDispatchKey(key)))
            replace(key, key);
}

class NoWarnings : public c10::WarningHandler {
    void process(const c10::Warning&) override {}
};

void putChecksBeforeKernels() {
    at::globalContext().setCheckSparseTensorInvariants(true);
    static std::deque<torch::Library> libraries; // a kernel is there as long as its library
    static std::unordered_map<std::string, torch::Library*> ofSpace;
    NoWarnings silent; // LibTorch warns that a kernel is replaced
    const c10::WarningUtils::WarningHandlerGuard guard(&silent);
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
        const auto found = boundsTable().find(name.name);
        if (found == boundsTable().end() || found->second.kernel.empty())
            continue;
        const auto op = c10::Dispatcher::singleton().findSchema(name);
        if (!op)
            continue;
        const std::vector<BoundsCheck> checks = checksOf(found->second.kernel, op->schema());
        if (checks.empty())
            continue;
        const std::string space = name.name.substr(0, name.name.find(':'));
        torch::Library*& library = ofSpace[space];
        if (!library)
            library = &libraries.emplace_back(torch::Library::IMPL, space, std::nullopt, __FILE__, __LINE__);
        putBefore(*library, *op, checks);
    }
}

const bool isInstalled = [] {
    installKernelChecks();
    return true;
}();

} // namespace

StackCall callWithinBounds(const c10::FunctionSchema& schema, StackCall call) {
    (void)isInstalled;
    if (schema.is_vararg() || schema.is_varret())
        return [name = schema.name()](Stack&) { refuseUnbounded(name, "it takes any number of arguments"); };
    auto found = boundsTable().find(c10::toString(schema.operator_name())); // rules of this overload alone
    if (found == boundsTable().end())
        found = boundsTable().find(schema.name());
    if (found == boundsTable().end())
        return call;
    const Bounds& bounds = found->second;
    if (!bounds.refusal.empty())
        return [name = schema.name(), reason = bounds.refusal](Stack&) { refuseUnbounded(name, reason); };
    if (bounds.isZeroed || bounds.isGrown)
        call = zeroing(std::move(call), bounds.isGrown);
    if (bounds.isCopied)
        call = copying(std::move(call));
    std::vector<BoundsCheck> checks = checksOf(bounds.call, schema);
    if (checks.empty())
        return call;
    return [&schema, checks = std::move(checks), call = std::move(call)](Stack& stack) {
        for (const BoundsCheck& check : checks)
            check({schema, stack});
        call(stack);
    };
}

std::string boundsRefusal(const std::string& qualifiedName) {
    const auto found = boundsTable().find(qualifiedName);
    if (found == boundsTable().end())
        return {};
    return found->second.call.empty() ? found->second.refusal : "its arguments are checked at each call";
}

void refuseAddressOf(const std::string& function) {
    throw Error("", function + " is not run: it gives an address in memory")
        .hint("compare tensors with `is`, and their storages with id()")
        .kind(kNotAllowedKind);
}

void installKernelChecks() {
    static const bool isDone = [] {
        putChecksBeforeKernels();
        return true;
    }();
    (void)isDone;
}

void withZeroedGrowth(const std::vector<c10::IValue>& holders, const std::function<void()>& change) {
    Stack stack = holders;
    zeroing([&](Stack&) { change(); }, false)(stack);
}

std::vector<std::string> unboundBoundsRules() {
    std::vector<std::string> out;
    for (const auto& [name, bounds] : boundsTable()) {
        std::vector<std::shared_ptr<torch::jit::Operator>> overloads =
            torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(name.substr(0, name.find('.'))));
        if (name.find('.') != std::string::npos)
            std::erase_if(overloads, [&](const auto& each) {
                return c10::toString(each->schema().operator_name()) != name;
            });
        for (const auto* rules : {&bounds.call, &bounds.kernel})
            for (const std::string_view rule : *rules)
                if (std::ranges::none_of(overloads, [&](const auto& each) {
                        return boundsRule(rule, each->schema()).has_value();
                    }))
                    out.push_back(name + ' ' + std::string(rule));
    }
    return out;
}

} // namespace fx
