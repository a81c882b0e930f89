#pragma once

#include "ui/editor/placedproblem.h"

#include <QAbstractTableModel>
#include <QString>

#include <vector>

namespace sweepscope::ui {

/// A small table that a person fills in. Rows come and go by insertRows, removeRows, moveRows and duplicateRow; every
/// change by a person is told once by edited().
class EditableTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        ProblemRole = Qt::UserRole + 1,  ///< the sentence that says what is wrong with this cell, or nothing
        ColumnSpanRole,                  ///< how many columns this cell covers
        NoteRole,                        ///< bool: only to look at
        PlaceholderRole,                 ///< what an empty cell shows
    };

    using QAbstractTableModel::QAbstractTableModel;

    virtual bool duplicateRow(int row) = 0;
    /// Those of this table alone; row and column may be -1.
    void setProblems(std::vector<PlacedProblem> problems);
    QString problemAt(int row, int column) const;
    QString firstProblemOfRow(int row) const;
    /// Added, and nothing is typed into it yet.
    virtual bool isUntouched(int) const { return false; }

    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    /// `place` names the cell or the action; edits of one place in a row can be undone together.
    void edited(const QString &place);

protected:
    virtual QString cellText(int row, int column) const = 0;
    /// False: nothing changed.
    virtual bool setCellText(int row, int column, const QString &text) = 0;
    virtual bool isCellEditable(int row, int column) const;
    virtual int columnSpan(int row, int column) const;

private:
    std::vector<PlacedProblem> m_problems;
};

}  // namespace sweepscope::ui
