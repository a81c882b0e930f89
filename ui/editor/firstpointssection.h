#pragma once

#include "ui/editor/formsection.h"
#include "ui/editor/pointplot.h"
#include "ui/editor/pointpreviewer.h"

#include <utility>

namespace sweepscope::ui {

class AxisChooser;
class FirstPointsModel;
class PreviewTable;

/// The points with which a search begins: a plot over two parameters, and a table. Read-only. Hidden for a grid, and for a
/// sweep that was launched.
class FirstPointsSection : public FormSection {
    Q_OBJECT

public:
    explicit FirstPointsSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &) const override {}

    void setLaunched(bool isLaunched);
    void showPreview(const PointPreview &preview);
    /// Shows why there are no points, unless another program chooses them.
    void showNothing(const QString &reason);

private:
    void arrange();
    void followMethod();
    void clear(const QString &text);
    void plot();
    PointPlot::Axis axisOf(const AxisChooser *chooser) const;
    QStringList pointTexts() const;

    QLabel *m_head;
    QWidget *m_points;
    QWidget *m_plotSide;
    AxisChooser *m_vertical;
    AxisChooser *m_horizontal;
    PointPlot *m_plot;
    PreviewTable *m_table;
    FirstPointsModel *m_model;
    PointPreview m_preview;
    sweep::SearchMethod m_method = sweep::SearchMethod::Grid;
    bool m_isLaunched = false;
};

/// Says which trials the points are of, and whether later ones depend on results.
QString firstPointsText(const PointPreview &preview);

/// The indexes of the parameters that a plot shows first, horizontally and vertically: numbers before categories. If there
/// are too few, AxisChooser::trialNumber.
std::pair<int, int> usualAxes(const std::vector<analysis::Parameter> &parameters);

}  // namespace sweepscope::ui
