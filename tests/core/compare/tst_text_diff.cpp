// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that came and went. That both texts can be read back from the lines is tried on texts at random.
#include "core/compare/text_diff.h"
#include "tests/support/test_program.h"

#include <random>

namespace fx::text_diff_test {

namespace {

std::vector<std::string> letters(const char* text) {
    std::vector<std::string> out;
    for (; *text; ++text)
        out.emplace_back(1, *text);
    return out;
}

QString marks(const char* a, const char* b) {
    QString out;
    for (const DiffLine& line : diffLines(letters(a), letters(b)))
        out += (line.kind == ' ' ? QString() : QString(line.kind)) + QString::fromStdString(line.text);
    return out;
}

} // namespace

class TextDiffTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesThatCameAndWent() {
        QCOMPARE(marks("", ""), "");
        QCOMPARE(marks("abc", "abc"), "abc");
        QCOMPARE(marks("abc", "axc"), "a-b+xc");
        QCOMPARE(marks("", "ab"), "+a+b");
        QCOMPARE(marks("ab", ""), "-a-b");
        QCOMPARE(marks("abcdef", "abxdef"), "ab-c+xdef");
        QCOMPARE(marks("aabaa", "aabbaa"), "aab+baa");
    }

    void textsAtRandomCanBeReadBack() {
        std::mt19937 random(1);
        for (int round = 0; round < 2000; ++round) {
            std::vector<std::string> texts[2];
            for (auto& text : texts)
                for (unsigned i = random() % 12; i > 0; --i)
                    text.emplace_back(1, static_cast<char>('a' + random() % 6));
            std::vector<std::string> a, b;
            for (const DiffLine& line : diffLines(texts[0], texts[1])) {
                if (line.kind != '+') {
                    QCOMPARE(line.a, a.size());
                    a.push_back(line.text);
                }
                if (line.kind != '-') {
                    QCOMPARE(line.b, b.size());
                    b.push_back(line.text);
                }
            }
            QCOMPARE(a, texts[0]);
            QCOMPARE(b, texts[1]);
        }
    }

    void asDiffUWritesIt() {
        const auto lines = diffLines(letters("abcdefghij"), letters("abcdXfghijk"));
        QCOMPARE(QString::fromStdString(unifiedText(lines, 1)),
                 "@@ -4,3 +4,3 @@\n d\n-e\n+X\n f\n@@ -10 +10,2 @@\n j\n+k\n");
        QCOMPARE(QString::fromStdString(sideBySideText(lines, 3, 1)),
                 "...\nd     d\ne   | X\nf     f\n...\nj     j\n    > k\n");
        QCOMPARE(unifiedText(diffLines(letters("ab"), letters("ab"))), std::string());
    }
};

FX_TEST(TextDiffTest)
} // namespace fx::text_diff_test

#include "tst_text_diff.moc"
