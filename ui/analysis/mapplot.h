#pragma once

#include "ui/analysis/mapground.h"
#include "ui/analysis/trialscatter.h"

#include <cstddef>
#include <vector>

namespace sweepscope::ui {

/// Values as colours over two parameters, next to their scale, with the trials on top: measured ones in cells, predicted ones as a
/// surface.
class MapPlot : public TrialScatter {
    Q_OBJECT

public:
    struct Map {
        std::vector<GroundCell> cells;  ///< of measured values
        std::size_t columns = 0;        ///< of a surface: evenly spaced from end to end of the x axis
        std::size_t rows = 0;
        std::vector<double> units;      ///< of `scale`, row after row; NaN leaves a gap
        std::vector<GroundLine> lines;  ///< of equal values, at the ticks of the scale
        AxisScale scale;                ///< values beyond its ends have the outermost colours
        QString title;
        bool isLowBest = true;  ///< the colours contrast with the background at the low end
        bool isSmooth = true;   ///< colours change gradually between the places
    };

    explicit MapPlot(QWidget *parent = nullptr);

    /// `content` has the axes of the map.
    void setMap(Map map, Content content);
    const Map &map() const { return m_map; }  ///< without cells and lines
    const std::vector<GroundCell> &cells() const { return m_ground->cells(); }
    const std::vector<GroundLine> &lines() const { return m_ground->lines(); }
    QString textAt(const QPointF &place) const override;
    QPointF middleOf(const GroundCell &cell) const { return m_ground->pixelsOf(cell.area).center(); }

protected:
    void applyColors() override;
    int trialAt(const QPointF &place) const override;
    void markAll() override;

private:
    void applyGradient();
    void markCell(QCPItemRect *frame, const GroundCell *cell);

    QCPColorMap *m_colors;
    MapGround *m_ground;
    QCPColorScale *m_scale;
    QCPItemRect *m_bestHalo;  ///< so that the frame is visible on any color
    QCPItemRect *m_bestFrame;
    QCPItemRect *m_selectedFrame;
    Map m_map;
};

}  // namespace sweepscope::ui
