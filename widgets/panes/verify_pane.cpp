// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/verify_pane.h"

#include "widgets/models/list_rows.h"
#include "widgets/panes/list_view.h"
#include "widgets/session/selection.h"
#include "widgets/session/verify_service.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"
#include "widgets/support/text_label.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace fx::ui {

namespace {

constexpr int kIconSize = 16;

QString factsOf(const VerifyAnswer& card) {
    const QString dot = QString(" %1 ").arg(QChar(0xB7));
    QString out = qt(card.nodes) + dot + "inputs: " + qt(card.inputs);
    if (!card.before.empty())
        out += "\nbefore " + qt(card.before) + dot + "after " + qt(card.after);
    return out;
}

} // namespace

VerifyPane::VerifyPane(VerifyService& verify, Selection& selection, const Theme& theme)
    : m_verify(verify), m_selection(selection), m_theme(theme), m_sign(new QLabel),
      m_headline(textLabel("verdict")), m_detail(textLabel("verifyDetail")), m_facts(textLabel("dim")),
      m_keep(new QPushButton("Keep")), m_undo(new QPushButton("Undo")), m_bisect(new QPushButton("Bisect")),
      m_compare(new QPushButton("Side by side")), m_card(new QWidget), m_rows(new VerifyRows(this)),
      m_view(makeListView(*m_rows, "Results and nodes that differ",
                          "Nothing was verified since the last edit. Debug > Verify the last change runs the "
                          "model as it was before it and as it is now, and tells what differs.")) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    m_keep->setToolTip("Keep the change, and put the card away");
    m_undo->setToolTip("Take the change back");
    m_bisect->setToolTip("Find which of the changes of this step made the results differ");
    m_compare->setToolTip("Show the graph before and after it, with the error of each node");
    QFont bold = m_headline->font();
    bold.setWeight(QFont::DemiBold);
    m_headline->setFont(bold);
    auto* first = new QHBoxLayout;
    first->setSpacing(8);
    first->addWidget(m_sign);
    first->addWidget(m_headline, 1);
    first->addWidget(m_compare);
    first->addWidget(m_bisect);
    first->addWidget(m_keep);
    first->addWidget(m_undo);
    auto* card = new QVBoxLayout(m_card);
    card->setContentsMargins(6, 4, 6, 4);
    card->setSpacing(4);
    card->addLayout(first);
    card->addWidget(m_detail);
    card->addWidget(m_facts);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 4);
    column->setSpacing(4);
    column->addWidget(m_card);
    column->addWidget(m_view, 1);
    column->addStretch();
    setFocusProxy(m_view);
    m_view->header()->resizeSection(0, 30);
    m_view->header()->resizeSection(1, 420);
    connect(m_view, &QTreeView::clicked, this, &VerifyPane::follow);
    connect(m_view, &QTreeView::activated, this, &VerifyPane::follow);
    connect(m_keep, &QPushButton::clicked, &verify, &VerifyService::keep);
    connect(m_undo, &QPushButton::clicked, &verify, &VerifyService::undo);
    connect(m_compare, &QPushButton::clicked, this, &VerifyPane::compareWanted);
    connect(m_bisect, &QPushButton::clicked, &verify, &VerifyService::bisectLast);
    connect(&verify, &VerifyService::changed, this, &VerifyPane::refresh);
    connect(&verify, &VerifyService::bisected, this, &VerifyPane::takeFound);
    connect(&verify, &VerifyService::started, this, &VerifyPane::refresh);
    connect(&theme, &Theme::changed, this, &VerifyPane::refresh);
    refresh();
}

void VerifyPane::follow(const QModelIndex& index) {
    if (index.isValid() && m_rows->row(index.row()).node)
        m_selection.select({ModuleId{0}, m_rows->row(index.row()).node});
}

void VerifyPane::takeFound() {
    refresh();
    if (const std::vector<NodeId>& nodes = m_verify.found()->nodes; !nodes.empty()) {
        m_selection.showGraph(ModuleId{0});
        m_selection.reveal(nodes.front());
        m_selection.selectNodes(nodes);
    }
}

void VerifyPane::refresh() {
    const Tokens& tokens = m_theme.tokens();
    const std::optional<VerifyAnswer>& card = m_verify.card();
    const bool isWell = card && card->state <= VerifyAnswer::State::Within;
    const QIcon good = icon("check", tokens.healthy, tokens.faint),
                bad = icon("warning", tokens.fault, tokens.faint);
    const std::optional<VerifyService::Found>& found = m_verify.found();
    m_card->setVisible(!m_verify.title().isEmpty() || found);
    m_bisect->setVisible(card && !isWell);
    m_compare->setVisible(card.has_value());
    m_keep->setVisible(card.has_value());
    m_undo->setVisible(card.has_value() || !m_verify.fault().isEmpty());
    m_sign->setPixmap(m_verify.isWorking() && !card ? QPixmap() : (isWell ? good : bad).pixmap(kIconSize));
    const QString what = card                          ? qt(card->headline)
                         : !m_verify.fault().isEmpty() ? QString("Not verified")
                                                       : QString("Verifying") + QChar(0x2026);
    m_headline->setText(m_verify.title().isEmpty() ? "Looked for the change"
                                                   : m_verify.title() + ": " + what);
    m_detail->setText(found ? found->text : card ? qt(card->detail) : m_verify.fault());
    m_detail->setVisible(!m_detail->text().isEmpty());
    m_facts->setText(card ? factsOf(*card) : QString());
    m_facts->setVisible(card.has_value());
    m_rows->setIcons(good, bad);
    m_rows->setRows(card ? card->rows : std::vector<VerifyRow>());
    m_view->setVisible(m_card->isHidden() ||
                       m_rows->rowCount() > 0); // empty, it says that nothing was verified
    Q_EMIT verdictChanged(!card ? QString() : isWell ? QString("equal") : QString("differs"));
}

} // namespace fx::ui
