// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes on the device meta that are worked out from sizes alone: as the processor gives them, errors too.
#include "core/torch/bind/meta_fallback.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::meta_shapes_test {

namespace {

/// "sizes strides dtype", or the error's first words.
std::string told(const std::function<std::vector<at::Tensor>()>& work) {
    std::ostringstream out;
    try {
        for (const at::Tensor& tensor : work())
            out << tensor.sizes() << tensor.strides() << tensor.scalar_type() << ' ';
    } catch (const c10::Error& error) {
        return std::string(error.what_without_backtrace()).substr(0, 40);
    }
    return out.str();
}

at::Tensor onMeta(const at::Tensor& tensor) {
    return tensor.to(c10::kMeta); // keeps the strides
}

using Sizes = std::vector<int64_t>;

} // namespace

class MetaShapesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { supportMeta(); }

    void convolutionsAreAsOnTheProcessor() {
        struct Case {
            Sizes input, weight;
            int64_t bias; ///< 0: none
            Sizes stride, padding, dilation, more;
            bool isTransposed = false;
            int64_t groups = 1;
        };
        const Case cases[] = {
            {{2, 3, 9, 8}, {4, 3, 3, 3}, 4, {2, 1}, {1, 0}, {1, 2}, {0, 0}},
            {{2, 4, 9}, {6, 2, 3}, 0, {3}, {1}, {2}, {0}, false, 2},
            {{1, 2, 5, 6, 7}, {4, 2, 1, 2, 3}, 4, {1, 1, 2}, {0, 1, 1}, {1, 1, 1}, {0, 0, 0}},
            {{2, 4, 5, 5}, {4, 3, 4, 4}, 6, {2, 2}, {1, 1}, {1, 1}, {1, 0}, true, 2},
            {{2, 3, 2, 9}, {4, 3, 3, 3}, 0, {4, 4}, {0, 0}, {1, 1}, {0, 0}},
            {{2, 3, 9, 9}, {4, 5, 3, 3}, 0, {1, 1}, {0, 0}, {1, 1}, {0, 0}},
            {{2, 3, 9, 9}, {4, 3, 3, 3}, 5, {1, 1}, {0, 0}, {1, 1}, {0, 0}},
            {{2, 3, 9, 9}, {4, 3, 3, 3}, 0, {0, 1}, {0, 0}, {1, 1}, {0, 0}},
            {{2, 3, 9, 9}, {4, 3, 3, 3}, 0, {1, 1}, {-1, 0}, {1, 1}, {0, 0}},
            {{0, 3, 9, 9}, {4, 3, 3, 3}, 0, {1, 1}, {0, 0}, {1, 1}, {0, 0}},
        };
        for (const bool isChannelsLast : {false, true})
            for (const Case& one : cases) {
                at::Tensor input = at::ones(one.input), weight = at::ones(one.weight);
                if (isChannelsLast && input.dim() == 4)
                    input = input.contiguous(c10::MemoryFormat::ChannelsLast);
                const at::Tensor bias = one.bias ? at::ones({one.bias}) : at::Tensor();
                const auto convolved = [&](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
                    return told([&] {
                        return std::vector{at::convolution(x, w, b, one.stride, one.padding, one.dilation,
                                                           one.isTransposed, one.more, one.groups)};
                    });
                };
                QCOMPARE(convolved(onMeta(input), onMeta(weight), bias.defined() ? onMeta(bias) : bias),
                         convolved(input, weight, bias));
            }
    }

    void normalizationsAndMapsAreAsOnTheProcessor() {
        const at::Tensor input = at::ones({4, 3, 5, 6}).contiguous(c10::MemoryFormat::ChannelsLast);
        const at::Tensor weights = at::ones({3});
        for (const bool isTraining : {false, true}) {
            const auto normalized = [&](const at::Tensor& x, const at::Tensor& w) {
                return told([&] {
                    const auto [y, mean, deviation] =
                        at::native_batch_norm(x, w, w, w, w, isTraining, 0.1, 1e-5);
                    return std::vector{y, mean, deviation};
                });
            };
            QCOMPARE(normalized(onMeta(input), onMeta(weights)), normalized(input, weights));
            QCOMPARE(normalized(onMeta(input), onMeta(at::ones({4}))).substr(0, 12),
                     normalized(input, at::ones({4})).substr(0, 12));
        }
        const at::Tensor whole = at::ones({2, 3}, at::kInt).t();
        for (const at::Tensor& x : {input, whole, at::ones({})}) {
            const auto mapped = [](const at::Tensor& y) {
                return told([&] { return std::vector{at::relu(y), at::gelu(y.to(at::kFloat))}; });
            };
            QCOMPARE(mapped(onMeta(x)).c_str(), mapped(x).c_str());
        }
        // Several at once: broadcast, of other dtypes, permuted.
        const at::Tensor mask = at::ones({3, 1}, at::kBool), wide = at::ones({2, 1, 4}).transpose(0, 2);
        for (const auto& [x, y] : {std::pair(at::ones({3, 4}), at::ones({4})), std::pair(wide, wide),
                                   std::pair(at::ones({2, 3, 1}, at::kHalf), at::ones({})),
                                   std::pair(at::ones({5, 4}), at::ones({4}))}) {
            const auto chosen = [](const at::Tensor& c, const at::Tensor& a, const at::Tensor& b) {
                return told([&] { return std::vector{at::where(c, a, b)}; });
            };
            QCOMPARE(chosen(onMeta(mask), onMeta(x), onMeta(y)), chosen(mask, x, y));
        }
        at::Tensor written = onMeta(at::ones({2, 3}));
        QVERIFY(at::relu_(written).is_same(written));
    }
};

FX_TEST(MetaShapesTest)
} // namespace fx::meta_shapes_test

#include "tst_meta_shapes.moc"
