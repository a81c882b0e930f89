#include "ui/editor/namedelegate.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>

namespace sweepscope::ui {

QWidget *NameDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QWidget *editor = CellDelegate::createEditor(parent, option, index);
    auto *line = qobject_cast<QLineEdit *>(editor);
    if (line && !m_names.isEmpty()) {
        auto *completer = new QCompleter(m_names, line);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        completer->setFilterMode(Qt::MatchContains);
        line->setCompleter(completer);
        completer->popup()->installEventFilter(const_cast<NameDelegate *>(this));
        connect(completer, QOverload<const QString &>::of(&QCompleter::activated), this,
                [this, line](const QString &name) {
                    line->setText(name);
                    commit(line);
                });
    }
    return editor;
}

bool NameDelegate::eventFilter(QObject *watched, QEvent *event)
{
    auto *popup = qobject_cast<QAbstractItemView *>(watched);
    if (!popup)
        return CellDelegate::eventFilter(watched, event);
    auto *line = qobject_cast<QLineEdit *>(popup->focusProxy());
    if (event->type() != QEvent::KeyPress || !line)
        return false;
    auto *key = static_cast<QKeyEvent *>(event);
    const bool finishes = key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab || key->key() == Qt::Key_Return
                          || key->key() == Qt::Key_Enter;
    if (!finishes)
        return false;
    // The completer would consume the key, and the user would have to press it twice.
    if (popup->currentIndex().isValid())
        line->setText(popup->currentIndex().data().toString());
    popup->hide();
    QCoreApplication::sendEvent(line, key);
    return true;
}

}  // namespace sweepscope::ui
