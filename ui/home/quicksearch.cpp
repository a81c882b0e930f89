#include "ui/home/quicksearch.h"

#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr QSize dialogSize(560, 420);
constexpr int lineHeight = 30;
constexpr int shareFromTop = 6;  ///< of the window's height

/// Draws the entry, and its hint at the right edge.
class QuickDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        painter->save();
        painter->setPen(subtleTextColor(option.palette));
        painter->drawText(option.rect.adjusted(0, 0, -spacing::small, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(QuickModel::hintRole).toString());
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return {QStyledItemDelegate::sizeHint(option, index).width(), textScaled(lineHeight)};
    }
};

}  // namespace

QuickModel::QuickModel(std::vector<QuickEntry> entries, QObject *parent)
    : QAbstractListModel(parent), m_entries(std::move(entries))
{}

int QuickModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant QuickModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const QuickEntry &entry = this->entry(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return entry.text;
    case Qt::DecorationRole:
        return entry.icon;
    case Qt::AccessibleTextRole:
        return u"%1, %2"_s.arg(entry.text, entry.hint);
    case hintRole:
        return entry.hint;
    default:
        return {};
    }
}

QuickProxy::QuickProxy(QuickModel *model, QObject *parent) : QSortFilterProxyModel(parent)
{
    setSourceModel(model);
    setWords({});
    sort(0);
}

const QuickEntry &QuickProxy::entry(int row) const
{
    return static_cast<const QuickModel *>(sourceModel())->entry(row);
}

void QuickProxy::setWords(const QString &text)
{
    m_words = text.simplified().split(u' ', Qt::SkipEmptyParts);
    const QString typed = m_words.join(u' ');
    // Compute each rank once, not in every comparison: there may be tens of thousands.
    m_ranks.assign(static_cast<std::size_t>(sourceModel()->rowCount()), 0);
    for (std::size_t row = 0; row < m_ranks.size() && !m_words.isEmpty(); ++row)
        m_ranks[row] = rankOf(entry(static_cast<int>(row)).text, typed);
    invalidate();
}

bool QuickProxy::filterAcceptsRow(int row, const QModelIndex &) const
{
    const QuickEntry &entry = this->entry(row);
    if (m_words.isEmpty())
        return !entry.isFar;
    return std::ranges::all_of(m_words, [&](const QString &word) {
        return entry.text.contains(word, Qt::CaseInsensitive) || entry.hint.contains(word, Qt::CaseInsensitive);
    });
}

int QuickProxy::rankOf(const QString &text, const QString &typed) const
{
    if (text.compare(typed, Qt::CaseInsensitive) == 0)
        return 0;
    if (m_words.size() > 1 && text.startsWith(typed + u' ', Qt::CaseInsensitive))
        return 1;  // "trial 1" means trial 1 of another sweep rather than trial 10 of this one
    return text.startsWith(m_words.front(), Qt::CaseInsensitive) ? 2 : 3;
}

bool QuickProxy::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const auto place = [this](int row) { return std::pair(m_ranks[static_cast<std::size_t>(row)], row); };
    return place(left.row()) < place(right.row());
}

QuickSearch::QuickSearch(std::vector<QuickEntry> entries, QWidget *parent)
    : QDialog(parent),
      m_model(new QuickModel(std::move(entries), this)),
      m_proxy(new QuickProxy(m_model, this)),
      m_line(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_nothing(new QLabel(tr("No matches"), this))
{
    setObjectName(u"quickSearch"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Go to"));
    m_line->setObjectName(u"quickLine"_s);
    m_line->setAccessibleName(tr("Search"));
    m_line->setPlaceholderText(tr("Page, sweep, trial number or command"));
    m_line->addAction(symbolIcon(u"search"_s, QPalette::PlaceholderText), QLineEdit::LeadingPosition);
    m_line->installEventFilter(this);
    m_list->setObjectName(u"quickList"_s);
    m_list->setAccessibleName(tr("Results"));
    m_list->setModel(m_proxy);
    m_list->setItemDelegate(new QuickDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_nothing->setObjectName(u"quickNothing"_s);
    m_nothing->setForegroundRole(QPalette::PlaceholderText);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::medium, spacing::medium, spacing::medium, spacing::medium);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_line);
    layout->addWidget(m_nothing);
    layout->addWidget(m_list, 1);
    connect(m_line, &QLineEdit::textChanged, this, &QuickSearch::search);
    connect(m_line, &QLineEdit::returnPressed, this, &QuickSearch::runCurrent);
    connect(m_list, &QListView::clicked, this, &QuickSearch::runCurrent);
    resize(dialogSize.boundedTo(parent->size()));
    move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, parent->height() / shareFromTop)));
    search({});
}

void QuickSearch::search(const QString &text)
{
    m_proxy->setWords(text);
    m_list->setCurrentIndex(m_proxy->index(0, 0));
    m_nothing->setVisible(m_proxy->rowCount() == 0);
}

/// The arrow keys move in the list while the line edit keeps the focus.
bool QuickSearch::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        const int page = std::max(1, m_list->viewport()->height() / textScaled(lineHeight) - 1);
        const int step = key == Qt::Key_Down       ? 1
                         : key == Qt::Key_Up       ? -1
                         : key == Qt::Key_PageDown ? page
                         : key == Qt::Key_PageUp   ? -page
                                                   : 0;
        if (step != 0 && m_proxy->rowCount() > 0) {
            const int row = std::clamp(m_list->currentIndex().row() + step, 0, m_proxy->rowCount() - 1);
            m_list->setCurrentIndex(m_proxy->index(row, 0));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void QuickSearch::runCurrent()
{
    const QModelIndex index = m_proxy->mapToSource(m_list->currentIndex());
    if (!index.isValid())
        return;
    const std::function<void()> run = m_model->entry(index.row()).run;
    accept();
    run();
}

}  // namespace sweepscope::ui
