#pragma once

#include "analysis/modelsurface.h"
#include "ui/analysis/analysisfigure.h"
#include "ui/analysis/mapcontent.h"
#include "ui/plot/plotpicture.h"

#include <QWidget>

#include <memory>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace sweepscope::ui {

class NewestJob;

/// Shows values over two parameters that the user chooses: what trials measured, their ranks, or what a surrogate predicts; or why
/// there is nothing to show. A thread computes the map.
class MapPanel : public QWidget {
    Q_OBJECT

public:
    explicit MapPanel(QWidget *parent = nullptr);
    ~MapPanel() override;

    /// `figure` and `surrogate` may be null, and are of the same sweep and target. `within`: of the figure's rows.
    void setData(FigurePtr figure, analysis::SurrogatePtr surrogate, std::vector<char> within);
    /// Whether the user chose predictions.
    bool needsSurrogate() const;
    /// Forgets the parameters that the user chose.
    void resetParameters();
    MapPlot *plot() const { return m_plot; }
    /// Returns whether a plot is shown, not a message.
    bool hasPlot() const;
    bool isBusy() const;
    PictureSheet sheet(const QString &title) const;

Q_SIGNALS:
    /// The user chose a prediction, and the last data had no surrogate.
    void surrogateWanted();

private:
    void buildLayout();
    void follow();
    QStringList offered() const;
    void offerParameters(const QStringList &names);
    void chooseParameter(QComboBox *changed, QComboBox *other);
    void chooseValue();
    void requestMap();
    void showMap(const MapData &shown, const QString &others);
    MapValue value() const;
    QString messageText() const;

    QComboBox *m_x;
    QComboBox *m_y;
    QComboBox *m_value;
    QStackedWidget *m_stack;
    MapPlot *m_plot;
    QLabel *m_message;
    QLabel *m_others;
    NewestJob *m_job;
    FigurePtr m_figure;
    analysis::SurrogatePtr m_surrogate;
    std::vector<char> m_within;
    /// Of m_surrogate over the shown parameters; null if it is not known yet.
    std::shared_ptr<const analysis::ModelSurface> m_surface;
    std::pair<QString, QString> m_shown;  ///< the parameters before the last choice
    bool m_hasChosen = false;
    bool m_filling = false;  ///< changes are not made by the user
};

}  // namespace sweepscope::ui
