#pragma once

#include "ui/analysis/trialscatter.h"

#include <cstddef>
#include <vector>

namespace sweepscope::ui {

/// Predicted values as colours over two parameters, next to their scale, with the trials on top.
class ModelPlot : public TrialScatter {
    Q_OBJECT

public:
    struct Map {
        std::size_t columns = 0;  ///< evenly spaced from end to end of the x axis
        std::size_t rows = 0;
        std::vector<double> units;  ///< of `scale`, row after row; NaN leaves a gap
        AxisScale scale;            ///< values beyond its ends have the outermost colours
        QString title;
        bool isLowBest = true;  ///< the colours contrast with the background at the low end
        bool isSmooth = true;   ///< colours change gradually between the places
    };

    explicit ModelPlot(QWidget *parent = nullptr);

    /// `content` has the axes of the map.
    void setMap(Map map, Content content);
    const Map &map() const { return m_map; }

protected:
    void applyColors() override;

private:
    void applyGradient();

    QCPColorMap *m_colors;
    QCPColorScale *m_scale;
    Map m_map;
};

}  // namespace sweepscope::ui
