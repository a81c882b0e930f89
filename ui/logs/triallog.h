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
    /// How it is searched and whether long lines are broken: as it was left, from now on. May be null.
    void keepIn(QSettings *settings);
    LogView *view() const { return m_view; }
    QComboBox *chooser() const { return m_chooser; }

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void openChosen();
    void takeBatch(const LogBatch &batch);
    void find(bool forward);
    void takeFound(const LogView::Found &found, bool forward);
    void showHits();
    void tellHits();
    void hitsMayHaveChanged();
    /// `asked`: by the person, who is told when there is none.
    void findError(bool asked);
    void updatePlace();
    bool isWholeFileShown() const;
    int chosen() const;
    std::vector<LogFile> chosenFiles() const;
    /// `nowhere`: what is said when there is none.
    /// `marked`: what is selected in the line that is found.
    void searchFiles(const QRegularExpression &pattern, const QRegularExpression &marked, bool forward,
                     const LogPosition &from, const QString &nowhere);
    void cancelSearch();
    void showStretch(const LogStretch &stretch, const QRegularExpression &pattern);
    void showLater();
    /// Puts lines around those that are shown. `then`: when they are all there.
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
    QWidget *m_ahead;  ///< the way to later lines, and to the end
    QPushButton *m_later;
    LogView *m_view;
    LogPour *m_pour;
    LogHits *m_hits;     ///< in the whole files, where not all of them is shown
    QTimer m_hitsPause;  ///< many new hits, one sentence
    std::filesystem::path m_folder;
    int m_ranks = 0;
    bool m_merged = false;
    bool m_restarted = false;
    bool m_hasGap = false;  ///< something between the lines was left out
    bool m_jumpPending = false;
    bool m_detached = false;  ///< a stretch of the file is shown that a search led to, not its end
    LogPosition m_stretchEnd;
    LogPosition m_asked;  ///< where the view began when earlier lines were asked for
    std::function<void()> m_afterPour;
    bool m_isNowhere = false;  ///< the files have been looked through, and there was no hit
    FileSearchJob *m_fileSearch;
};

}  // namespace sweepscope::ui
