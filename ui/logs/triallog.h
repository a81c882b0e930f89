#pragma once

#include "ui/logs/filesearch.h"
#include "ui/logs/logfeed.h"
#include "ui/logs/logview.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QSettings;
class QToolButton;

namespace sweepscope::ui {

class FileSearchJob;
class LogHits;
class LogPlace;
class LogPour;
class LogSearchBar;

/// The logs of one attempt: chooser, search, text. Needs files, but no engine.
class TrialLog : public QWidget {
    Q_OBJECT

public:
    explicit TrialLog(QWidget *parent = nullptr);

    /// An empty folder shows nothing. The same attempt again keeps what is shown.
    void showAttempt(const std::filesystem::path &folder, int ranks);
    /// Sets why the log of the ranks has no lines; shown while it has none.
    void setEmptyText(const QString &text);
    /// -1: all ranks.
    void chooseRank(int rank);
    /// Goes to the first line that looks like an error, as soon as it is read.
    void jumpToFirstError();
    /// Restores the settings for search and line wrapping, and stores them from now on. May be null.
    void keepIn(QSettings *settings);
    LogView *view() const { return m_view; }
    QComboBox *chooser() const { return m_chooser; }

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void openChosen();
    void appendBatch(const LogBatch &batch);
    void find(bool forward);
    void showFound(const LogView::Found &found, bool forward);
    void showHits();
    void updateHits();
    void hitsMayHaveChanged();
    /// `asked`: by the user, who gets a message if there is none.
    void findError(bool asked);
    void updatePlace();
    bool isWholeFileShown() const;
    int chosen() const;
    std::vector<LogFile> chosenFiles() const;
    /// `nowhere`: message if there is no hit. `marked`: what to select in the line that is found.
    void searchFiles(const QRegularExpression &pattern, const QRegularExpression &marked, bool forward,
                     const LogPosition &from, const QString &nowhere);
    void cancelSearch();
    void showStretch(const LogStretch &stretch, const QRegularExpression &pattern);
    void showLater();
    /// Inserts lines around the shown ones, then calls `then`.
    void pour(std::vector<ShownLine> before, std::vector<ShownLine> after, std::function<void()> then);
    void showEnd();
    void updateFollow();

    LogFeed *m_feed;
    QComboBox *m_chooser;
    LogSearchBar *m_search;
    QToolButton *m_error;
    QToolButton *m_wrap;
    QToolButton *m_follow;
    LogPlace *m_place;
    QWidget *m_ahead;  ///< the buttons for later lines and for the end
    QPushButton *m_later;
    LogView *m_view;
    LogPour *m_pour;
    LogHits *m_hits;     ///< of the whole files, if only a part is shown
    QTimer m_hitsPause;  ///< coalesces updates of the count
    QString m_emptyText;
    std::filesystem::path m_folder;
    int m_ranks = 0;
    bool m_merged = false;
    bool m_restarted = false;
    bool m_hasGap = false;  ///< bytes between the lines were left out
    bool m_jumpPending = false;
    bool m_detached = false;  ///< shows lines around a hit instead of the end
    LogPosition m_stretchEnd;
    LogPosition m_requestedAt;  ///< begin of the view at the request for earlier lines
    std::function<void()> m_afterPour;
    bool m_isNowhere = false;  ///< the files were searched without a hit
    FileSearchJob *m_fileSearch;
};

}  // namespace sweepscope::ui
