#pragma once

#include <QTimer>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace sweepscope::ui {

class WrapLayout;

/// The buttons that open the pages of a sweep and, behind the number of its selected trial, those of the trial. If they
/// do not fit with their icons, because the window is narrow or the text large, they show text alone, if necessary in two rows;
/// if that does not fit either, icons, and the text of the current page if there is room.
class PageBar : public QWidget {
    Q_OBJECT

public:
    explicit PageBar(QWidget *parent = nullptr);

    void addSweepPage(QToolButton *button) { add(button, m_sweepPages); }
    void addTrialPage(QToolButton *button) { add(button, m_trialPages); }
    /// 0: none is selected.
    void setTrial(int number);
    /// A sweep that has not started has its definition alone.
    void setDraft(bool isDraft);
    /// A single run has no trials to compare.
    void setRun(bool isRun);

    /// Call when the text of a button has changed.
    void fitLater() { m_fit.start(); }

    QSize minimumSizeHint() const override { return {0, QWidget::minimumSizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    enum class Shown { IconsAndWords, Words, IconsAndOneWord, Icons };
    enum class Rows { One, Two };

    void add(QToolButton *button, QHBoxLayout *group);
    void show(Shown shown);
    void hideUnused();
    void fit();
    bool fits(Shown shown, Rows rows);

    QWidget *m_sweepGroup;
    QWidget *m_trialGroup;
    QHBoxLayout *m_sweepPages;
    QHBoxLayout *m_trialPages;
    QLabel *m_trial;
    WrapLayout *m_row;
    std::vector<QToolButton *> m_buttons;  ///< in the order of Page
    bool m_isDraft = false;
    bool m_isRun = false;
    QTimer m_fit;
};

}  // namespace sweepscope::ui
