#pragma once

#include <QPlainTextEdit>

namespace sweepscope::ui {

/// Text with line numbers. A line with a problem has a sign in place of the blank before its number.
class NumberedText : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit NumberedText(QWidget *parent = nullptr);

    void markLine(int line);  ///< from 1; 0 for none

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
