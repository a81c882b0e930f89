#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>

#include <functional>
#include <optional>

class QCPPainter;
class QWidget;

namespace sweepscope::ui {

class LivePlot;

enum class PictureFormat { Png, Svg, Pdf };

/// By the ending of the file's name.
std::optional<PictureFormat> pictureFormatOf(const QString &file);

/// Something that can be painted as pixels and as vectors.
struct PictureSheet {
    QString title;  ///< of the document; to be seen it is painted, too
    QSize size;
    int resolution = 96;  ///< pixels per inch
    std::function<void(QCPPainter &painter)> paint;
};
QByteArray pictureBytes(const PictureSheet &sheet, PictureFormat format);
/// With twice as many pixels as the sheet.
QImage pictureImage(const PictureSheet &sheet);
/// A plot under its title, with a margin around both. `paint` begins at the plot's corner; `plot` is its size.
PictureSheet titledSheet(const QWidget &widget, const QString &title, const QSize &plot,
                         std::function<void(QCPPainter &painter)> paint);

PictureSheet sheetOf(LivePlot &plot, const QString &title);
/// The plots as they are on screen, without the cursor, under a title and over the names of their curves. Lines are
/// lines in SVG and PDF, also of curves that the screen shows as one raster.
QByteArray plotPicture(LivePlot &plot, const QString &title, PictureFormat format);

}  // namespace sweepscope::ui
