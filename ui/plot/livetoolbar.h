#pragma once

#include "ui/plot/liveplot.h"
#include "ui/plot/plotframe.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QSlider;
class QToolButton;

namespace sweepscope::ui {

class WrapLayout;

/// The settings of the plots, above them.
class LiveToolBar : public QWidget {
    Q_OBJECT

public:
    explicit LiveToolBar(QWidget *parent = nullptr);

    /// Sets the available series, and the one shown by default.
    void setChoices(const PlotFrame &frame);
    /// For curves of several trials, which ran at different times: hides ranks, devices and clock.
    void setForTrials();
    /// Over steps, and with minimal controls.
    void setForOneChart();
    void setFollowing(bool following);
    /// One chart fills the place of all: shows the button that restores them.
    void setChartAlone(bool isAlone);
    /// The choice of ranks is hidden for a trial with one.
    void setSeveralRanks(bool areSeveral);
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
    /// Restores the user's last choice.
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
    QWidget *m_smoothingGroup;
    QWidget *m_buttons;
    QToolButton *m_allCharts;
    QToolButton *m_charts;
    QToolButton *m_picture;
    QMenu *m_pictureMenu;
    QToolButton *m_follow;
    WrapLayout *m_row;
    QString m_seriesName;        // chosen by the user; kept while a trial does not have it
    Words m_words = Words::All;  ///< the visible ones
    bool m_hasSmoothing = true;
    bool m_hasRankView = true;
};

}  // namespace sweepscope::ui
