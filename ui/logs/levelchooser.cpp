#include "ui/logs/levelchooser.h"

#include <QAbstractItemView>
#include <QStyledItemDelegate>

namespace sweepscope::ui {

namespace {

constexpr int levelRole = Qt::UserRole;
constexpr int countRole = Qt::UserRole + 1;

/// Counts are in the list only: they would change the width of the box.
class CountDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (const QVariant count = index.data(countRole); count.isValid())
            option->text = LevelChooser::tr("%1 (%L2)").arg(option->text).arg(count.toInt());
    }
};

}  // namespace

LevelChooser::LevelChooser(QWidget *parent) : QComboBox(parent)
{
    setObjectName(QStringLiteral("logLevel"));
    setAccessibleName(tr("Level"));
    setToolTip(tr("Show only lines of these levels"));
    setSizeAdjustPolicy(AdjustToContents);
    addItem(tr("All levels"), static_cast<int>(LogLevel::Other));
    addItem(tr("Warnings and errors"), static_cast<int>(LogLevel::Warning));
    addItem(tr("Errors"), static_cast<int>(LogLevel::Error));
    setItemDelegate(new CountDelegate(this));
}

LogLevel LevelChooser::least() const
{
    return static_cast<LogLevel>(currentData(levelRole).toInt());
}

void LevelChooser::setLeast(LogLevel level)
{
    setCurrentIndex(findData(static_cast<int>(level), levelRole));
}

void LevelChooser::showPopup()
{
    Q_EMIT countsWanted();
    QComboBox::showPopup();
}

void LevelChooser::setCounts(const std::optional<LevelCounts> &counts)
{
    setItemData(1, counts ? QVariant(counts->warnings + counts->errors) : QVariant(), countRole);
    setItemData(2, counts ? QVariant(counts->errors) : QVariant(), countRole);
    view()->setMinimumWidth(view()->sizeHintForColumn(0));
}

}  // namespace sweepscope::ui
