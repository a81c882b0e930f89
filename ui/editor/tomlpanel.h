#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace sweepscope::ui {

class TomlHighlighter;

/// The sweep file that the form amounts to, as one types.
class TomlPanel : public QWidget {
    Q_OBJECT

public:
    explicit TomlPanel(QWidget *parent = nullptr);

    void setTitle(const QString &title);
    void setToml(const QString &toml);
    QString toml() const;
    /// A line under the text; empty: none.
    void setNote(const QString &note);

protected:
    void changeEvent(QEvent *event) override;

private:
    void copy();

    QLabel *m_title;
    QPlainTextEdit *m_text;
    TomlHighlighter *m_highlighter;
    QPushButton *m_copy;
    QLabel *m_note;
};

}  // namespace sweepscope::ui
