// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/bounds_indices.h"

#include <ATen/core/Tensor.h>

#include <functional>
#include <span>
#include <utility>

namespace fx {

static void requireAscending(const NamedArguments& given, std::string_view name,
                             std::span<const int64_t> values, int64_t least, int64_t most) {
    int64_t before = least;
    for (const int64_t value : values) {
        if (value < before || value > most)
            given.refuse(name, "holds " + std::to_string(value) + ", which is not from " +
                                   std::to_string(before) + " to " + std::to_string(most));
        before = value;
    }
}

void checkBags(const NamedArguments& given) {
    const at::Tensor *indices = given.tensor("indices"), *offsets = given.tensor("offsets"),
                     *bags = given.tensor("offset2bag");
    if (!indices || !offsets)
        return;
    const bool hasEnd = argumentNamed(given.call().schema, "include_last_offset") &&
                        given.value("include_last_offset").toBool();
    if (offsets->dim() == 1 && (hasEnd || indices->numel() > 0) && offsets->numel() < (hasEnd ? 2 : 1))
        given.refuse("offsets", "has " + std::to_string(offsets->numel()) + " items, too few for a bag");
    if (offsets->dim() == 1)
        requireAscending(given, "offsets", elementsIn(*offsets), 0, indices->numel());
    if (bags && bags->numel() && bags->numel() != indices->numel()) // LibTorch makes it where it is empty
        given.refuse("offset2bag", "has " + std::to_string(bags->numel()) + " elements and not " +
                                       std::to_string(indices->numel()));
}

/// Which bag each index is in, and, for the largest of a bag, which index gave it; -1 where a bag is empty.
void checkBagGradient(const NamedArguments& given) {
    const at::Tensor *grad = given.tensor("grad"), *indices = given.tensor("indices"),
                     *bags = given.tensor("offset2bag"), *sizes = given.tensor("bag_size"),
                     *largest = given.tensor("maximum_indices");
    if (!grad || !indices || !bags || !sizes || !largest)
        return;
    if (given.number("mode") == 2) {
        if (largest->sizes() != grad->sizes())
            given.refuse("maximum_indices", "has sizes " + listedSizes(largest->sizes()) + " and not " +
                                                listedSizes(grad->sizes()));
        return requireWithin(given.call(), given.at("maximum_indices"), 0, given.number("num_weights"), -1);
    }
    if (bags->numel() != indices->numel())
        given.refuse("offset2bag", "has " + std::to_string(bags->numel()) + " elements and not " +
                                       std::to_string(indices->numel()));
    if (bags->numel())
        requireWithin(given.call(), given.at("offset2bag"), 0, grad->size(0));
    if (sizes->numel() != grad->size(0))
        given.refuse("bag_size", "has " + std::to_string(sizes->numel()) + " elements and not " +
                                     std::to_string(grad->size(0)));
    if (const at::Tensor* weights = given.tensor("per_sample_weights");
        weights && weights->numel() != indices->numel())
        given.refuse("per_sample_weights", "has " + std::to_string(weights->numel()) + " elements and not " +
                                               std::to_string(indices->numel()));
}

/// `values` in rows along the last axis, one for each index of the axes before.
static void forEachRow(const at::Tensor& tensor, const std::function<void(std::span<const int64_t>)>& visit) {
    const std::vector<int64_t> values = elementsIn(tensor);
    const auto length = static_cast<size_t>(tensor.dim() ? tensor.size(-1) : 1);
    for (size_t i = 0; length && i + length <= values.size(); i += length)
        visit(std::span(values).subspan(i, length));
}

void checkSegments(const NamedArguments& given) {
    const at::Tensor* data = given.tensor("data");
    if (!data)
        return;
    const int64_t axis = given.number("axis") + (given.number("axis") < 0 ? data->dim() : 0);
    if (axis < 0 || axis >= data->dim())
        return given.refuse("axis", "is no axis of the data");
    const int64_t most = data->size(axis);
    for (const std::string_view name : {"lengths", "offsets"}) {
        const at::Tensor* tensor = given.tensor(name);
        if (!tensor)
            continue;
        if (tensor->dim() != axis + 1 || tensor->sizes().slice(0, static_cast<size_t>(axis)) !=
                                             data->sizes().slice(0, static_cast<size_t>(axis)))
            given.refuse(name, "has sizes " + listedSizes(tensor->sizes()) + ", which do not fit the data's");
        forEachRow(*tensor, [&](std::span<const int64_t> row) {
            if (name == "offsets")
                return requireAscending(given, name, row, 0, most);
            int64_t end = 0;
            for (const int64_t length : row)
                if (length < 0 || __builtin_add_overflow(end, length, &end) || end > most)
                    given.refuse(name, "holds lengths of more than the " + std::to_string(most) +
                                           " items of the data");
        });
        const at::Tensor *grad = given.tensor("grad"), *output = given.tensor("output");
        if (!grad || !output)
            continue;
        std::vector<int64_t> wanted = tensor->sizes().vec();
        wanted.back() -= name == "offsets" ? 1 : 0;
        const at::IntArrayRef rest = data->sizes().slice(static_cast<size_t>(axis) + 1);
        wanted.insert(wanted.end(), rest.begin(), rest.end());
        for (const auto& [of, part] : {std::pair("grad", grad), {"output", output}})
            if (part->sizes() != at::IntArrayRef(wanted))
                given.refuse(of,
                             "has sizes " + listedSizes(part->sizes()) + " and not " + listedSizes(wanted));
    }
}

/// Rows of a compressed sparse tensor: they begin at 0 and end at the number of columns.
void checkCompressed(const NamedArguments& given) {
    const at::Tensor *crow = given.tensor("crow_indices"), *col = given.tensor("col_indices");
    if (!crow || !col)
        return;
    const int64_t count = col->dim() ? col->size(-1) : 0;
    forEachRow(*crow, [&](std::span<const int64_t> row) {
        requireAscending(given, "crow_indices", row, 0, count);
        if (row.front() != 0 || row.back() != count)
            given.refuse("crow_indices", "does not begin at 0 and end at " + std::to_string(count));
    });
    if (crow->dim() == 0 || crow->size(-1) == 0 || crow->dim() != col->dim() ||
        crow->sizes().slice(0, static_cast<size_t>(crow->dim() - 1)) !=
            col->sizes().slice(0, static_cast<size_t>(crow->dim() - 1)))
        given.refuse("crow_indices", "does not fit 'col_indices'");
}

void checkRows(const NamedArguments& given) {
    if (const at::Tensor* self = given.tensor("self")) {
        if (given.number("size") < 1)
            given.refuse("size", "is less than 1");
        requireAscending(given, "self", elementsIn(*self), 0, given.number("size") - 1);
    }
}

/// LAPACK's sytrf counts from 1; two negative ones beside each other are a block of two rows.
void checkPivots(const NamedArguments& given) {
    const at::Tensor *factors = given.tensor("LD"), *pivots = given.tensor("pivots");
    if (!factors || !pivots || factors->dim() < 2)
        return;
    const int64_t rows = factors->size(-1);
    forEachRow(*pivots, [&](std::span<const int64_t> row) {
        size_t negative = 0;
        for (size_t i = 0; i <= row.size(); ++i) {
            if (i < row.size() && (row[i] == 0 || row[i] > rows || row[i] < -rows))
                given.refuse("pivots", "holds " + std::to_string(row[i]) + ", which is no row from 1 to " +
                                           std::to_string(rows));
            if (i < row.size() && row[i] < 0)
                ++negative;
            else if (std::exchange(negative, 0) % 2)
                given.refuse("pivots", "has a negative item that has no second one beside it");
        }
    });
}

/// Which element of a sparse matrix gave each result; their number where none did.
void checkReduced(const NamedArguments& given) {
    if (const at::Tensor* self = given.tensor("self"), *from = given.tensor("arg_out");
        self && from && from->numel() && self->layout() == at::kSparseCsr)
        requireWithin(given.call(), given.at("arg_out"), 0, self->_nnz() + 1);
}

} // namespace fx
