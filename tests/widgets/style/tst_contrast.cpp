// SPDX-License-Identifier: GPL-3.0-or-later
// What is written can be read: the contrast of the colours on what they are written on, after WCAG 2.
#include "core/module/node_marks.h"
#include "tests/support/test_program.h"
#include "widgets/style/tokens.h"

#include <cmath>

namespace fx::ui::contrast_test {

namespace {

/// From 1 to 21 (WCAG 2, relative luminance).
double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& color) {
        const auto linear = [](double c) {
            return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
               0.0722 * linear(color.blueF());
    };
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

} // namespace

class TestContrast : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formula() {
        QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrast(Qt::white, Qt::white), 1.0);
        QVERIFY(std::abs(contrast(QColor(0x767676), Qt::white) - 4.54) < 0.01);
        QCOMPARE(contrast(Qt::red, Qt::blue), contrast(Qt::blue, Qt::red));
    }

    void themesAreLightAndDark() {
        QVERIFY(!lightTokens().isDark && lightTokens().text.lightness() < lightTokens().panel.lightness());
        QVERIFY(darkTokens().isDark && darkTokens().text.lightness() > darkTokens().panel.lightness());
    }

    void textCanBeRead_data() {
        QTest::addColumn<QColor>("ink");
        QTest::addColumn<QColor>("paper");
        QTest::addColumn<double>("least");
        for (const Tokens* t : {&lightTokens(), &darkTokens()}) {
            const char* theme = t->isDark ? "dark" : "light";
            const std::pair<const char*, QColor> papers[] = {
                {"window", t->window},           {"panel", t->panel},
                {"canvas", t->canvas},           {"selectionBack", t->selectionBack},
                {"currentBack", t->currentBack}, {"matchBack", t->matchBack}};
            const std::pair<const char*, QColor> hottest[] = {
                {"heat", t->heat}, {"memory", t->memory}, {"overhead", t->overhead}};
            const auto row = [&](const char* ink, const QColor& color, const char* on, const QColor& paper,
                                 double least) {
                QTest::addRow("%s: %s on %s", theme, ink, on) << color << paper << least;
            };
            for (const auto& [on, hue] : hottest)
                row("text", t->text, on, blended(t->panel, hue, 0.7), 4.5);
            for (const auto& [on, paper] : papers) {
                row("text", t->text, on, paper, 4.5);
                row("dim", t->dim, on, paper, 4.5);
            }
            for (const auto& [on, paper] : {papers[0], papers[1], papers[2]})
                row("faint", t->faint, on, paper, 3);
            row("primaryText", t->primaryText, "selection", t->selection, 4.5);
            row("fault", t->fault, "panel", t->panel, 4.5);
            row("fault", t->fault, "faultBack", t->faultBack, 4.5);
            row("selection", t->selection, "panel", t->panel, 4.5);
            row("selection", t->selection, "selectionBack", t->selectionBack, 4.5);
            for (const auto& [name, color] :
                 {std::pair("keyword", t->keyword), std::pair("string", t->string),
                  std::pair("number", t->number), std::pair("comment", t->comment)}) {
                row(name, color, "panel", t->panel, 4.5);
                row(name, color, "selectionBack", t->selectionBack, 4.5);
                row(name, color, "currentBack", t->currentBack, 4.5);
            }
        }
    }

    void textCanBeRead() {
        QFETCH(QColor, ink);
        QFETCH(QColor, paper);
        QFETCH(double, least);
        const double is = contrast(ink, paper);
        QVERIFY2(is >= least, qPrintable(QString("%1 on %2 has %3").arg(ink.name(), paper.name()).arg(is)));
    }

    void marksAreSeenAndDiffer() {
        for (const Tokens* t : {&lightTokens(), &darkTokens()})
            for (const std::string_view a : kMarkColours) {
                QVERIFY(contrast(t->mark(a), t->panel) >= 3);
                for (const std::string_view b : kMarkColours)
                    QVERIFY(a == b || t->mark(a) != t->mark(b));
            }
    }

    void groupsAreSeenAndDiffer() {
        for (const Tokens* t : {&lightTokens(), &darkTokens()})
            for (size_t a = 0; a < 8; ++a) {
                QVERIFY(contrast(t->series(a), t->panel) >= 3);
                for (size_t b = 0; b < 8; ++b)
                    QVERIFY(a == b || t->series(a) != t->series(b));
                QCOMPARE(t->series(a + 8), t->series(a));
            }
    }

    void kindsDiffer() {
        const Opcode all[] = {Opcode::Placeholder,  Opcode::GetAttr,    Opcode::CallModule,
                              Opcode::CallFunction, Opcode::CallMethod, Opcode::Output};
        for (const Tokens* t : {&lightTokens(), &darkTokens()})
            for (const Opcode a : all) {
                QVERIFY(contrast(t->kind(a), t->canvas) >= 1.8);
                for (const Opcode b : all)
                    QVERIFY(a == b || t->kind(a) != t->kind(b));
            }
    }
};

FX_TEST(TestContrast)
} // namespace fx::ui::contrast_test
#include "tst_contrast.moc"
