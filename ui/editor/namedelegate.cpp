#include "ui/editor/namedelegate.h"

#include <QCompleter>
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
        connect(completer, QOverload<const QString &>::of(&QCompleter::activated), this,
                [this, line](const QString &name) {
                    line->setText(name);
                    commit(line);
                });
    }
    return editor;
}

}  // namespace sweepscope::ui
