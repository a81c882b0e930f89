#pragma once

#include <QPlainTextEdit>

namespace sweepscope::ui {

/// Text with the numbers of its lines beside it. A line that something is wrong with has a sign in place of the blank
/// before its number.
class NumberedText : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit NumberedText(QWidget *parent = nullptr);

    void markLine(int line);  ///< from 1; 0: none
    int markedLine() const { return m_marked; }

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    class Margin;

    void paintMargin(QPaintEvent *event);
    int signSize() const;
    int marginWidth() const;
    void fitMargin();

    Margin *m_margin;
    int m_marked = 0;
};

}  // namespace sweepscope::ui
