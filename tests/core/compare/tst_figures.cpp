// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of pairs of tensors, by hand. Tensors at random are held against torch in
// tests/oracle/check_compare.py.
#include "core/base/error.h"
#include "core/compare/figures.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

namespace fx::figures_test {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

at::Tensor numbers(std::initializer_list<double> values) {
    return at::tensor(at::ArrayRef<double>(values), at::kDouble);
}

} // namespace

class FiguresTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Of any length, with many errors that are the same, and more than a piece of them.
    void quantileIsThatOfSortedErrors() {
        at::manual_seed(1);
        for (const int64_t count : {1, 2, 3, 99, 100, 101, 102, 1000, 70000, 200000})
            for (const int64_t kinds : {1, 2, 50, 1 << 20}) {
                const at::Tensor errors = kinds == 50 ? at::rand({count}, at::kDouble)
                                                      : at::randint(kinds, {count}, at::kDouble) / 8;
                const at::Tensor sorted = std::get<0>(errors.sort());
                const double rank = 0.99 * static_cast<double>(count - 1);
                const auto below = static_cast<int64_t>(rank);
                const double expected = std::lerp(sorted[below].item<double>(),
                                                  sorted[std::min(below + 1, count - 1)].item<double>(),
                                                  rank - static_cast<double>(below));
                QCOMPARE(figuresOf(at::zeros_like(errors), errors).quantile99, expected);
                // What is not finite has no error.
                const at::Tensor odd = numbers({kInf, kNan, -kInf});
                QCOMPARE(figuresOf(at::cat({odd, at::zeros_like(errors)}), at::cat({odd.neg(), errors}))
                             .quantile99,
                         expected);
            }
    }

    void readsTensorsWithAStride() {
        const at::Tensor table = at::rand({40, 10}, at::kDouble), column = table.select(1, 3);
        QCOMPARE(figuresOf(column, column.clone()).unequal, 0);
        QCOMPARE(
            figuresOf(at::zeros({1}, at::kDouble).expand({70000}), at::zeros({70000}, at::kDouble)).unequal,
            0);
    }

    void countsErrors() {
        const PairFigures got = figuresOf(numbers({1, -2, 4, 0}), numbers({1, -2.5, 3, 0}));
        QCOMPARE(got.count, 4);
        QCOMPARE(got.unequal, 2);
        QCOMPARE(got.maxAbs, 1.0);
        QCOMPARE(got.meanAbs, 0.375);
        QCOMPARE(got.maxRelative, 0.25);
        QCOMPARE(got.quantile99, 0.985);
        QCOMPARE(got.neededTolerance, 0.2); // 1 / (1 + 4)
        QCOMPARE(got.worst, (std::vector<int64_t>{2}));
        QCOMPARE(got.sqnr, 10 * std::log10(21 / 1.25));
        QCOMPARE(got.cosine, 18 / (std::sqrt(21.0) * std::sqrt(16.25)));
        QCOMPARE(got.sameArgmax, std::optional(1.0));
    }

    void equalTensorsNeedNothing() {
        const PairFigures got = figuresOf(numbers({1, kNan, kInf, -0.0}), numbers({1, kNan, kInf, 0.0}));
        QCOMPARE(got.unequal, 0);
        QCOMPARE(got.neededTolerance, 0.0);
        QCOMPARE(got.sqnr, kInf);
        QCOMPARE(got.cosine, 1.0);
        QVERIFY(got.worst.empty());
    }

    void nanAndInfinityNeedNoLessThanInfinity() {
        const at::Tensor a = numbers({1, 2, 3, 4}).reshape({2, 2});
        const PairFigures got = figuresOf(a, numbers({1.5, 2, kNan, -kInf}).reshape({2, 2}));
        QCOMPARE(got.nonFinite, 2);
        QCOMPARE(got.unequal, 3);
        QCOMPARE(got.neededTolerance, kInf);
        QCOMPARE(got.worst, (std::vector<int64_t>{1, 0}));
        QCOMPARE(got.maxAbs, 0.5); // of those that are finite in both
        QVERIFY(isWorse(got, figuresOf(a, a + 1e30)));
        QCOMPARE(figuresOf(numbers({kInf}), numbers({-kInf})).nonFinite, 1);
    }

    void zerosHaveFiguresToo() {
        QCOMPARE(figuresOf(numbers({0, 0}), numbers({0, 0})).cosine, 1.0);
        const PairFigures got = figuresOf(numbers({0, 0}), numbers({0, 1}));
        QCOMPARE(got.cosine, 0.0);
        QCOMPARE(got.sqnr, -kInf);
        QCOMPARE(got.maxRelative, kInf);
        QCOMPARE(got.neededTolerance, 1.0);
    }

    void emptyTensorsAndScalars() {
        const PairFigures none = figuresOf(at::zeros({0, 3}), at::zeros({0, 3}));
        QCOMPARE(none.count, 0);
        QCOMPARE(none.neededTolerance, 0.0);
        QCOMPARE(none.sameArgmax, std::nullopt);
        const PairFigures one = figuresOf(at::scalar_tensor(2.0), at::scalar_tensor(3.0));
        QCOMPARE(one.maxAbs, 1.0);
        QCOMPARE(one.quantile99, 1.0);
        QVERIFY(one.worst.empty());
    }

    void otherDtypes_data() {
        QTest::addColumn<int>("dtype");
        for (const c10::ScalarType dtype :
             {c10::kBool, c10::kByte, c10::kChar, c10::kShort, c10::kInt, c10::kLong, c10::kUInt16,
              c10::kUInt32, c10::kUInt64, c10::kHalf, c10::kBFloat16, c10::kFloat, c10::kDouble,
              c10::kComplexFloat, c10::kComplexDouble, c10::kFloat8_e4m3fn, c10::kFloat8_e5m2})
            QTest::newRow(c10::toString(dtype)) << static_cast<int>(dtype);
    }
    void otherDtypes() {
        QFETCH(int, dtype);
        const auto type = static_cast<c10::ScalarType>(dtype);
        const at::Tensor a = numbers({0, 1, 1}).to(type), b = numbers({0, 0, 1}).to(type);
        QCOMPARE(figuresOf(a, a).neededTolerance, 0.0);
        const PairFigures got = figuresOf(a, b);
        QCOMPARE(got.unequal, 1);
        QCOMPARE(got.neededTolerance, 0.5);
        QCOMPARE(got.worst, (std::vector<int64_t>{1}));
    }

    void complexNumbersByTheirAbsoluteValues() {
        const at::Tensor a = at::complex(numbers({3, 0}), numbers({4, 1}));
        const at::Tensor b = at::complex(numbers({0, 0}), numbers({0, 1}));
        const PairFigures got = figuresOf(a, b);
        QCOMPARE(got.maxAbs, 5.0);
        QCOMPARE(got.neededTolerance, 5.0 / 6);
        QCOMPARE(figuresOf(a, a.conj()).unequal, 2);
        QCOMPARE(figuresOf(a.conj().conj(), a).unequal, 0);
    }

    void layoutsAndQuantizedOnesByWhatTheyStandFor() {
        const at::Tensor a = at::arange(6, at::kFloat).reshape({2, 3});
        QCOMPARE(figuresOf(a, a.to_sparse()).unequal, 0);
        QCOMPARE(figuresOf(a.t(), a.t().contiguous()).unequal, 0);
        QCOMPARE(figuresOf(a, at::quantize_per_tensor(a, 1.0, 0, at::kQInt8)).unequal, 0);
        QCOMPARE(figuresOf(a, at::quantize_per_tensor(a, 2.0, 0, at::kQInt8)).maxAbs, 1.0);
    }

    void largeWholeNumbersAreNotRounded() {
        const at::Tensor a = at::full({2}, int64_t(1) << 53, at::kLong);
        const PairFigures got = figuresOf(a, a + 1);
        QCOMPARE(got.unequal, 2);
        QVERIFY(got.neededTolerance > 0);
    }

    void refusesWhatCannotBeCompared() {
        QVERIFY_THROWS_EXCEPTION(Error, figuresOf(at::zeros({2}), at::zeros({2, 1})));
        QVERIFY_THROWS_EXCEPTION(Error, figuresOf(at::zeros({2}), at::empty({2}, at::device(c10::kMeta))));
    }
};

FX_TEST(FiguresTest)
} // namespace fx::figures_test

#include "tst_figures.moc"
