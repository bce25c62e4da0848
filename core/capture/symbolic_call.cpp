// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/symbolic_call.h"

#include "core/base/error.h"
#include "core/torch/bind/meta_fallback.h"
#include "core/torch/values/size_fitter.h"
#include "core/torch/values/symbolic_tensors.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

using c10::IValue;
using c10::SymInt;
using torch::jit::Stack;

/// So many runs are enough to tell a formula from another.
constexpr size_t kEnough = 8, kFewest = 3;

/// From which dimension on the operator works out its sizes, which then are numbers of their own, also where
/// they are equal to some that it was given. The others hand on those.
int64_t firstMadeAnew(const std::string& name) {
    if (name == "aten::view" || name == "aten::_unsafe_view" || name == "aten::arange")
        return 0;
    return name == "aten::convolution" ? 2 : INT64_MAX;
}

class SymbolicCall {
public:
    SymbolicCall(const c10::OperatorHandle& op, Stack& stack, std::shared_ptr<SymbolEnvironment> environment)
        : m_op(op), m_stack(stack), m_environment(std::move(environment)) {}

    void call() {
        const size_t count = m_op.schema().arguments().size();
        m_given = torch::jit::last(m_stack, count).vec();
        torch::jit::drop(m_stack, count);
        run();
        if (m_hasSymbols && m_samples.size() < kFewest) {
            decideSizes();
            run();
        }
        requireRuns();
        collectTerms();
        const size_t results = m_op.schema().returns().size();
        for (size_t i = 0; i < results; ++i) {
            std::vector<const IValue*> seen;
            for (const Stack& out : m_out)
                seen.push_back(&out[i]);
            m_stack.push_back(isWritten(i) ? writtenArgument(i) : joined(seen));
        }
    }

private:
    // --- The runs

    void run() {
        m_out.clear();
        m_samples.clear();
        for (size_t sample = 0; sample < SymbolEnvironment::kSamples; ++sample) {
            m_sample = sample;
            std::optional<Stack> stack = results(sample == 0); // what is known of the sizes has to fit
            if (!stack)
                continue;
            m_out.push_back(std::move(*stack));
            m_samples.push_back(sample);
            if (!m_hasSymbols || m_samples.size() == kEnough)
                break;
        }
    }

    /// Of the call with the numbers of this sample; none where they do not fit it.
    std::optional<Stack> results(bool mustFit) {
        const at::NoGradGuard noGrad;
        Stack stack;
        m_hasSymbols = false;
        try {
            for (size_t i = 0; i < m_given.size(); ++i)
                stack.push_back(isDeviceLeftOut(i) ? IValue(c10::Device(c10::kMeta)) : concrete(m_given[i]));
            m_op.callBoxed(stack);
        } catch (const std::exception&) {
            if (mustFit)
                throw;
            return std::nullopt;
        }
        return mustFit || m_out.empty() || areAlike(stack, m_out[0]) ? std::optional(std::move(stack))
                                                                     : std::nullopt;
    }

    /// Whether they differ in nothing but numbers: how many parts something is split into is decided.
    static bool areAlike(at::ArrayRef<IValue> a, at::ArrayRef<IValue> b) {
        if (a.size() != b.size())
            return false;
        for (size_t i = 0; i < a.size(); ++i) {
            const bool areTensors = a[i].isTensor() && b[i].isTensor();
            if (areTensors && a[i].toTensor().defined() && a[i].toTensor().dim() != b[i].toTensor().dim())
                return false;
            if (a[i].isList() && !areAlike(a[i].toListRef(), b[i].toListRef()))
                return false;
        }
        return true;
    }

    /// A symbol that may be nothing but what it was is a number from here on, as whoever asks whether two
    /// sizes are equal decides it.
    void decideSizes() {
        for (const std::string& symbol : m_environment->symbols()) {
            if (!m_environment->hasHint(Formula::symbol(symbol)))
                continue;
            m_varied = symbol;
            bool fits = false;
            for (m_sample = 1; m_sample < SymbolEnvironment::kSamples && !fits; ++m_sample)
                fits = results(false).has_value();
            m_varied.reset();
            if (fits)
                continue;
            const int64_t number = m_environment->samples(Formula::symbol(symbol))[0];
            m_environment->assume("Eq(" + symbol + ", " + std::to_string(number) + ')');
            m_environment->equate(Formula::symbol(symbol), Formula::number(number));
        }
    }

    void requireRuns() const {
        if (m_hasSymbols && m_samples.size() < kFewest)
            throw Error("", c10::toString(m_op.schema().operator_name()) +
                                ": for too few sizes it can be told what it gives");
    }

    /// Of what makes tensors of nothing but sizes.
    bool isDeviceLeftOut(size_t argument) const {
        return m_given[argument].isNone() && m_op.schema().arguments()[argument].name() == "device" &&
               std::ranges::none_of(m_given, [](const IValue& value) { return value.isTensor(); });
    }

