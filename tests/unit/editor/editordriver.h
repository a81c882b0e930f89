#pragma once

#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepeditor.h"

#include <QString>
#include <QTableView>

class QAbstractButton;

/// Uses a SweepEditor as a person does: with keys and the mouse, looking at what is on the screen.
class EditorDriver {
public:
    EditorDriver();

    sweepscope::ui::SweepEditor &editor() { return m_editor; }

    template <typename Widget = QWidget>
    Widget *find(const QString &name) const
    {
        return m_editor.findChild<Widget *>(name);
    }
    QTableView *space() const { return find<QTableView>(QStringLiteral("space.table")); }
    QAbstractButton *start() const;

    void click(const QString &name) const;
    QWidget *cellEditor() const;  ///< the one with the focus, if any
    /// To the cell editor; the last key may end it.
    void typeKeys(const QString &text) const;
    void press(Qt::Key key) const;
    /// Focuses a field, replaces all its text.
    void typeInto(const QString &name, const QString &text) const;
    /// Clicks a cell of the search space, replaces its text, Enter.
    void typeIntoCell(int row, sweepscope::ui::SpaceColumn column, const QString &text) const;
    QString cell(int row, sweepscope::ui::SpaceColumn column) const;
    QString cellProblem(int row, sweepscope::ui::SpaceColumn column) const;

    QString trials() const;
    QString problem(const QString &field) const;  ///< the words below it, as far as they can be seen
    int problemCount() const;                     ///< lines of the clickable list
    QString toml() const;

private:
    sweepscope::ui::SweepEditor m_editor;
};
