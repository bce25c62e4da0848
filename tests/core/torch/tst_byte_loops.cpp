// SPDX-License-Identifier: GPL-3.0-or-later
// Rounding to small integers and back in one pass gives to the bit what ATen's operators give in several.
#include "core/torch/bind/byte_loops.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

#include <limits>

namespace fx::byte_loops_test {

namespace {

struct Range {
    at::ScalarType dtype;
    int64_t least, most;
};
constexpr Range kRanges[] = {
    {at::kByte, 0, 255}, {at::kByte, 0, 127}, {at::kChar, -128, 127}, {at::kChar, -8, 7}};

at::Tensor rounded(const at::Tensor& input, double scale, int64_t zero, const Range& range) {
    return (input * (1.0 / scale)).round_().add_(zero).clamp_(range.least, range.most).to(range.dtype);
}
at::Tensor restored(const at::Tensor& input, double scale, int64_t zero) {
    return input.to(at::kFloat).sub_(zero).mul_(scale);
}

/// Numbers of all sizes, halves among them, and those that are none.
at::Tensor oddNumbers() {
    const float infinity = std::numeric_limits<float>::infinity();
    const at::Tensor few =
        at::tensor({0.0F, -0.0F, infinity, -infinity, 1e30F, -1e30F, 1e-45F, 8388607.5F, 4194304.5F});
    return at::cat({few, at::arange(-600, 600) * 0.25, at::randn({5000}) * 100, at::randn({5000})})
        .to(at::kFloat);
}

} // namespace

class TestByteLoops : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::manual_seed(0); }

    void sameBitsAsAten() {
        const at::Tensor numbers = oddNumbers();
        for (const Range& range : kRanges)
            for (const double scale : {1.0, 0.5, 0.1, 0.0173, 3e-8, 70.0})
                for (const int64_t zero : {int64_t(0), int64_t(100), int64_t(-77), int64_t(127)}) {
                    const auto got =
                        roundedToBytes(numbers, scale, zero, range.least, range.most, range.dtype);
                    QVERIFY(got && got->scalar_type() == range.dtype);
                    QVERIFY(at::equal(*got, rounded(numbers, scale, zero, range)));
                    const auto back = restoredFromBytes(*got, scale, zero);
                    QVERIFY(back && at::equal(*back, restored(*got, scale, zero)));
                }
    }

    void layoutStays() {
        const at::Tensor image = at::randn({2, 3, 5, 7}).to(at::MemoryFormat::ChannelsLast),
                         turned = at::randn({4, 9}).t();
        for (const at::Tensor& value : {image, turned}) {
            const at::Tensor bytes = roundedToBytes(value, 0.02, 128, 0, 255, at::kByte).value();
            QCOMPARE(bytes.strides().vec(), value.strides().vec());
            QVERIFY(at::equal(bytes, rounded(value, 0.02, 128, kRanges[0])));
            QCOMPARE(restoredFromBytes(bytes, 0.02, 128)->strides().vec(), value.strides().vec());
        }
    }

    void manyElementsByThreads() {
        const at::Tensor value = at::randn({200001});
        QVERIFY(at::equal(roundedToBytes(value, 0.02, 128, 0, 255, at::kByte).value(),
                          rounded(value, 0.02, 128, kRanges[0])));
    }

    void othersAreLeftToAten() {
        const at::Tensor value = at::randn({4, 6});
        QVERIFY(!roundedToBytes(value.to(at::kDouble), 1, 0, 0, 255, at::kByte));
        QVERIFY(!roundedToBytes(value, 1, 0, -32768, 32767, at::kShort));
        QVERIFY(!roundedToBytes(value, 1, int64_t(1) << 40, 0, 255, at::kByte));
        QVERIFY(!roundedToBytes(value, 0, 0, 0, 255, at::kByte));
        QVERIFY(!roundedToBytes(value.slice(1, 0, 6, 2), 1, 0, 0, 255, at::kByte));
        QVERIFY(!roundedToBytes(value.narrow(0, 0, 1).expand({4, 6}), 1, 0, 0, 255, at::kByte));
        QVERIFY(!roundedToBytes(value.to(at::kMeta), 1, 0, 0, 255, at::kByte));
        QVERIFY(!restoredFromBytes(value, 1, 0));
    }

    void emptyTensor() {
        QCOMPARE(roundedToBytes(at::empty({0, 3}), 1, 0, 0, 255, at::kByte)->numel(), int64_t(0));
    }
};

FX_TEST(TestByteLoops)
} // namespace fx::byte_loops_test
#include "tst_byte_loops.moc"