    int64_t numberOf(const SymInt& size) {
        if (const std::optional<int64_t> number = size.maybe_as_int())
            return *number;
        m_hasSymbols = true;
        const SymbolicNumber* number = symbolicNumber(size.toSymNode());
        const std::optional<int64_t> value =
            number ? m_environment->sample(number->formula(), m_sample, m_varied) : std::nullopt;
        TORCH_CHECK(value, "a size that has no number");
        return *value;
    }

    /// Of a number that is no size; any, where none is known.
    static double hintOf(const c10::SymNode& node) {
        const SymbolicNumber* number = symbolicNumber(node);
        return number ? number->hint().value_or(1) : 1;
    }

    std::vector<int64_t> numbersOf(c10::SymIntArrayRef sizes) {
        std::vector<int64_t> out;
        for (const SymInt& size : sizes)
            out.push_back(numberOf(size));
        return out;
    }

    at::Tensor concrete(const at::Tensor& tensor) {
        if (!tensor.defined() || tensor.unsafeGetTensorImpl()->is_wrapped_number())
            return tensor;
        const c10::ScalarType dtype = tensor.scalar_type();
        return at::empty_strided(numbersOf(tensor.sym_sizes()), numbersOf(tensor.sym_strides()),
                                 at::TensorOptions(c10::kMeta).dtype(dtype));
    }

    IValue concrete(const IValue& value) {
        if (value.isTensor())
            return concrete(value.toTensor());
        if (value.isSymInt())
            return numberOf(value.toSymInt());
        if (value.isSymFloat())
            return hintOf(value.toSymFloat().toSymNodeImpl());
        if (value.isSymBool())
            return hintOf(value.toSymBool().toSymNodeImpl()) != 0;
        if (value.isDevice()) {
            m_device = value.toDevice();
            return c10::Device(c10::kMeta);
        }
        if (!value.isList() || value.toListRef().empty())
            return value;
        if (value.isTensorList()) {
            c10::List<at::Tensor> out;
            for (const at::Tensor& tensor : value.toTensorVector())
                out.push_back(concrete(tensor));
            return out;
        }
        if (value.toList().elementType()->kind() == c10::TypeKind::SymIntType) {
            c10::List<int64_t> out;
            for (const IValue& item : value.toListRef())
                out.push_back(concrete(item).toInt());
            return out;
        }
        c10::List<IValue> out = value.toList().copy();
        for (size_t i = 0; i < out.size(); ++i)
            out.set(i, concrete(value.toListRef()[i]));
        return out;
    }

    // --- What their results have in common

    Samples chosen(const std::vector<int64_t>& samples) const {
        Samples out;
        for (const size_t sample : m_samples)
            out.push_back(samples[sample]);
        return out;
    }

    void addTerm(SizeFitter::Sizes& sizes, const SymInt& size) {
        if (size.maybe_as_int())
            return;
        const c10::SymNode node = size.toSymNode();
        const Formula formula = symbolicNumber(node)->formula();
        Samples samples = chosen(m_environment->samples(formula));
        m_known.try_emplace(samples, node);
        sizes.push_back({formula, std::move(samples)});
    }

    /// Numbers that were given stand for the sizes that they are before sizes of tensors do.
    void collectTerms() {
        const auto visit = [&](auto& self, const IValue& value, bool wantsTensors) -> void {
            SizeFitter::Sizes sizes;
            if (value.isList()) {
                for (const IValue& item : value.toListRef())
                    self(self, item, wantsTensors);
            } else if (value.isSymInt() && !wantsTensors) {
                m_hasNumbers = true;
                addTerm(sizes, value.toSymInt());
            } else if (value.isTensor() && value.toTensor().defined() && wantsTensors) {
                if (m_device == c10::Device(c10::kMeta) && !m_isDeviceGiven) {
                    m_device = value.toTensor().device();
                    m_isDeviceGiven = !value.toTensor().unsafeGetTensorImpl()->is_wrapped_number();
                }
                m_tensors.push_back(value.toTensor());
                for (const SymInt& size : value.toTensor().sym_sizes())
                    addTerm(sizes, size);
                for (const SymInt& stride : value.toTensor().sym_strides())
                    addTerm(sizes, stride);
            }
            if (!sizes.empty())
                m_inputs.push_back(std::move(sizes));
        };
        for (const bool wantsTensors : {false, true})
            for (const IValue& value : m_given)
                visit(visit, value, wantsTensors);
        if (m_device == c10::Device(c10::kMeta) && !m_isDeviceGiven)
            m_device = c10::Device(c10::kCPU);
        std::vector<Term> symbols;
        for (const std::string& name : m_environment->symbols())
            symbols.push_back({Formula::symbol(name), chosen(m_environment->samples(Formula::symbol(name)))});
        m_fitter.emplace(std::move(symbols));
    }

    SymInt fitted(const Samples& values, bool isMadeAnew = false) {
        if (std::ranges::all_of(values, [&](int64_t value) { return value == values[0]; }))
            return values[0];
        if (const auto known = m_known.find(values); known != m_known.end() && !isMadeAnew)
            return SymInt(known->second);
        const std::optional<Formula> formula = m_fitter->known(values, m_inputs);
        if (!formula)
            throw Error("", c10::toString(m_op.schema().operator_name()) +
                                ": no formula gives the size of its result");
        const c10::SymNode node = m_environment->number(*formula);
        if (!isMadeAnew)
            m_known.emplace(values, node);
        return SymInt(node);
    }

