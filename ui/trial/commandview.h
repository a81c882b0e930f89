#pragma once

#include <QPlainTextEdit>

namespace sweepscope::ui {

/// A command to read and copy. It wraps between its arguments, not within one such as --learning-rate, unless the
/// argument is longer than a line. As high as its text, up to a limit; then it scrolls.
class CommandView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit CommandView(QWidget *parent = nullptr);

    void setCommand(const QString &command);
    QString command() const { return m_command; }
    QSize sizeHint() const override { return {0, minimumHeight()}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    QMimeData *createMimeDataFromSelection() const override;

private:
    void fit();

    QString m_command;
};

}  // namespace sweepscope::ui
