#pragma once

#include <QByteArray>
#include <QColor>
#include <QFont>
#include <QImage>
#include <QPalette>
#include <QPicture>
#include <QPointer>
#include <QSize>
#include <QSizeF>
#include <QString>
#include <QWidget>

#include <functional>
#include <optional>

class QCPPainter;

namespace sweepscope::ui {

class LivePlot;

enum class PictureFormat { Png, Svg, Pdf };

/// Returns the format for the extension of the file name.
std::optional<PictureFormat> pictureFormatOf(const QString &file);

struct PictureStyle {
    PictureFormat format = PictureFormat::Png;
    double scale = 2;  ///< pixels of an image per pixel of the sheet
    QPalette colors;
};

/// Called from time to time with the share done. Returning false cancels the work.
using PictureProgress = std::function<bool(double share)>;
/// Paints immutable data on any thread. Returns false if cancelled by the progress function.
using PictureLayer = std::function<bool(QPainter &painter, const PictureProgress &goOn)>;

/// The size of a picture, and of its text.
struct PictureShape {
    QSize size;         ///< in logical pixels; empty: as on screen
    double points = 0;  ///< of the text; 0: as on screen

    bool isAsOnScreen() const { return size.isEmpty(); }
};

/// A picture that can be painted as pixels and as vectors.
struct PictureSheet {
    QString title;  ///< of the document; a visible title is painted
    QSize size;
    int resolution = 96;         ///< pixels per inch
    QPointer<QWidget> widget{};  ///< source of the colours
    double textScale = 1;        ///< of the text, if the plots needed more room than the size has
    /// Runs on the GUI thread and is recorded; takes milliseconds.
    std::function<void(QCPPainter &painter)> paint{};
    /// Returns the part that is slow to paint, between background and the rest; may be empty. Called on the GUI thread.
    std::function<PictureLayer(const PictureStyle &style)> layer{};
};

/// A sheet that needs no widget any more, so that a thread can render it.
struct RecordedPicture {
    QString title;
    QSize size;
    int resolution = 96;
    QSizeF inches{};  ///< the exact size, if it is not whole pixels of the resolution
    PictureFormat format = PictureFormat::Png;
    double scale = 2;
    double textScale = 1;
    QColor ground;
    PictureLayer layer;
    QPicture rest;
};

RecordedPicture recordPicture(const PictureSheet &sheet, const PictureStyle &style);
/// Returns null if `goOn` cancelled it. Callable on any thread, once per recording.
QImage pictureImage(RecordedPicture &picture, const PictureProgress &goOn);
/// Returns the bytes of a file; empty if `goOn` cancelled it. Callable on any thread, once per recording.
QByteArray pictureBytes(RecordedPicture &picture, const PictureProgress &goOn);

/// Scales a sheet that has another size so that it fits.
PictureSheet fittedTo(PictureSheet sheet, const QSize &size);

/// Puts a title above a plot, with a margin around both. `paint` and the layer start at the plot's corner; `plot` is
/// its size.
PictureSheet titledSheet(QWidget &widget, const QString &title, const QSize &plot,
                         std::function<void(QCPPainter &painter)> paint,
                         std::function<PictureLayer(const PictureStyle &style)> layer = {});

/// The plots as on screen, without the cursor, with a title above and the names of their curves below. Lines are
/// vectors in SVG and PDF, including curves that the screen shows as one raster, unless these are more than a hundred.
PictureSheet sheetOf(LivePlot &plot, const QString &title);

/// Returns what title and names add to the height of a plot of this width.
int heightAroundPlot(LivePlot &plot, const QString &title);

/// Changes font and size of a widget while its sheet is made and recorded. Neither the widget nor what surrounds it
/// notices the size: a scroll area would change it again.
class OtherShape : public QObject {
public:
    /// `points` 0: keeps the font.
    OtherShape(QWidget *widget, const QSize &size, double points);
    ~OtherShape() override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *m_widget;
    QSize m_size;
    QFont m_font;
    bool m_hadFont = false;
    bool m_hasFont = false;
};

}  // namespace sweepscope::ui
