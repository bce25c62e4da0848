// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors as pictures and in numbers: which cell is which element, what is left out of large ones, and what
// tensors that are no plain floats look like.
#include "core/base/error.h"
#include "core/python/value.h"
#include "core/torch/values/real_numbers.h"
#include "core/torch/values/statistics.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::tensor_picture_test {

using enum AxisUse;

namespace {

using Element = std::vector<int64_t>;

/// Each element is its own number.
at::Tensor numbered(std::vector<int64_t> sizes) {
    int64_t count = 1;
    for (const int64_t size : sizes)
        count *= size;
    return at::arange(count, at::kDouble).reshape(sizes);
}

/// Every cell shows the element that it says, and the element says the same cell.
void checkCells(const at::Tensor& tensor, const TensorPicture& picture) {
    for (int64_t row = 0; row < picture.rows; ++row)
        for (int64_t column = 0; column < picture.columns; ++column) {
            const auto element = elementAt(picture, row, column);
            if (!element) {
                QVERIFY(std::isnan(picture.cell(row, column)));
                continue;
            }
            at::Tensor at = tensor;
            for (const int64_t index : *element)
                at = at[index];
            QCOMPARE(picture.cell(row, column), at.item<double>());
            QVERIFY(cellOf(picture, *element) == std::pair(row, column));
        }
}

} // namespace

class TestTensorPicture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void healthIsFoundInTensorsOfEachKind_data() {
        QTest::addColumn<at::Tensor>("tensor");
        const at::Tensor small = at::arange(12, at::kFloat).reshape({3, 4}) - 7;
        const at::Tensor large = at::arange(120'000, at::kFloat).reshape({300, 400}) / 100 - 1000;
        QTest::newRow("small") << small;
        QTest::newRow("large") << large;
        QTest::newRow("transposed") << large.t();
        QTest::newRow("every other") << large.slice(1, 0, 400, 2);
        QTest::newRow("expanded") << small.unsqueeze(0).expand({1000, 3, 4});
        QTest::newRow("a number") << at::scalar_tensor(-3.5, at::kDouble);
        for (const at::ScalarType type :
             {at::kHalf, at::kBFloat16, at::kDouble, at::kFloat8_e5m2, at::kComplexFloat})
            QTest::newRow(c10::toString(type)) << small.to(type);
    }
    void healthIsFoundInTensorsOfEachKind() {
        QFETCH(at::Tensor, tensor);
        const auto healthWith = [&](double first) {
            at::Tensor other = tensor.clone(at::MemoryFormat::Preserve);
            if (tensor.dim() == 3) // expanded, and to stay it
                other = tensor[0].clone().unsqueeze(0).expand(tensor.sizes());
            at::Tensor at = other;
            while (at.dim() > 0)
                at = at[0];
            at.fill_(first);
            return healthOf(Value(c10::IValue(other)));
        };
        const double most = tensor.to(at::kComplexDouble).abs().max().item<double>();
        const Health well = healthOf(Value(c10::IValue(tensor)));
        QCOMPARE(well.largest, std::optional(most));
        QVERIFY(well.isFinite() && !well.isZero() && !well.isLarge());
        const Health nan = healthWith(NAN), inf = healthWith(-INFINITY);
        QVERIFY(nan.hasNan && !nan.hasInf && !nan.largest);
        QVERIFY(inf.hasInf && !inf.hasNan && !inf.isZero());
        QVERIFY(healthOf(Value(c10::IValue(at::zeros_like(tensor)))).isZero());
        QVERIFY(healthWith(20000).isLarge());
    }

    void whatCannotBeUnhealthyHasNoSize() {
        for (const at::Tensor& tensor : {at::arange(4), at::empty({0, 3}), at::empty({2}, at::kMeta)})
            QCOMPARE(healthOf(Value(c10::IValue(tensor))).largest, std::nullopt);
        Health both = healthOf(Value(c10::IValue(at::zeros({2}))));
        both.add(healthOf(Value(c10::IValue(at::ones({2}) * -3))));
        QCOMPARE(both.largest, std::optional(3.0));
    }

