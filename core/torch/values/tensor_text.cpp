// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors as torch prints them with its default options: 4 digits, 80 columns, 3 items at each edge.
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/ir/dtype.h"
#include "core/torch/values/thread_modes.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>
#include <ATen/SparseCsrTensorUtils.h>
#include <torch/csrc/autograd/function.h>

#include <cmath>

namespace fx {

namespace {

constexpr int64_t kThreshold = 1000, kEdge = 3, kLineWidth = 80;

std::string printed(const char* form, double value) {
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, form, value);
    return buffer;
}

/// How all numbers of one tensor are written: as integers, with a point, or with an exponent, and how wide.
class NumberFormat {
public:
    explicit NumberFormat(const at::Tensor& sample) : m_isFloat(c10::isFloatingType(sample.scalar_type())) {
        const at::Tensor flat = sample.reshape(-1);
        if (!m_isFloat) {
            for (int64_t i = 0; i < flat.numel(); ++i)
                m_width = std::max(m_width, write(flat[i].item()).size());
            return;
        }
        const at::Tensor numbers = flat.to(at::kDouble);
        const at::Tensor finite = numbers.masked_select(numbers.isfinite().logical_and(numbers.ne(0)));
        if (finite.numel() == 0)
            return;
        const double largest = finite.abs().max().item<double>(),
                     smallest = finite.abs().min().item<double>();
        m_isWhole = finite.eq(finite.ceil()).all().item<bool>();
        m_hasExponent = largest / smallest > 1000 || largest > 1e8 || smallest < 1e-4;
        for (int64_t i = 0; i < finite.numel(); ++i) {
            const double number = finite[i].item<double>();
            const size_t width = m_hasExponent ? printed("%.4e", number).size()
                                 : m_isWhole   ? printed("%.0f", number).size() + 1
                                               : printed("%.4f", number).size();
            m_width = std::max(m_width, width);
        }
    }

    size_t width() const { return m_width; }

    std::string operator()(const c10::Scalar& scalar) const {
        const std::string text = write(scalar);
        return std::string(m_width - std::min(m_width, text.size()), ' ') + text;
    }

private:
    std::string write(const c10::Scalar& scalar) const {
        if (!m_isFloat)
            return scalar.isBoolean()    ? (scalar.toBool() ? "True" : "False")
                   : scalar.isUnsigned() ? std::to_string(scalar.toUInt64())
                                         : std::to_string(scalar.toLong());
        const double number = scalar.toDouble();
        if (std::isnan(number))
            return "nan";
        if (m_hasExponent)
            return printed("%.4e", number);
        if (m_isWhole)
            return printed("%.0f", number) + (std::isfinite(number) ? "." : "");
        return printed("%.4f", number);
    }

    bool m_isFloat;
    bool m_isWhole = true;
    bool m_hasExponent = false;
    size_t m_width = 1;
};

/// Only the items that a long tensor shows, as one small tensor.
at::Tensor edgesOf(const at::Tensor& tensor) {
    if (tensor.dim() == 0)
        return tensor;
    std::vector<at::Tensor> parts;
    const int64_t size = tensor.size(0);
    if (tensor.dim() == 1)
        return size > 2 * kEdge ? at::cat({tensor.slice(0, 0, kEdge), tensor.slice(0, size - kEdge)})
                                : tensor;
    for (int64_t i = 0; i < size; ++i)
        if (size <= 2 * kEdge || i < kEdge || i >= size - kEdge)
            parts.push_back(edgesOf(tensor[i]));
    return at::stack(parts);
}

class Printer {
public:
    explicit Printer(const at::Tensor& tensor) : m_isShortened(tensor.numel() > kThreshold) {
        const at::Tensor sample = m_isShortened ? edgesOf(tensor) : tensor;
        if (tensor.is_complex()) {
            m_real.emplace(at::real(sample));
            m_imaginary.emplace(at::imag(sample));
        } else {
            m_real.emplace(sample);
        }
    }