    IValue joined(const std::vector<const IValue*>& seen) {
        const IValue& first = *seen[0];
        if (first.isTensor())
            return first.toTensor().defined() ? IValue(joinedTensor(seen)) : first;
        if (first.isInt()) {
            Samples values;
            for (const IValue* value : seen)
                values.push_back(value->toInt());
            return IValue(fitted(values));
        }
        if (!first.isList())
            return first;
        c10::List<IValue> out = first.toList().copy();
        for (size_t i = 0; i < out.size(); ++i) {
            std::vector<const IValue*> items;
            for (const IValue* value : seen)
                items.push_back(&value->toListRef()[i]);
            out.set(i, joined(items));
        }
        return out;
    }

    /// What a tensor of as many dimensions has there, where it is the same: most operators hand it on.
    std::optional<SymInt> handedOn(const Samples& values, int64_t dim, int64_t dims) const {
        for (const at::Tensor& tensor : m_tensors)
            if (tensor.dim() == dims) {
                const SymInt size = tensor.sym_size(dim);
                if (!size.maybe_as_int() &&
                    chosen(m_environment->samples(symbolicNumber(size.toSymNode())->formula())) == values)
                    return size;
            }
        return std::nullopt;
    }

    at::Tensor joinedTensor(const std::vector<const IValue*>& seen) {
        const at::Tensor& first = seen[0]->toTensor();
        std::vector<SymInt> sizes, strides;
        Samples offsets;
        for (int64_t dim = 0; dim < first.dim(); ++dim) {
            Samples values;
            for (const IValue* value : seen)
                values.push_back(value->toTensor().size(dim));
            const bool isMadeAnew = dim >= firstMadeAnew(m_op.schema().name());
            const std::optional<SymInt> same =
                isMadeAnew || m_hasNumbers ? std::nullopt : handedOn(values, dim, first.dim());
            sizes.push_back(same ? *same : fitted(values, isMadeAnew));
        }
        for (int64_t dim = 0; dim < first.dim(); ++dim) {
            Samples values;
            for (const IValue* value : seen)
                values.push_back(value->toTensor().stride(dim));
            strides.push_back(stride(values, first, dim, sizes));
        }
        for (const IValue* value : seen)
            offsets.push_back(value->toTensor().storage_offset());
        const bool isFixed = std::ranges::count(offsets, offsets[0]) == std::ssize(offsets);
        return fakeTensor(sizes, strides, isFixed ? SymInt(offsets[0]) : fitted(offsets), first.scalar_type(),
                          m_device);
    }

    /// Of a dense tensor it is a product of its own sizes.
    SymInt stride(const Samples& values, const at::Tensor& first, int64_t dim,
                  const std::vector<SymInt>& sizes) {
        SymInt product = 1;
        for (int64_t other = 0; other < first.dim(); ++other)
            if (other != dim && (first.stride(other) < first.stride(dim) ||
                                 (first.stride(other) == first.stride(dim) && other > dim)))
                product = product * sizes[static_cast<size_t>(other)];
        const std::optional<int64_t> number = product.maybe_as_int();
        const Samples now =
            number ? Samples(values.size(), *number)
                   : chosen(m_environment->samples(symbolicNumber(product.toSymNode())->formula()));
        return now == values ? product : fitted(values);
    }

    // --- What is written into

    bool isWritten(size_t result) const {
        const auto* alias = m_op.schema().returns()[result].alias_info();
        return alias && alias->isWrite();
    }

    const IValue& writtenArgument(size_t result) const {
        const auto* alias = m_op.schema().returns()[result].alias_info();
        for (size_t i = 0; i < m_given.size(); ++i)
            if (const auto* other = m_op.schema().arguments()[i].alias_info(); other && *other == *alias)
                return m_given[i];
        throw Error("", c10::toString(m_op.schema().operator_name()) + " gives what it does not take");
    }

    const c10::OperatorHandle& m_op;
    Stack& m_stack;
    std::shared_ptr<SymbolEnvironment> m_environment;
    std::vector<IValue> m_given;
    std::vector<Stack> m_out;
    std::vector<size_t> m_samples; ///< those that ran
    size_t m_sample = 0;
    std::optional<std::string>
        m_varied; ///< if it is set, all other symbols are what they are known to have been
    bool m_hasSymbols = false, m_hasNumbers = false, m_isDeviceGiven = false;
    std::vector<at::Tensor> m_tensors; ///< that were given
    c10::Device m_device{c10::kMeta};
    std::vector<SizeFitter::Sizes> m_inputs;
    std::map<Samples, c10::SymNode> m_known; ///< the very numbers that were given
    std::optional<SizeFitter> m_fitter;
};

} // namespace

void callSymbolically(const c10::OperatorHandle& op, Stack& stack,
                      const std::shared_ptr<SymbolEnvironment>& environment) {
    supportMeta();
    SymbolicCall(op, stack, environment).call();
}

} // namespace fx
