#pragma once

#include <QObject>

class QCompleter;
class QLineEdit;
class QStringListModel;

namespace sweepscope::ui {

class TrialTableModel;

/// Offers what may come next in the filter of trials, once a word has begun or Ctrl+Space asks: names, states after
/// "state =", and what stands between. Enter and Tab take it, Esc leaves what was typed.
class FilterCompletion : public QObject {
    Q_OBJECT

public:
    FilterCompletion(const TrialTableModel *model, QLineEdit *line);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void offer(bool wasAsked);
    bool takeBy(int key);
    void take(const QString &word);

    const TrialTableModel *m_model;
    QLineEdit *m_line;
    QStringListModel *m_words;
    QCompleter *m_completer;
};

/// The word that ends with `before`: what is completed.
QString wordAtEnd(const QString &before);
/// What may stand where `before` ends, without that word.
QStringList filterWords(const QString &before, const TrialTableModel &model);

}  // namespace sweepscope::ui