    std::string text(const at::Tensor& tensor, int64_t indent) const {
        if (tensor.dim() == 0)
            return number(tensor);
        if (tensor.dim() == 1)
            return vector(tensor, indent);
        std::vector<std::string> parts;
        forShown(
            tensor.size(0), [&](int64_t i) { parts.push_back(text(tensor[i], indent + 1)); },
            [&] { parts.push_back("..."); });
        const std::string separator = ',' + std::string(static_cast<size_t>(tensor.dim() - 1), '\n') +
                                      std::string(static_cast<size_t>(indent + 1), ' ');
        return '[' + join(parts, separator) + ']';
    }

private:
    std::string number(const at::Tensor& item) const {
        if (!m_imaginary)
            return (*m_real)(item.item());
        const c10::complex<double> value = item.item().toComplexDouble();
        std::string imaginary = (*m_imaginary)(value.imag()) + 'j';
        imaginary.erase(0, imaginary.find_first_not_of(' '));
        return (*m_real)(value.real()) + (imaginary[0] == '-' || imaginary[0] == '+' ? "" : "+") + imaginary;
    }

    std::string vector(const at::Tensor& tensor, int64_t indent) const {
        const size_t width = m_real->width() + 2 + (m_imaginary ? m_imaginary->width() + 1 : 0);
        const size_t perLine =
            static_cast<size_t>(std::max<int64_t>(1, (kLineWidth - indent) / static_cast<int64_t>(width)));
        std::vector<std::string> parts;
        forShown(
            tensor.size(0), [&](int64_t i) { parts.push_back(number(tensor[i])); },
            [&] { parts.push_back(" ..."); });
        std::string out = "[";
        for (size_t i = 0; i < parts.size(); ++i) {
            if (i > 0)
                out += i % perLine == 0 ? ",\n" + std::string(static_cast<size_t>(indent + 1), ' ') : ", ";
            out += parts[i];
        }
        return out + ']';
    }

    template <class Item, class Gap>
    void forShown(int64_t size, const Item& item, const Gap& gap) const {
        const bool hasGap = m_isShortened && size > 2 * kEdge;
        for (int64_t i = 0; i < size; ++i) {
            if (hasGap && i == kEdge) {
                gap();
                i = size - kEdge;
            }
            item(i);
        }
    }

    bool m_isShortened;
    std::optional<NumberFormat> m_real, m_imaginary;
};

std::string sizesText(c10::IntArrayRef sizes) {
    std::vector<std::string> parts;
    for (int64_t size : sizes)
        parts.push_back(std::to_string(size));
    return '(' + join(parts, ", ") + (parts.size() == 1 ? ",)" : ")");
}

/// Numbers in a form that every dtype can be compared and printed in.
at::Tensor printable(const at::Tensor& tensor) {
    at::Tensor out = tensor.detach().resolve_conj().resolve_neg();
    if (out.is_quantized())
        out = out.dequantize();
    if (out.layout() != at::kStrided) // of another library's format
        out = out.to_dense();
    const c10::ScalarType type = out.scalar_type();
    const bool isSmall = c10::isReducedFloatingType(type) || c10::isFloat8Type(type);
    return (isSmall ? out.to(at::kFloat) : out).cpu();
}

constexpr int64_t kIndent = 7; ///< below "tensor("

/// "indices=tensor([[0, 1]])".
std::string partText(const std::string& name, const at::Tensor& part) {
    const std::string prefix = name + "=tensor(";
    if (part.numel() == 0)
        return prefix + "[], size=" + sizesText(part.sizes()) + ')';
    const at::Tensor numbers = printable(part);
    return prefix + Printer(numbers).text(numbers, kIndent + static_cast<int64_t>(prefix.size())) + ')';
}

/// The tensors that a sparse one is made of.
std::string sparseText(const at::Tensor& tensor) {
    const bool isByRow = tensor.layout() == at::kSparseCsr || tensor.layout() == at::kSparseBsr;
    std::vector<std::string> parts;
    if (tensor.is_sparse())
        parts = {partText("indices", tensor._indices()), partText("values", tensor._values())};
    else if (isByRow)
        parts = {partText("crow_indices", tensor.crow_indices()),
                 partText("col_indices", tensor.col_indices()), partText("values", tensor.values())};
    else
        parts = {partText("ccol_indices", tensor.ccol_indices()),
                 partText("row_indices", tensor.row_indices()), partText("values", tensor.values())};
    return join(parts, ",\n" + std::string(kIndent, ' '));
}

} // namespace

