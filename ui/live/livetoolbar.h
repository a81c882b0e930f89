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
    /// Over steps, and with the least that can be chosen.
    void setForOneChart();
    void setFollowing(bool following);
    /// One chart fills the place of all: offers the way back.
    void setChartAlone(bool isAlone);
    void cycleRankView();
    void toggleLogarithmic();
    QMenu *pictureMenu() const { return m_pictureMenu; }
    void setChartsMenu(QMenu *menu);
    void openChartsMenu();

    QString series() const { return m_seriesName; }
    RankView rankView() const;
    XScale xScale() const;
    bool isLogarithmic() const;
    double smoothing() const;
    /// As the person left them the last time.
    void setSeries(const QString &name) { m_seriesName = name; }
    void setRankView(RankView view);
    void setXScale(XScale scale);
    void setLogarithmic(bool logarithmic);
    void setSmoothing(double weight);

Q_SIGNALS:
    void changed();
    void xScaleChanged(sweepscope::ui::XScale scale);
    void logarithmicChanged(bool logarithmic);
    void followClicked();
    void allChartsClicked();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    enum class Words { All, OfButtons, None };
    void fit();
    void showWords(Words words);
    void fillSeries(const QStringList &names, const QString &shown);

    QComboBox *m_series;
    QComboBox *m_rankView;
    QComboBox *m_xScale;
    QCheckBox *m_logarithmic;
    QLabel *m_smoothingLabel;
    QSlider *m_smoothing;
    QLabel *m_smoothingText;
    QToolButton *m_allCharts;
    QToolButton *m_charts;
    QToolButton *m_picture;
    QMenu *m_pictureMenu;
    QToolButton *m_follow;
    QString m_seriesName;        // as chosen by the person; stays when a trial does not have it
    Words m_words = Words::All;  ///< that are shown
    bool m_hasSmoothing = true;
};

}  // namespace sweepscope::ui
