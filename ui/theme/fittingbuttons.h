#pragma once

#include <QAbstractButton>
#include <QList>

class QLayout;

namespace sweepscope::ui {

/// Buttons with icons, whose texts are hidden while their row has no room for them, or would wrap. Tooltips say what they
/// do.
class FittingButtons : public QObject {
    Q_OBJECT

public:
    /// `row`: the layout of the buttons, in `widget`, which owns this object.
    FittingButtons(QWidget *widget, QLayout *row, const QList<QAbstractButton *> &buttons);

    void add(QAbstractButton *button);
    void setText(QAbstractButton *button, const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fit();
    int neededWidth() const;
    void showTexts(bool shown);

    QWidget *m_widget;
    QLayout *m_row;
    QList<QAbstractButton *> m_buttons;
    bool m_areShown = true;
    int m_widthOfTexts = 0;  ///< while they are hidden
};

}  // namespace sweepscope::ui
