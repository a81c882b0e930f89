#pragma once

#include "ui/plot/trialchoice.h"

#include <QListView>
#include <QTimer>

#include <string>
#include <vector>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

class LiveData;
class RunningTrialsModel;
class TrialTileDelegate;

/// Running trials as tiles. A click or the arrow keys select one to show in detail. Takes the height for up to a few
/// rows, then uses smaller tiles, then scrolls. Hidden without an active sweep.
class TrialTiles : public QListView {
    Q_OBJECT

public:
    explicit TrialTiles(QWidget *parent = nullptr);

    /// Updates the running trials.
    void setTrials(const protocol::EngineClient &client);
    /// The trial shown in detail, which may not be running.
    void setShown(const TrialChoice &trial);
    /// The series of the curves; a trial without it shows its best available one.
    void setSeries(const QString &name);

    RunningTrialsModel *trialsModel() const { return m_model; }
    LiveData *data() const { return m_data; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    void doItemsLayout() override;

Q_SIGNALS:
    void trialChosen(qint64 sweepId, int trialNumber);
    void menuRequested(qint64 sweepId, int trialNumber, const QPoint &globalPosition);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void arrange();
    void choose(const QModelIndex &index);

    RunningTrialsModel *m_model;
    TrialTileDelegate *m_tile;
    LiveData *m_data;
    QTimer m_watch;           // a silent trial causes no message
    bool m_isCutOff = false;  ///< the trials run on another machine, which cannot be reached
    TrialChoice m_shown;
    QString m_emptyText;
    int m_height = 0;
    bool m_reveals = false;  ///< scroll to the selected trial after the next layout
};

}  // namespace sweepscope::ui
