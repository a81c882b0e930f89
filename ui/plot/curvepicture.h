#pragma once

#include "ui/plot/curveraster.h"
#include "ui/plot/panelview.h"
#include "ui/plot/plotframe.h"

#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// Returns the visible curves of a panel with their colours, the topmost last.
std::vector<CurvePicture::Curve> pictureCurves(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden,
                                               QRgb common);

/// Draws curves into one picture of an axis rect.
QImage drawPicture(CurveRaster &raster, const PlotPanel &panel, const CurvePicture::View &view);

/// Draws the curves of a frame ahead, on the thread that makes it, as the window will show them; the GUI thread then
/// only copies the picture. If the view has changed meanwhile, the window draws the curves itself.
class PictureMaker {
public:
    /// Draws into the frame's main panel if its curves are too many for separate items.
    void draw(PlotFrame &frame, const PlotRequest &request);

private:
    std::optional<ValueRange> yRange(const PlotFrame &frame, const PlotRequest &request);

    CurveRaster m_raster;
    PlotRequest m_fitted;  ///< the request that m_y was fitted for
    std::optional<ValueRange> m_y;
};

}  // namespace sweepscope::ui