    void aThumbnailIsSmallAndTheSameTensor_data() {
        QTest::addColumn<std::vector<int64_t>>("sizes");
        QTest::newRow("a matrix") << Element{300, 700};
        QTest::newRow("images") << Element{2, 64, 56, 56};
        QTest::newRow("kernels") << Element{16, 16, 3, 3};
        QTest::newRow("a number") << Element{};
    }
    void aThumbnailIsSmallAndTheSameTensor() {
        QFETCH(std::vector<int64_t>, sizes);
        const at::Tensor tensor = numbered(sizes);
        const TensorPicture picture = pictureOf(tensor, {}, kThumbnailCells);
        // A grid may take a little more, as each tile has some cells.
        QVERIFY(picture.rows > 0 && picture.rows <= 2 * kThumbnailCells);
        QVERIFY(picture.columns > 0 && picture.columns <= 2 * kThumbnailCells);
        checkCells(tensor, picture);
    }

    void cellsAreTheElementsThatTheySay_data() {
        QTest::addColumn<Element>("sizes");
        QTest::addColumn<std::vector<AxisUse>>("axes");
        QTest::addColumn<Element>("places");
        QTest::addRow("scalar") << Element{} << std::vector<AxisUse>{} << Element{};
        QTest::addRow("a row") << Element{7} << std::vector<AxisUse>{} << Element{};
        QTest::addRow("a column") << Element{7} << std::vector{Rows} << Element{};
        QTest::addRow("a table") << Element{3, 5} << std::vector<AxisUse>{} << Element{};
        QTest::addRow("turned") << Element{3, 5} << std::vector{Columns, Rows} << Element{};
        QTest::addRow("a place of a third")
            << Element{4, 3, 5} << std::vector{At, Rows, Columns} << Element{2};
        QTest::addRow("a grid that is not full")
            << Element{7, 3, 5} << std::vector{Grid, Rows, Columns} << Element{};
        QTest::addRow("facets both ways")
            << Element{2, 3, 4, 5} << std::vector{Rows, Columns, Rows, Columns} << Element{};
        QTest::addRow("a grid of facets")
            << Element{5, 2, 3, 2, 2} << std::vector{Grid, Rows, Rows, Columns, At} << Element{0, 0, 0, 0, 1};
        QTest::addRow("kernels") << Element{6, 4, 3, 3} << std::vector<AxisUse>{} << Element{};
        QTest::addRow("axes of another rank") << Element{3, 5} << std::vector{Rows} << Element{};
        QTest::addRow("a place that is not there")
            << Element{4, 3} << std::vector{At, Columns} << Element{99};
    }
    void cellsAreTheElementsThatTheySay() {
        QFETCH(Element, sizes);
        QFETCH(std::vector<AxisUse>, axes);
        QFETCH(Element, places);
        const at::Tensor tensor = numbered(sizes);
        const TensorPicture picture = pictureOf(tensor, {axes, places});
        QVERIFY(!picture.isSampled);
        QVERIFY(picture.rows > 0 && picture.columns > 0);
        checkCells(tensor, picture);
    }

    void aTransposedTensorIsReadByItsStrides() {
        const at::Tensor tensor = numbered({4, 6}).t();
        checkCells(tensor, pictureOf(tensor, {}));
    }

    void coloursAreThreePlanes() {
        const at::Tensor tensor = numbered({3, 2, 4});
        const TensorPicture picture = pictureOf(tensor, {{Colour, Rows, Columns}, {}});
        QCOMPARE(picture.planes, 3);
        QCOMPARE(picture.cell(1, 2, 0), 6.0);
        QCOMPARE(picture.cell(1, 2, 2), 22.0);
        QVERIFY_THROWS_EXCEPTION(Error, pictureOf(numbered({2, 4}), {{Colour, Columns}, {}}));
        QVERIFY_THROWS_EXCEPTION(Error, pictureOf(numbered({2, 4}), {{Grid, Grid}, {}}));
    }

    void nothingOfAnEmptyTensor() {
        const TensorPicture picture = pictureOf(at::empty({0, 4}), {});
        QVERIFY(picture.cells.empty());
        QVERIFY(!cellOf(picture, {0, 0}));
        QVERIFY(!elementAt(picture, 0, 0));
        QCOMPARE(statisticsOf(at::empty({0, 4})).elementCount, uint64_t(0));
    }

