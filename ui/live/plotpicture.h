#pragma once

#include <QByteArray>
#include <QColor>
#include <QImage>
#include <QPalette>
#include <QPicture>
#include <QPointer>
#include <QSize>
#include <QString>
#include <QWidget>

#include <functional>
#include <optional>

class QCPPainter;

namespace sweepscope::ui {

class LivePlot;

enum class PictureFormat { Png, Svg, Pdf };

/// By the ending of the file's name.
std::optional<PictureFormat> pictureFormatOf(const QString &file);

struct PictureLook {
    PictureFormat format = PictureFormat::Png;
    double scale = 2;  ///< pixels of an image for each of the sheet's
    QPalette colors;
};

/// Is asked now and then with the share that is done. False ends the work.
using PictureProgress = std::function<bool(double share)>;
/// Paints data that does not change any more, on any thread. False if the progress ended it.
using PictureLayer = std::function<bool(QPainter &painter, const PictureProgress &goOn)>;

/// Something that can be painted as pixels and as vectors.
struct PictureSheet {
    QString title;  ///< of the document; to be seen it is painted, too
    QSize size;
    int resolution = 96;         ///< pixels per inch
    QPointer<QWidget> widget{};  ///< that the colours come from
    /// Runs on the GUI thread and is recorded; it takes milliseconds.
    std::function<void(QCPPainter &painter)> paint{};
    /// What is slow to paint, between the ground and the rest; may be empty. Called on the GUI thread.
    std::function<PictureLayer(const PictureLook &look)> layer{};
};

/// A sheet that no widget is needed for any more: a thread makes an image or a file of it.
struct RecordedPicture {
    QString title;
    QSize size;
    int resolution = 96;
    PictureFormat format = PictureFormat::Png;
    double scale = 2;
    QColor ground;
    PictureLayer layer;
    QPicture rest;
};

RecordedPicture recordPicture(const PictureSheet &sheet, const PictureLook &look);
/// Null if `goOn` ended it. On any thread, once for each recording.
QImage pictureImage(RecordedPicture &picture, const PictureProgress &goOn);
/// The bytes of a file; empty if `goOn` ended it. On any thread, once for each recording.
QByteArray pictureBytes(RecordedPicture &picture, const PictureProgress &goOn);

/// A plot under its title, with a margin around both. `paint` begins at the plot's corner, and so does the layer; `plot` is
/// its size.
PictureSheet titledSheet(QWidget &widget, const QString &title, const QSize &plot,
                         std::function<void(QCPPainter &painter)> paint,
                         std::function<PictureLayer(const PictureLook &look)> layer = {});

/// The plots as they are on screen, without the cursor, under a title and over the names of their curves. Lines are
/// lines in SVG and PDF, also of curves that the screen shows as one raster.
PictureSheet sheetOf(LivePlot &plot, const QString &title);

}  // namespace sweepscope::ui
