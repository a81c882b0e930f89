#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace sweepscope::ui {

class NumberedText;
class TomlHighlighter;

/// The sweep file that the form amounts to, as one types; it can be typed into as well.
class TomlPanel : public QWidget {
    Q_OBJECT

public:
    explicit TomlPanel(QWidget *parent = nullptr);

    void setTitle(const QString &title);
    /// What is being typed stays until the focus goes elsewhere: nobody's blanks and comments vanish under the cursor.
    void setToml(const QString &toml);
    QString toml() const;
    void setEditable(bool editable);
    /// What is wrong with what was typed, and in which line, from 1 (0: it is not known); an empty sentence: nothing.
    void showProblem(int line, const QString &sentence);
    QString problem() const { return m_problem; }  ///< "Line 3: …"
    /// The next setToml() counts, whatever was typed.
    void forgetEdits();
    void takeKeys();
    /// As if somebody had typed all of this.
    void type(const QString &toml);
    /// A line under the text; empty: none.
    void setNote(const QString &note);

Q_SIGNALS:
    /// A person has typed this.
    void edited(const QString &toml);

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void copy();
    void tell();
    void leave();

    QLabel *m_title;
    NumberedText *m_text;
    TomlHighlighter *m_highlighter;
    QPushButton *m_copy;
    QLabel *m_note;
    QTimer m_typed;  ///< many keys, one reading
    QString m_problem;
    QString m_waiting;  ///< set while the person types
    bool m_isEdited = false;
    bool m_isSetting = false;
};

}  // namespace sweepscope::ui