    void aLargePictureIsASampleEvenlySpread() {
        const at::Tensor tensor = numbered({3, 1500, 2000});
        const TensorPicture picture = pictureOf(tensor, {});
        QVERIFY(picture.isSampled);
        QVERIFY(picture.rows <= 512 && picture.columns <= 512);
        checkCells(tensor, picture);
        const TensorPicture tiles = pictureOf(numbered({3000, 7, 9}), {});
        QVERIFY(tiles.rows <= 600 && tiles.columns <= 600);
    }

    /// 64 GiB if it were copied.
    void aHugeTensorIsNotCopied() {
        const at::Tensor tensor = at::full({1}, 3.0).expand({1 << 17, 1 << 17});
        const TensorPicture picture = pictureOf(tensor, {});
        QCOMPARE(*picture.minimum, 3.0);
        const TensorStatistics all = statisticsOf(tensor);
        QCOMPARE(all.elementCount, uint64_t(1) << 34);
        QVERIFY(!all.isSampled()); // each element that lies in memory was read
        QCOMPARE(*all.mean, 3.0);
        QVERIFY(sampleOf(tensor).isCapped);
        QCOMPARE(sampleOf(tensor).rows.size(), size_t(200));
    }

    void aLargeTensorIsSampledAndSaysSo() {
        const at::Tensor tensor = at::zeros({4000, 5000}, at::kByte);
        const TensorStatistics s = statisticsOf(tensor);
        QVERIFY(s.isSampled());
        QVERIFY(s.readCount <= uint64_t(kMostElements));
        QCOMPARE(s.zeroCount, s.readCount);
        QVERIFY(!statisticsOf(tensor.slice(0, 0, 2000)).isSampled());
    }

