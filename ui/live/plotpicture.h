#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

#include <optional>

namespace sweepscope::ui {

class LivePlot;

enum class PictureFormat { Png, Svg, Pdf };

/// By the ending of the file's name.
std::optional<PictureFormat> pictureFormatOf(const QString &file);

/// The plots as they are on screen, without the cursor, under a title and over the names of their curves. Lines are
/// lines in SVG and PDF, also of curves that the screen shows as one raster.
QByteArray plotPicture(LivePlot &plot, const QString &title, PictureFormat format);
/// For the clipboard: with twice as many pixels as the screen.
QImage plotImage(LivePlot &plot, const QString &title);

}  // namespace sweepscope::ui
