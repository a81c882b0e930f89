#pragma once

#include <QWidget>

namespace sweepscope::ui {

class LogView;

/// Left of the lines of a log: a mark at warnings and errors, and on request the times of the lines. The day is shown
/// where it changes, and at the top unless it is today.
class LogGutter : public QWidget {
    Q_OBJECT

public:
    explicit LogGutter(LogView *view);

    void setTimesShown(bool shown) { m_isTimesShown = shown; }
    int neededWidth() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    bool event(QEvent *event) override;

private:
    LogView *m_view;
    bool m_isTimesShown = false;
};

}  // namespace sweepscope::ui
