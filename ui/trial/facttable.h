#pragma once

#include "ui/trial/factsmodel.h"

#include <QTableView>
#include <QTimer>

class QSplitter;

namespace sweepscope::ui {

/// A short table under a title. Copies the chosen lines; tells which one was activated.
class FactTable : public QTableView {
    Q_OBJECT

public:
    /// `stretched`: the column that takes what is left.
    FactTable(const QString &name, FactsModel *model, int stretched, QWidget *parent = nullptr);

    /// Stands in it while it has no rows.
    void setEmptyText(const QString &text);
    /// Never taller than its rows, so that what stands below it begins where they end.
    /// In `column`, of two parts, it gets that height as far as the other one keeps a third, until a person moves the parts.
    /// So many of its rows are always seen.
    void setAsTallAsItsRows(QSplitter *column, int rowsSeen = fewestRows);

Q_SIGNALS:
    void targetActivated(const QString &target);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    static constexpr int fewestRows = 3;

    void fitColumns();
    void fitRows();
    void fitInColumn(int needed);
    void copySelection() const;

    int m_stretched;
    QString m_emptyText;
    QSplitter *m_column = nullptr;  ///< in which it is as tall as its rows
    int m_rowsSeen = fewestRows;
    bool m_isMovedByHand = false;
    QTimer m_fit;  ///< many changes, one fit
};

/// The table with its title above, which is its name for screen readers too.
QWidget *titledTable(const QString &title, FactTable *table);

}  // namespace sweepscope::ui
