// SPDX-License-Identifier: GPL-3.0-or-later
// Values as CBOR: another reader of CBOR understands them, they come back as they were, and nothing else
// does.
#include "core/io/json.h"
#include "core/process/wire.h"
#include "tests/support/test_program.h"

#include <cmath>
#include <limits>
#include <random>

namespace fx::wire_test {

enum class Colour : uint8_t { Red, Green };

struct Part {
    std::string name;
    std::optional<double> weight;
    bool operator==(const Part&) const = default;
};
auto fields(Part& x) {
    return std::tie(x.name, x.weight);
}

struct Whole {
    Colour colour = Colour::Red;
    bool isThere = false;
    std::vector<int64_t> numbers;
    std::map<std::string, Part> parts;
    std::variant<std::monostate, double, std::string> choice;
    uint64_t large = 0;
    NodeId node;
    bool operator==(const Whole&) const = default;
};
auto fields(Whole& x) {
    return std::tie(x.colour, x.isThere, x.numbers, x.parts, x.choice, x.large, x.node);
}

} // namespace fx::wire_test

template <>
inline constexpr fx::wire_test::Colour fx::kLast<fx::wire_test::Colour> = fx::wire_test::Colour::Green;

namespace fx::wire_test {

namespace {

Whole whole() {
    Whole out;
    out.colour = Colour::Green;
    out.isThere = true;
    for (int shift = 0; shift < 64; ++shift)
        for (const int64_t near : {-1, 0, 1})
            out.numbers.push_back(static_cast<int64_t>((uint64_t(1) << shift) + static_cast<uint64_t>(near)));
    out.numbers.push_back(std::numeric_limits<int64_t>::min());
    out.parts = {{"one", {"first", 0.5}}, {"two", {"", std::nullopt}}};
    out.choice = std::string(300, 'x');
    out.large = std::numeric_limits<uint64_t>::max();
    out.node = NodeId{7};
    return out;
}

} // namespace

class TestWire : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesComeBack() {
        QVERIFY(fromWire<Whole>(toWire(whole())) == whole());
        QVERIFY(fromWire<Whole>(toWire(Whole())) == Whole());
        for (const double number : {0.0, -0.0, 1e300, 5e-324, std::numeric_limits<double>::infinity()})
            QCOMPARE(fromWire<double>(toWire(number)), number);
        QVERIFY(std::isnan(fromWire<double>(toWire(std::nan("")))));
    }

    void anotherReaderUnderstandsThem() {
        const Whole value = whole();
        const std::string bytes = toWire(value);
        const JsonDocument json = JsonDocument::ofCbor(bytes, "values");
        const Json& root = json.root();
        QCOMPARE(root.size(), size_t(7));
        QCOMPARE(root[0].get<int>(), 1);
        QCOMPARE(root[1].get<bool>(), true);
        QCOMPARE(root[2].get<std::vector<int64_t>>(), value.numbers);
        QCOMPARE(root[3]["one"], Json::array({"first", 0.5}));
        QCOMPARE(root[3]["two"], Json::array({"", nullptr}));
        QCOMPARE(root[4], Json::array({2, std::string(300, 'x')}));
        QCOMPARE(root[5].get<uint64_t>(), value.large);
        QCOMPARE(root[6].get<int>(), 7);
    }

    void whatIsWrongIsRefused() {
        const std::string bytes = toWire(whole());
        for (size_t size = 0; size < bytes.size(); ++size)
            QVERIFY_THROWS_EXCEPTION(Error, fromWire<Whole>(std::string_view(bytes).substr(0, size)));
        QVERIFY_THROWS_EXCEPTION(Error, fromWire<Whole>(bytes + '\0'));
        QVERIFY_THROWS_EXCEPTION(Error, fromWire<Colour>(toWire(2)));
        QVERIFY_THROWS_EXCEPTION(Error, fromWire<Colour>(toWire(-1)));
        QVERIFY_THROWS_EXCEPTION(Error, fromWire<bool>(toWire(1)));
        QVERIFY_THROWS_EXCEPTION(Error, fromWire<int8_t>(toWire(128)));
        QVERIFY_THROWS_EXCEPTION(Error, fromWire<uint64_t>(toWire(-1)));
        QVERIFY_THROWS_EXCEPTION(Error, fromWire<int64_t>(toWire(uint64_t(1) << 63)));
        QVERIFY_THROWS_EXCEPTION(Error, fromWire<std::string>(toWire(1)));
        QVERIFY_THROWS_EXCEPTION(Error, fromWire<double>(toWire(1)));
        QVERIFY_THROWS_EXCEPTION(Error, (fromWire<std::tuple<int, int>>(toWire(std::tuple(1)))));
        QVERIFY_THROWS_EXCEPTION(Error, (fromWire<std::variant<int, bool>>(toWire(std::tuple(2, 1)))));
        // A list that says it is longer than all there is.
        QVERIFY_THROWS_EXCEPTION(Error, fromWire<std::vector<int>>("\x9b\x7f\xff\xff\xff\xff\xff\xff\xff"));
        QVERIFY_THROWS_EXCEPTION(Error, fromWire<std::string>("\x7b\xff\xff\xff\xff\xff\xff\xff\xff"));
    }

    void bytesAtRandomDoNoHarm() {
        std::mt19937 random(1);
        const std::string bytes = toWire(whole());
        size_t refused = 0;
        for (int i = 0; i < 20'000; ++i) {
            std::string changed = bytes;
            for (int k = 0; k < 3; ++k)
                changed[random() % changed.size()] = static_cast<char>(random());
            try {
                fromWire<Whole>(changed);
            } catch (const Error&) {
                ++refused;
            }
        }
        QVERIFY(refused > 0);
    }
};

FX_TEST(TestWire)
} // namespace fx::wire_test
#include "tst_wire.moc"
