#pragma once

#include "ui/live/liveplot.h"
#include "ui/live/plotframe.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QSlider;
class QToolButton;

namespace sweepscope::ui {

/// What is drawn and how: one calm line above the plots.
class LiveToolBar : public QWidget {
    Q_OBJECT

public:
    explicit LiveToolBar(QWidget *parent = nullptr);

    /// What can be chosen, and what is shown when nothing was.
    void setChoices(const PlotFrame &frame);
    /// The curves are of several trials, which ran at other times: no ranks, no devices, no clock.
    void setForTrials();
    void setFollowing(bool following);
    void cycleRankView();
    void toggleLogarithmic();
    QMenu *pictureMenu() const { return m_pictureMenu; }

    QString series() const { return m_seriesName; }
    RankView rankView() const;
    XScale xScale() const;
    bool isLogarithmic() const;
    double smoothing() const;
    /// Ids of the device plots that the person chose; empty: the usual ones.
    QStringList strips() const { return m_strips; }

Q_SIGNALS:
    void changed();
    void xScaleChanged(sweepscope::ui::XScale scale);
    void logarithmicChanged(bool logarithmic);
    void followClicked();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fillSeries(const QStringList &names, const QString &shown);
    void fillStrips(const QStringList &ids, const QStringList &shown);

    QComboBox *m_series;
    QComboBox *m_rankView;
    QComboBox *m_xScale;
    QCheckBox *m_logarithmic;
    QLabel *m_smoothingLabel;
    QSlider *m_smoothing;
    QLabel *m_smoothingText;
    QToolButton *m_stripsButton;
    QMenu *m_stripsMenu;
    QToolButton *m_picture;
    QMenu *m_pictureMenu;
    QToolButton *m_follow;
    QString m_seriesName;  // as chosen by the person; stays when a trial does not have it
    QStringList m_strips;
    int m_comfortableWidth = 0;
    bool m_narrow = false;
    bool m_isForTrials = false;
};

}  // namespace sweepscope::ui
