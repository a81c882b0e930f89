#pragma once

#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepeditor.h"

#include <QString>
#include <QTableView>

class QAbstractButton;

/// Replaces a file. Returns false if that fails.
bool writeFile(const QString &path, const QByteArray &content);

/// Drives a SweepEditor like a user: by keyboard and mouse, reading what is displayed.
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
    /// Types into the cell editor; the last key may end it.
    void typeKeys(const QString &text) const;
    void press(Qt::Key key) const;
    /// Focuses a field and replaces its text.
    void typeInto(const QString &name, const QString &text) const;
    /// Clicks a cell of the search space, replaces its text and presses Enter.
    void typeIntoCell(int row, sweepscope::ui::SpaceColumn column, const QString &text) const;
    QString cell(int row, sweepscope::ui::SpaceColumn column) const;
    QString cellProblem(int row, sweepscope::ui::SpaceColumn column) const;

    QString trials() const;
    QString problem(const QString &field) const;  ///< the visible message below the field
    int problemCount() const;                     ///< lines of the clickable list
    QString toml() const;

private:
    sweepscope::ui::SweepEditor m_editor;
};
