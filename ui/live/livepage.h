#pragma once

#include "protocol/engineclient.h"
#include "ui/base/exportchoice.h"
#include "ui/plot/trialchoice.h"

#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <optional>
#include <set>
#include <utility>

class QSettings;
class QStackedWidget;

namespace sweepscope::ui {

class NoticeBanner;
class PictureSaver;
class SelectionModel;
class TrialHeader;
class TrialPlots;
class TrialTiles;

/// Running trials as tiles, and the selected trial in detail: the curves of its ranks and, on the same time axis, its
/// devices and other charts of the user's choice. While visible, it selects the newest running trial, if following is
/// on and the charts are not zoomed.
class LivePage : public QWidget {
    Q_OBJECT

public:
    /// `settings` store the charts of each sweep; null: they are not stored.
    LivePage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings = nullptr,
             QWidget *parent = nullptr);

    TrialChoice shown() const { return m_shown; }
    PictureSaver *pictures() const;
    /// The zoomed range of the curves; nullopt if all is visible.
    std::optional<VisibleRange> visibleRange() const;
    /// Metrics found in output of the selected sweep that is not read.
    void setPrinted(const QStringList &metrics);

Q_SIGNALS:
    /// Requests to open this trial's log.
    void logRequested(qint64 sweepId, int trialNumber);
    void detailsRequested(qint64 sweepId, int trialNumber);
    /// The context menu of a running trial's tile.
    void menuRequested(qint64 sweepId, int trialNumber, const QPoint &globalPosition);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void refresh();
    bool followNewest();
    void showSelected();
    void showHeader();
    void showCurves(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial);
    void showPinned();
    void showNotice(const sweep::TrialRecord &trial);
    void showMissing(qint64 bytes);
    void fetchMissing();
    void chooseInSweep(int trialNumber);

    protocol::EngineClient *m_client;
    SelectionModel *m_selection;
    QSettings *m_settings;
    TrialTiles *m_tiles;
    TrialHeader *m_header;
    NoticeBanner *m_notice;
    NoticeBanner *m_feedNotice;
    NoticeBanner *m_missingNotice;
    std::set<std::pair<qint64, int>> m_fetched;  ///< sweep and trial: all of their points are to come
    TrialPlots *m_plots;
    QStringList m_printed;
    QStackedWidget *m_stack;
    QTimer m_refresh;  // coalesces messages
    TrialChoice m_shown;
};

}  // namespace sweepscope::ui
