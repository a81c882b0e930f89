#pragma once

#include "ui/editor/celldelegate.h"

#include <QStringList>

namespace sweepscope::ui {

/// A cell for a name that completes known names.
class NameDelegate : public CellDelegate {
    Q_OBJECT

public:
    using CellDelegate::CellDelegate;

    void setProposals(const QStringList &names) { m_names = names; }

    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QStringList m_names;
};

}  // namespace sweepscope::ui
