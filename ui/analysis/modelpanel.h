#pragma once

#include "analysis/modelsurface.h"
#include "ui/analysis/analysisfigure.h"
#include "ui/analysis/modelplot.h"
#include "ui/plot/plotpicture.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace sweepscope::ui {

class NewestJob;

/// Shows what a surrogate predicts over two parameters that the user chooses, or why it predicts nothing. A thread computes
/// the predictions.
class ModelPanel : public QWidget {
    Q_OBJECT

public:
    explicit ModelPanel(QWidget *parent = nullptr);
    ~ModelPanel() override;

    /// `figure` and `surrogate` may be null, and are of the same sweep and target. `within`: of the figure's rows.
    void setData(FigurePtr figure, analysis::SurrogatePtr surrogate, std::vector<char> within);
    /// Forgets the parameters that the user chose.
    void resetParameters();
    ModelPlot *plot() const { return m_plot; }
    /// Whether there is a plot and no message in its place.
    bool hasPlot() const;
    bool isBusy() const;
    PictureSheet sheet(const QString &title) const;

private:
    void buildLayout();
    void offerParameters();
    void chooseParameter(QComboBox *changed, QComboBox *other);
    void requestSurface();
    void showSurface();
    QString messageText() const;

    QComboBox *m_x;
    QComboBox *m_y;
    QComboBox *m_value;
    QStackedWidget *m_stack;
    ModelPlot *m_plot;
    QLabel *m_message;
    QLabel *m_others;
    NewestJob *m_job;
    FigurePtr m_figure;
    analysis::SurrogatePtr m_surrogate;
    std::vector<char> m_within;
    std::optional<analysis::ModelSurface> m_surface;
    std::pair<QString, QString> m_shown;  ///< the parameters before the last choice
    bool m_hasChosen = false;
    bool m_filling = false;  ///< changes are not made by the user
};

}  // namespace sweepscope::ui
