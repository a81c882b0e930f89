#pragma once

#include "protocol/engineclient.h"

#include <QDialog>

#include <vector>

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace sweepscope::ui {

/// Edits note and tags of one or several trials: for several, removing a tag removes it from all, and notes stay unless
/// something is typed.
class MarkDialog : public QDialog {
    Q_OBJECT

public:
    MarkDialog(protocol::EngineClient *client, qint64 sweepId, std::vector<int> trials, QWidget *parent = nullptr);

Q_SIGNALS:
    void marked(const sweepscope::sweep::MarkChange &change);

private:
    sweep::MarkChange change() const;
    void check();
    void accept() override;

    protocol::EngineClient *m_client;
    qint64 m_sweepId;
    std::vector<int> m_trials;
    std::vector<std::string> m_tagsBefore;  ///< common to all
    QString m_noteBefore;                   ///< common to all; empty if they differ
    QPlainTextEdit *m_note;
    QLineEdit *m_tags;
    QLabel *m_problem;
    QDialogButtonBox *m_buttons;
};

}  // namespace sweepscope::ui
