#pragma once

#include "ui/logs/filesearch.h"
#include "ui/logs/logfeed.h"
#include "ui/logs/logview.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QComboBox;
class QLabel;
class QPushButton;
class QSettings;
class QToolButton;

namespace sweepscope::ui {

class FileSearchJob;
class FittingButtons;
class LevelChooser;
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
    /// Shows the line of this rank that begins here, as soon as it is read, and the lines around it.
    void openLine(int rank, qint64 offset);
    /// Restores the settings for search, times and line wrapping, and stores them from now on. May be null.
    void keepIn(QSettings *settings);
    /// Adds a button next to the search.
    void addSearchAction(QAction *action);
    /// The text to find; nullopt if there is none, or if it is invalid.
    std::optional<QRegularExpression> pattern() const;
    void clearSearch();
    /// Sets where the text was found in other trials, "14 lines in 3 trials"; until it changes, or empty: nowhere.
    void setFoundElsewhere(const QString &where);
    /// Focuses the search field; Enter there then triggers the action of addSearchAction().
    void askForAllTrials();
    LogView *view() const { return m_view; }
    QComboBox *chooser() const { return m_chooser; }

    /// Includes the rows that the controls need at the present width.
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QString notFoundText() const;
    void showNotFound(const QString &sentence);
    void addShortcuts();
    void openChosen();
    void open();
    void applyFilter();
    void leaveFilter();
    void showFilterState(const LogBatch &batch);
    void reachPlace(const LogView::Place &place);
    std::optional<LevelCounts> levelCounts() const;
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
    /// `marked`: what to select in the line; without it, the line.
    void showStretch(const LogStretch &stretch, const std::optional<QRegularExpression> &marked);
    void showLater();
    /// Inserts lines around the shown ones, then calls `then`.
    void pour(std::vector<ShownLine> before, std::vector<ShownLine> after, std::function<void()> then);
    void showEnd();
    void updateFollow();

    LogFeed *m_feed;
    QComboBox *m_chooser;
    LevelChooser *m_level;
    LogSearchBar *m_search;
    QToolButton *m_action;  ///< of addSearchAction()
    FittingButtons *m_fitting = nullptr;
    QToolButton *m_error;
    QToolButton *m_times;
    QToolButton *m_wrap;
    QToolButton *m_follow;
    LogPlace *m_place;
    QWidget *m_ahead;  ///< the buttons for later lines and for the end
    QPushButton *m_later;
    LogView *m_view;
    LogPour *m_pour;
    LogHits *m_hits;     ///< of the whole files, if only a part is shown
    QTimer m_hitsPause;  ///< coalesces updates of the count
    LogFilter m_filter;
    QTimer m_filterPause;                  ///< while the user types
    qint64 m_matching = 0;                 ///< number of lines that pass the filter
    LevelCounts m_levels;                  ///< of all lines, with a filter for levels
    QString m_elsewhere;                   ///< where the text was found in other trials
    bool m_isTooSlow = false;              ///< the pattern of the filter
    bool m_isReading = false;              ///< the files, up to their end
    std::optional<LogView::Place> m_goTo;  ///< once it is read
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
