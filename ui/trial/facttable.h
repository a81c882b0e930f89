#pragma once

#include "ui/trial/factsmodel.h"

#include <QTableView>
#include <QTimer>

class QLabel;
class QSplitter;

namespace sweepscope::ui {

/// A short table under a title. Copies selected rows; emits the activated one.
class FactTable : public QTableView {
    Q_OBJECT

public:
    /// `stretched`: the column that gets the remaining width.
    FactTable(const QString &name, FactsModel *model, int stretched, QWidget *parent = nullptr);

    /// Shown while the table has no rows.
    void setEmptyText(const QString &text);
    /// Never higher than its rows, so that the widget below begins where they end. In `column`, a splitter with two
    /// parts, it gets that height as long as the other one keeps a third, until the user moves the splitter. At least
    /// `rowsSeen` rows are visible.
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
    QSplitter *m_column = nullptr;  ///< in which its height follows its rows
    int m_rowsSeen = fewestRows;
    bool m_isMovedByHand = false;
    QTimer m_fit;  ///< coalesces changes
};

/// Returns the table with its title above, which is also its accessible name.
QWidget *titledTable(const QString &title, FactTable *table);
/// The same with a title that changes.
QWidget *titledTable(QLabel *title, FactTable *table);

}  // namespace sweepscope::ui
