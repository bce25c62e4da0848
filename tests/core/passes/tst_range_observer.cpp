// SPDX-License-Identifier: GPL-3.0-or-later
// The ranges that observers find, and the integers that come of them.
#include "core/passes/quantize/range_observer.h"
#include "core/passes/quantize/sqnr.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::range_observer_test {

class TestRangeObserver : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void integersAreThoseOfTheOperator_data() {
        QTest::addColumn<int>("axis");
        QTest::addColumn<bool>("isPlain");
        QTest::newRow("rows") << 0 << true;
        QTest::newRow("columns") << 1 << true;
        QTest::newRow("the last") << 2 << true;
        QTest::newRow("other strides") << 0 << false;
    }
    void integersAreThoseOfTheOperator() {
        QFETCH(int, axis);
        QFETCH(bool, isPlain);
        at::manual_seed(4);
        at::Tensor weight = at::randn({5, 7, 9});
        weight[0][0][0] = 0.5F; // halves of a scale lie between two integers
        if (!isPlain)
            weight = weight.transpose(0, 2);
        const at::Tensor scale = at::rand({weight.size(axis)}) * 0.02 + 0.01;
        std::vector<int64_t> shape = {1, 1, 1};
        shape[static_cast<size_t>(axis)] = -1;
        const at::Tensor wanted =
            at::clamp(at::round(weight * (1.0 / scale).view(shape)), -128, 127).to(at::kChar);
        QVERIFY(at::equal(weightIntegers(weight, scale, axis, IntegerScheme::weights()), wanted));
        const at::Tensor halves = at::arange(-300, 300, at::kFloat) / 2, one = at::ones({});
        QVERIFY(at::equal(weightIntegers(halves, one, std::nullopt, IntegerScheme::weights()),
                          at::clamp(at::round(halves), -128, 127).to(at::kChar)));
    }

    void rangesOfObservers() {
        at::manual_seed(1);
        at::Tensor values = at::randn({10000});
        values[0] = 100; // far from all others
        const IntegerScheme scheme = IntegerScheme::activations(false);
        const auto highest = [&](ObserverKind kind, double share) {
            RangeObserver observer(kind, share);
            observer.observe(values);
            return observer.range(scheme).high.item<double>();
        };
        QCOMPARE(highest(ObserverKind::MinMax, 1), 100.0);
        QCOMPARE(highest(ObserverKind::Percentile, 1), 100.0);
        QVERIFY(highest(ObserverKind::Percentile, 0.99) < 5);
        QVERIFY(highest(ObserverKind::LeastSquares, 1) <= 100);
        QVERIFY(highest(ObserverKind::Histogram, 1) <= 100.1);
    }

    void leastSquaresLosesNoMoreThanAll() {
        at::manual_seed(2);
        const at::Tensor values = at::randn({20000}).pow(3);
        const IntegerScheme scheme{at::kByte, 0, 15, false};
        const auto loss = [&](ObserverKind kind) {
            RangeObserver observer(kind);
            observer.observe(values);
            const QuantizationParameters found = parametersOf(observer.range(scheme), scheme);
            const at::Tensor back =
                (at::clamp(at::round(values / found.scale) + found.zeroPoint, 0, 15) - found.zeroPoint) *
                found.scale;
            return tensorError(values, back).sqnr;
        };
        QVERIFY(loss(ObserverKind::LeastSquares) > loss(ObserverKind::MinMax));
    }

    void emptyAndInfiniteTensorsAreNoRange() {
        for (const ObserverKind kind :
             {ObserverKind::MinMax, ObserverKind::Histogram, ObserverKind::Percentile}) {
            RangeObserver observer(kind);
            observer.observe(at::empty({0}));
            QVERIFY(!observer.hasSeen());
            observer.observe(at::full({2}, std::numeric_limits<float>::quiet_NaN()));
            observer.observe(at::ones({2}));
            QVERIFY(!observer.isFinite());
        }
    }
};

FX_TEST(TestRangeObserver)
} // namespace fx::range_observer_test
#include "tst_range_observer.moc"