namespace {

/// The function that has made it, or whether it is a leaf of which gradients are wanted.
std::string gradientText(const at::Tensor& tensor) {
    const auto& function = tensor.grad_fn();
    if (!function)
        return tensor.requires_grad() ? "requires_grad=True" : "";
    const std::string name = function->name(); // with its namespace
    return "grad_fn=<" + name.substr(name.rfind(':') + 1) + '>';
}

void addQuantizer(const at::Tensor& tensor, std::vector<std::string>& suffixes) {
    const auto number = [](const Argument& value) {
        return reprText(value, [](NodeId) { return std::string(); });
    };
    const bool isPerTensor =
        tensor.qscheme() == at::kPerTensorAffine || tensor.qscheme() == at::kPerTensorSymmetric;
    suffixes.push_back("quantization_scheme=torch." + std::string(at::toString(tensor.qscheme())));
    if (isPerTensor) {
        suffixes.push_back("scale=" + number(tensor.q_scale()));
        suffixes.push_back("zero_point=" + number(tensor.q_zero_point()));
    } else {
        suffixes.push_back("scale=" + tensorText(tensor.q_per_channel_scales()));
        suffixes.push_back("zero_point=" + tensorText(tensor.q_per_channel_zero_points()));
        suffixes.push_back("axis=" + number(tensor.q_per_channel_axis()));
    }
}

/// "nested_tensor([" and each tensor in lines of its own.
std::string nestedText(const at::Tensor& tensor) {
    std::string text = "nested_tensor([\n", separator = "  ";
    for (at::Tensor part : tensor.detach().unbind()) {
        part = part.detach(); // no view any more, so that it may be marked
        part.set_requires_grad(tensor.requires_grad());
        text += separator + replaceAll(tensorText(part), "\n", "\n  ");
        separator = ",\n  ";
    }
    const std::string gradient = gradientText(tensor);
    return text + "\n]" + (gradient.empty() ? "" : ", " + gradient) + ')';
}

} // namespace

std::string tensorText(const at::Tensor& tensor) {
    if (!tensor.defined())
        return "None";
    const NotRecorded looking;
    if (tensor.is_nested() && !tensor.is_meta())
        return nestedText(tensor);
    const std::string dtype = "dtype=" + dtypeText(tensor.scalar_type());
    const c10::ScalarType type = tensor.scalar_type();
    const bool isDefault =
        type == at::kFloat || type == at::kComplexFloat || type == at::kLong || type == at::kBool;
    std::vector<std::string> suffixes;
    if (!tensor.is_cpu())
        suffixes.push_back("device='" + tensor.device().str() + '\'');
    std::string text = "tensor(";
    const bool isSparse = tensor.is_sparse() || at::sparse_csr::is_sparse_compressed(tensor);
    const bool isEmpty = tensor.numel() == 0 && !isSparse;
    if (isSparse && !tensor.is_meta()) {
        text += sparseText(tensor.detach());
        suffixes.push_back("size=" + sizesText(tensor.sizes()));
        suffixes.push_back("nnz=" + std::to_string(tensor._nnz()));
    } else if (tensor.is_meta()) {
        text += "...";
        suffixes.push_back("size=" + sizesText(tensor.sizes()));
    } else if (isEmpty) {
        text += "[]";
        if (tensor.dim() != 1)
            suffixes.push_back("size=" + sizesText(tensor.sizes()));
    } else {
        const at::Tensor numbers = printable(tensor);
        text += Printer(numbers).text(numbers, kIndent);
        if (tensor.is_quantized())
            suffixes.push_back("size=" + sizesText(tensor.sizes()));
    }
    const std::string gradient = gradientText(tensor);
    if (tensor.is_meta() || isEmpty ? type != at::kFloat : !isDefault)
        suffixes.push_back(dtype);
    if (tensor.layout() != at::kStrided)
        suffixes.push_back("layout=" + layoutText(tensor.layout()));
    if (tensor.is_quantized() && !tensor.is_meta())
        addQuantizer(tensor.detach(), suffixes);
    if (!gradient.empty())
        suffixes.push_back(gradient);

    const size_t newline = text.rfind('\n');
    int64_t column = static_cast<int64_t>(text.size()) -
                     (newline == std::string::npos ? -1 : static_cast<int64_t>(newline)) + 1;
    for (const std::string& suffix : suffixes) {
        const auto size = static_cast<int64_t>(suffix.size());
        const bool isBelow = tensor.is_sparse() && &suffix == suffixes.data();
        const bool fits = !isBelow && column + size + 2 <= kLineWidth;
        text += (fits ? ", " : ",\n" + std::string(kIndent, ' ')) + suffix;
        column = fits ? column + size + 2 : kIndent + size;
    }
    return text + ')';
}

} // namespace fx