    void figuresAreThoseOfTheWholeTensor() {
        at::manual_seed(3);
        // Several pieces, not in a row in memory, with what is not finite among them.
        at::Tensor tensor = at::randn({700, 500}, at::kDouble).mul_(1e3).t();
        tensor[17][300] = INFINITY;
        tensor[3][4] = NAN;
        tensor[9][9] = 0;
        const at::Tensor finite = tensor.masked_select(tensor.isfinite());
        const TensorStatistics s = statisticsOf(tensor);
        QCOMPARE(s.nanCount + s.infCount + s.zeroCount, uint64_t(3));
        QCOMPARE(*s.minimum, finite.min().item<double>());
        QCOMPARE(*s.maximum, finite.max().item<double>());
        const auto isNear = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); };
        QVERIFY(isNear(*s.mean, finite.mean().item<double>()));
        QVERIFY(isNear(*s.deviation, finite.std(false).item<double>()));
        const at::Tensor counts = at::histc(finite, 48, *s.minimum, *s.maximum);
        QCOMPARE(s.histogram.size(), size_t(48));
        for (int bin = 0; bin < 48; ++bin)
            QCOMPARE(static_cast<double>(s.histogram[static_cast<size_t>(bin)]), counts[bin].item<double>());
        for (const auto& [low, high] : {std::pair(-1.7e308, 1.7e308), std::pair(0.0, 5e-324)}) {
            const TensorStatistics two = statisticsOf(at::tensor({low, high}));
            QCOMPARE(two.histogram.front(), 1u);
            QCOMPARE(two.histogram.back(), 1u);
        }
    }

    /// Between two pieces of a large tensor.
    void figuresAreGivenUp() {
        const at::Tensor tensor = at::zeros({1 << 20});
        int asked = 0;
        QVERIFY_THROWS_EXCEPTION(Cancelled, statisticsOf(tensor, [&] { return ++asked == 3; }));
        QCOMPARE(asked, 3);
    }

    void placesOfTheExtremes() {
        at::Tensor tensor = at::zeros({3, 4, 5});
        tensor[1][2][3] = 7;
        tensor[2][0][1] = -7;
        tensor[0][3][4] = NAN;
        tensor[2][3][4] = NAN;
        tensor[0][0][0] = INFINITY;
        const TensorStatistics s = statisticsOf(tensor.permute({2, 0, 1}));
        QCOMPARE(s.maximumAt, (Element{3, 1, 2}));
        QCOMPARE(s.minimumAt, (Element{1, 2, 0}));
        QCOMPARE(s.nanAt, (Element{4, 0, 3}));
        QCOMPARE(s.nanCount, uint64_t(2));
        QCOMPARE(s.infCount, uint64_t(1));
        QVERIFY(statisticsOf(at::full({2}, NAN)).histogram.empty());
    }

    void partsOfComplexNumbers() {
        const at::Tensor tensor = at::complex(at::full({1}, 3.0), at::full({1}, -4.0));
        QCOMPARE(pictureOf(tensor, {}).cell(0, 0), 5.0);
        QCOMPARE(pictureOf(tensor, {{}, {}, ComplexPart::Real}).cell(0, 0), 3.0);
        QCOMPARE(pictureOf(tensor, {{}, {}, ComplexPart::Imaginary}).cell(0, 0), -4.0);
        QCOMPARE(pictureOf(tensor.conj(), {{}, {}, ComplexPart::Imaginary}).cell(0, 0), 4.0);
        QCOMPARE(sampleOf(tensor).rows[0][0], std::string("(3-4j)"));
    }

    void wholeNumbersAndBoolsAreWhatTheyAre() {
        QVERIFY(pictureOf(at::ones({2}, at::kLong), {}).isWhole);
        QVERIFY(pictureOf(at::ones({2}, at::kBool), {}).isWhole);
        QVERIFY(!pictureOf(at::ones({2}), {}).isWhole);
        QCOMPARE(sampleOf(at::ones({1}, at::kBool)).rows[0][0], std::string("True"));
        QCOMPARE(*pictureOf(at::tensor({int64_t(-5), int64_t(9)}), {}).minimum, -5.0);
        QCOMPARE(*statisticsOf(at::tensor({1, 2}).to(at::kHalf)).mean, 1.5);
        QCOMPARE(*statisticsOf(at::tensor({1, 2}).to(at::kFloat8_e4m3fn)).maximum, 2.0);
    }

    void quantizedTensorsAreWhatTheyStandFor() {
        const at::Tensor numbers = at::tensor({-1.0f, 0.0f, 0.5f, 1.0f}).reshape({2, 2});
        const at::Tensor tensor = at::quantize_per_tensor(numbers, 0.5, 10, at::kQUInt8);
        QCOMPARE(pictureOf(tensor, {}).cell(1, 0), 0.5);
        QCOMPARE(*statisticsOf(tensor).minimum, -1.0);
        QCOMPARE(quantizationText(tensor), std::string("quantized: scale 0.5, zero point 10"));
        const at::Tensor channels = at::quantize_per_channel(numbers, at::full({2}, 0.25, at::kDouble),
                                                             at::zeros({2}, at::kLong), 0, at::kQInt8);
        QCOMPARE(pictureOf(channels, {}).cell(1, 1), 1.0);
        QCOMPARE(quantizationText(channels), std::string("quantized by channel, along axis 0"));
        QVERIFY(quantizationText(numbers).empty());
    }

    void sparseTensorsAreShownDense() {
        const at::Tensor tensor = at::eye(3).to_sparse();
        QCOMPARE(pictureOf(tensor, {}).cell(2, 2), 1.0);
        QCOMPARE(statisticsOf(tensor).zeroCount, uint64_t(6));
    }

    void differenceIsCellByCell() {
        const at::Tensor a = at::tensor({1.0, 2.0, double(INFINITY), double(NAN)}),
                         b = at::tensor({1.0, 4.0, double(INFINITY), 0.0});
        const TensorPicture difference = differenceOf(pictureOf(a, {}), pictureOf(b, {}));
        QCOMPARE(difference.cell(0, 0), 0.0);
        QCOMPARE(difference.cell(0, 1), -2.0);
        QCOMPARE(difference.cell(0, 2), 0.0); // both are infinite
        QVERIFY(std::isnan(difference.cell(0, 3)));
        QVERIFY_THROWS_EXCEPTION(Error, differenceOf(pictureOf(a, {}), pictureOf(at::ones({2}), {})));
    }
};

FX_TEST(TestTensorPicture)
} // namespace fx::tensor_picture_test
#include "tst_tensor_picture.moc"
