// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/finder.h"

#include "widgets/models/rows_model.h"
#include "widgets/panes/list_view.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace fx::ui {

namespace {

constexpr size_t kMostShown = 200;

/// Lower is better; negative: no match. Every word must be found somewhere.
int rank(const FinderItem& item, const QStringList& words) {
    int worst = 0;
    for (const QString& word : words) {
        int here = -1;
        if (item.name.compare(word, Qt::CaseInsensitive) == 0)
            here = 0;
        else if (item.name.startsWith(word, Qt::CaseInsensitive))
            here = 1;
        else if (item.name.contains(word, Qt::CaseInsensitive))
            here = 2;
        else if (item.detail.contains(word, Qt::CaseInsensitive) ||
                 item.other.contains(word, Qt::CaseInsensitive))
            here = 3;
        if (here < 0)
            return -1;
        worst = std::max(worst, here);
    }
    constexpr int kBehindAll = 4;
    return worst > 0 && item.isHidden ? worst + kBehindAll : worst;
}

} // namespace

class FinderRows : public RowsModel<const FinderItem*> {
public:
    explicit FinderRows(QObject* parent) : RowsModel({"Name", "Detail"}, parent) {}

protected:
    QVariant cell(const FinderItem* const& item, int column, int role) const override {
        if (role == Qt::ForegroundRole && column == 1)
            return QApplication::palette().color(QPalette::PlaceholderText);
        if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
            return {};
        if (column == 0)
            return item->name;
        const QString more = item->more ? item->more() : QString();
        return more.isEmpty() ? item->detail : more + "  " + item->detail;
    }
};

Finder::Finder(QWidget* window)
    : QFrame(window), m_line(new QLineEdit), m_count(new QLabel), m_rows(new FinderRows(this)) {
    m_list = makeListView(*m_rows, "Matches", "Nothing matches.");
    setObjectName("finder");
    m_line->setObjectName("finderLine");
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHeaderHidden(true);
    connect(m_rows, &QAbstractItemModel::modelReset, m_list, [this] { m_list->setHeaderHidden(true); });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 10, 10, 10);
    m_count->setObjectName("dim");
    m_count->setAccessibleName("Place among the matches");
    auto* line = new QHBoxLayout;
    line->addWidget(m_line, 1);
    line->addWidget(m_count);
    column->addLayout(line);
    column->addWidget(m_list, 1);
    m_line->installEventFilter(this);
    connect(m_line, &QLineEdit::textChanged, this, &Finder::search);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &Finder::tellCount);
    connect(m_line, &QLineEdit::returnPressed, this, &Finder::choose);
    connect(m_list, &QTreeView::clicked, this, &Finder::choose);
    hide();
}

void Finder::open(const QString& hint, std::vector<FinderItem> items) {
    m_items = std::move(items);
    m_before = QApplication::focusWidget();
    const int width = std::min(620, parentWidget()->width() - 40);
    setGeometry((parentWidget()->width() - width) / 2, 76, width,
                std::min(420, parentWidget()->height() - 120));
    m_line->setPlaceholderText(hint);
    m_line->setAccessibleName(hint);
    {
        const QSignalBlocker quiet(m_line); // what was found before stays until one types
        m_line->clear();
    }
    filter();
    m_list->header()->resizeSection(0, width / 2 - 20);
    show();
    raise();
    m_line->setFocus();
}

QStringList Finder::shownNames() const {
    QStringList out;
    for (const FinderItem* item : m_rows->rows())
        out << item->name;
    return out;
}

void Finder::search() {
    filter();
    if (m_items.empty() || !m_items.front().match)
        return;
    const QStringList words = m_line->text().split(' ', Qt::SkipEmptyParts);
    std::vector<Match> matches;
    if (!words.isEmpty())
        for (const FinderItem* item : m_ranked)
            matches.push_back(*item->match);
    Q_EMIT found(m_line->text().trimmed(), matches);
}

void Finder::tellCount() {
    const int row = m_list->currentIndex().row();
    const bool hasText = !m_line->text().trimmed().isEmpty();
    m_count->setText(hasText && row >= 0 ? QString("%1 of %2").arg(row + 1).arg(m_ranked.size()) : QString());
}

void Finder::filter() {
    const QStringList words = m_line->text().split(' ', Qt::SkipEmptyParts);
    std::vector<std::pair<int, const FinderItem*>> found;
    for (const FinderItem& item : m_items)
        if (const int at = rank(item, words); at >= 0)
            found.emplace_back(at, &item);
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    m_ranked.clear();
    for (const auto& [at, item] : found)
        m_ranked.push_back(item);
    m_rows->setRows(
        {m_ranked.begin(), m_ranked.begin() + static_cast<ptrdiff_t>(std::min(found.size(), kMostShown))});
    m_list->setCurrentIndex(m_rows->index(0, 0));
    tellCount();
}

void Finder::choose() {
    const QModelIndex index = m_list->currentIndex();
    if (!index.isValid())
        return;
    const FinderItem item = *m_rows->row(index.row());
    leave();
    item.run();
    if (item.match)
        Q_EMIT chosen(*item.match);
}

void Finder::leave() {
    if (m_before && m_before->isVisible())
        m_before->setFocus();
    close();
}

void Finder::hideEvent(QHideEvent* event) {
    m_rows->setRows({});
    QFrame::hideEvent(event);
}

bool Finder::eventFilter(QObject* watched, QEvent* event) {
    // Only once the focus has arrived elsewhere: hiding amid its way would send it on again.
    if (event->type() == QEvent::FocusOut && isVisible())
        QTimer::singleShot(0, this, [this] {
            if (isVisible() && !m_line->hasFocus())
                close();
        });
    if (event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) {
        leave();
        return true;
    }
    const int step = key == Qt::Key_Up         ? -1
                     : key == Qt::Key_Down     ? 1
                     : key == Qt::Key_PageUp   ? -10
                     : key == Qt::Key_PageDown ? 10
                                               : 0;
    if (step == 0 || m_rows->rowCount() == 0)
        return QFrame::eventFilter(watched, event);
    const int row = std::clamp(m_list->currentIndex().row() + step, 0, m_rows->rowCount() - 1);
    m_list->setCurrentIndex(m_rows->index(row, 0));
    return true;
}

} // namespace fx::ui
