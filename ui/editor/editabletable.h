#pragma once

#include "ui/editor/placedproblem.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;

namespace sweepscope::ui {

class CellTableView;
class EditableTableModel;
class FieldMessage;

/// A CellTableView with buttons for its rows and their problems next to it. Does not own the model.
class EditableTable : public QWidget {
    Q_OBJECT

public:
    /// `name` is the prefix of object names: "space" -> space.table, space.add, …; `addText` may have a mnemonic.
    EditableTable(EditableTableModel *model, const QString &name, const QString &addText, QWidget *parent = nullptr);

    QString name() const { return m_name; }
    CellTableView *view() const { return m_view; }
    /// Replaces a table without rows. Without this text the button that adds a row is an unobtrusive one.
    void setEmptyText(const QString &text);
    void showProblems(std::vector<PlacedProblem> problems);
    void focusProblem(const PlacedProblem &problem);

private:
    QPushButton *addButton(const QString &name, const QString &icon, const QString &text, const QString &tip);
    void addRow();
    void removeRow();
    void duplicateRow();
    void moveRow(int by);
    void followRows();

    EditableTableModel *m_model;
    QString m_name;
    CellTableView *m_view;
    QLabel *m_empty;
    FieldMessage *m_problems;
    QPushButton *m_add;
    QPushButton *m_duplicate;
    QPushButton *m_remove;
    QPushButton *m_up;
    QPushButton *m_down;
};

}  // namespace sweepscope::ui
