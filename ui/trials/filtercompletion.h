#pragma once

#include <QObject>

class QCompleter;
class QLineEdit;
class QStringListModel;

namespace sweepscope::ui {

class TrialTableModel;

/// Completes the filter of trials, after the start of a word or on Ctrl+Space: names, states after "state =", and
/// operators between. Enter and Tab accept, Esc keeps what was typed.
class FilterCompletion : public QObject {
    Q_OBJECT

public:
    FilterCompletion(const TrialTableModel *model, QLineEdit *line);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void offer(bool wasAsked);
    bool acceptKey(int key);
    void insertWord(const QString &word);

    const TrialTableModel *m_model;
    QLineEdit *m_line;
    QStringListModel *m_words;
    QCompleter *m_completer;
};

/// Returns the word at the end of `before`, which is completed.
QString wordAtEnd(const QString &before);
/// Returns what may follow `before` without its last word.
QStringList filterWords(const QString &before, const TrialTableModel &model);

}  // namespace sweepscope::ui
