#pragma once

#include <QWidget>

class QLabel;

namespace sweepscope::ui {

class FieldMessage;

/// An editor of the form with its label above and a line for its problem below. Its path is that of the sweep file
/// ("run.ranks"); problems are matched to fields by path.
class FormField : public QWidget {
    Q_OBJECT

public:
    /// Takes ownership of `editor`, names it after the path, and makes the label its buddy.
    FormField(const QString &path, const QString &label, QWidget *editor, QWidget *parent);
    /// `editor` is inside `holder`: a line edit with a button next to it.
    FormField(const QString &path, const QString &label, QWidget *editor, QWidget *holder, QWidget *parent);

    QString path() const { return m_path; }
    QString title() const;  ///< the label without its mnemonic
    QWidget *editor() const { return m_editor; }

    void setHelp(const QString &help);         ///< the tooltip
    void setNote(const QString &note);         ///< a subtle line below the editor
    void setProblem(const QString &sentence);  ///< empty for none
    QString problem() const { return m_problem; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void updateToolTip();

    QString m_path;
    QLabel *m_label;
    QWidget *m_editor;
    FieldMessage *m_message;
    QString m_help;
    QString m_problem;
};

}  // namespace sweepscope::ui
