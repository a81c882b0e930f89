#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace sweepscope::ui {

class NumberedText;
class TomlHighlighter;

/// The text of the sweep file; follows the form, and can be edited.
class TomlPanel : public QWidget {
    Q_OBJECT

public:
    explicit TomlPanel(QWidget *parent = nullptr);

    void setTitle(const QString &title);
    /// Text that is being typed stays until the focus moves elsewhere, so that blanks and comments do not vanish under
    /// the cursor.
    void setToml(const QString &toml);
    QString toml() const;
    void setEditable(bool editable);
    /// Shows the problem of the typed text, and its line, from 1 (0 if unknown); an empty sentence: none.
    void showProblem(int line, const QString &sentence);
    QString problem() const { return m_problem; }  ///< "Line 3: …"
    /// The next setToml() replaces whatever was typed.
    void discardEdits();
    void focusText();
    /// Equivalent to typing all of it.
    void type(const QString &toml);
    /// A line below the text; empty for none.
    void setNote(const QString &note);

Q_SIGNALS:
    /// The user typed this.
    void edited(const QString &toml);

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void copy();
    void emitEdited();
    void leave();

    QLabel *m_title;
    NumberedText *m_text;
    TomlHighlighter *m_highlighter;
    QPushButton *m_copy;
    QLabel *m_note;
    QTimer m_typed;  ///< coalesces keystrokes
    QString m_problem;
    QString m_waiting;  ///< deferred while the user types
    bool m_isEdited = false;
    bool m_isSetting = false;
};

}  // namespace sweepscope::ui
