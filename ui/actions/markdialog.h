#pragma once

#include "sweep/mark.h"

#include <QDialog>

#include <vector>

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace sweepscope::ui {

/// Edits note and tags of one or several trials or sweeps: for several, removing a tag removes it from all, and notes stay
/// unless something is typed.
class MarkDialog : public QDialog {
    Q_OBJECT

public:
    MarkDialog(const QString &title, const std::vector<sweep::Mark> &marks, QWidget *parent = nullptr);

Q_SIGNALS:
    void marked(const sweepscope::sweep::MarkChange &change);

private:
    sweep::MarkChange change() const;
    void check();
    void accept() override;

    std::vector<std::string> m_tagsBefore;  ///< common to all
    QString m_noteBefore;                   ///< common to all; empty if they differ
    QPlainTextEdit *m_note;
    QLineEdit *m_tags;
    QLabel *m_problem;
    QDialogButtonBox *m_buttons;
};

}  // namespace sweepscope::ui
