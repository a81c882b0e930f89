#pragma once

#include "ui/live/trialchoice.h"

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

/// The running trials as tiles. A click, or the arrows, choose the one that is shown large. Takes as much height as they
/// need, up to a few rows, then smaller tiles, then it scrolls. Without an active sweep it is hidden.
class TrialTiles : public QListView {
    Q_OBJECT

public:
    explicit TrialTiles(QWidget *parent = nullptr);

    /// What runs now.
    void setTrials(const protocol::EngineClient &client);
    /// The trial that is shown large, which need not run.
    void setShown(const TrialChoice &trial);
    /// The series of the curves; where a trial does not have it, the best one there is.
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
    QTimer m_watch;  // who has fallen silent says nothing
    TrialChoice m_shown;
    QString m_emptyText;
    int m_height = 0;
    bool m_reveals = false;  ///< scroll to the trial that is shown, once tiles have their places
};

}  // namespace sweepscope::ui
