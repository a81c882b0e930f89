#pragma once

#include "ui/editor/placedproblem.h"

#include <QAbstractTableModel>
#include <QString>

#include <vector>

namespace sweepscope::ui {

/// A small table edited by the user. Rows change by insertRows, removeRows, moveRows and duplicateRow; edited() is
/// emitted once per change by the user.
class EditableTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        ProblemRole = Qt::UserRole + 1,  ///< sentence about the cell's problem, or empty
        ColumnSpanRole,                  ///< number of columns that the cell spans
        NoteRole,                        ///< bool: read-only
        PlaceholderRole,                 ///< text of an empty cell
    };

    using QAbstractTableModel::QAbstractTableModel;

    virtual bool duplicateRow(int row) = 0;
    /// Problems of this table only; row and column may be -1.
    void setProblems(std::vector<PlacedProblem> problems);
    QString problemAt(int row, int column) const;
    QString firstProblemOfRow(int row) const;
    /// Whether the row was added and nothing has been typed into it.
    virtual bool isUntouched(int) const { return false; }

    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    /// `place` names the cell or the action; consecutive edits of one place may be undone together.
    void edited(const QString &place);

protected:
    virtual QString cellText(int row, int column) const = 0;
    /// Returns false if nothing changed.
    virtual bool setCellText(int row, int column, const QString &text) = 0;
    virtual bool isCellEditable(int row, int column) const;
    virtual int columnSpan(int row, int column) const;

private:
    std::vector<PlacedProblem> m_problems;
};

}  // namespace sweepscope::ui
