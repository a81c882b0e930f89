#pragma once

#include "ui/logs/logfeed.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace sweepscope::ui {

class LogSearchBar;
class LogView;

/// The logs of one attempt: chooser, search, text. Needs no engine: only files.
class TrialLog : public QWidget {
    Q_OBJECT

public:
    explicit TrialLog(QWidget *parent = nullptr);

    /// An empty folder: nothing. The same attempt again keeps what is shown.
    void showAttempt(const std::filesystem::path &folder, int ranks);
    /// -1: all of them.
    void chooseRank(int rank);
    /// Go to the first line that looks like an error, as soon as it is there.
    void jumpToFirstError();
    LogView *view() const { return m_view; }
    QComboBox *chooser() const { return m_chooser; }

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void openChosen();
    void takeBatch(const LogBatch &batch);
    void find(bool forward);
    void showHits();
    void findError();
    void updateEarlier();
    void updateFollow();

    LogFeed *m_feed;
    QComboBox *m_chooser;
    LogSearchBar *m_search;
    QToolButton *m_error;
    QToolButton *m_wrap;
    QToolButton *m_follow;
    QPushButton *m_earlier;
    LogView *m_view;
    QTimer m_recount;  ///< many new lines, one count
    std::filesystem::path m_folder;
    int m_ranks = 0;
    bool m_merged = false;
    bool m_restarted = false;
    bool m_jumpPending = false;
};

/// What an error looks like in the logs of training programs.
const QRegularExpression &errorPattern();

}  // namespace sweepscope::ui
