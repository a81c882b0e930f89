#pragma once

#include "ui/plot/legendmodel.h"

#include <QListView>

namespace sweepscope::ui {

/// The list next to the plots. A click shows or hides a curve, a double click shows it alone (or all again); Space and
/// Shift+Space do the same for the current one.
class CurveLegend : public QListView {
    Q_OBJECT

public:
    explicit CurveLegend(QWidget *parent = nullptr);

    LegendModel *legendModel() const { return m_model; }
    QSize sizeHint() const override;

Q_SIGNALS:
    void hiddenChosen(const QSet<QString> &hidden);
    /// The curve under the mouse or the keyboard focus; empty for none.
    void pointedAt(const QString &key);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    bool viewportEvent(QEvent *event) override;

private:
    void point(const QModelIndex &index);
    void toggle(const QModelIndex &index);
    void isolate(const QModelIndex &index);
    void widen(bool isAnew);

    LegendModel *m_model;
    qsizetype m_longest = 0;  ///< characters of a row
    int m_widest = 0;         ///< of a row, in pixels; grows only, so that the plots keep their width
};

}  // namespace sweepscope::ui
