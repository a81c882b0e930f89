#pragma once

#include "ui/live/curveraster.h"
#include "ui/live/panelview.h"
#include "ui/live/plotframe.h"

#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// The visible curves of a panel and their colours, the last one on top.
std::vector<CurvePicture::Curve> pictureCurves(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden,
                                               QRgb common);

/// Curves drawn together into one picture of an axis rect.
QImage drawPicture(CurveRaster &raster, const PlotPanel &panel, const CurvePicture::Look &look);

/// Draws the curves of a frame ahead, in the thread that makes it, as the window will show them: then the window's
/// thread only copies the picture. Where the window has come to look at something else meanwhile, it draws itself.
class PictureMaker {
public:
    /// Into the frame's main panel, if its curves are too many to be drawn well one by one.
    void draw(PlotFrame &frame, const PlotRequest &request);

private:
    std::optional<ValueRange> yRange(const PlotFrame &frame, const PlotRequest &request);

    CurveRaster m_raster;
    PlotRequest m_fitted;  ///< that m_y was fitted for
    std::optional<ValueRange> m_y;
};

}  // namespace sweepscope::ui
