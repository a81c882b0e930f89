#pragma once

#include "ui/plot/plotpicture.h"

#include <QSize>
#include <QSizeF>

class QSettings;

namespace sweepscope::ui {

/// The form in which the user exports plots.
struct PictureForm {
    enum class Size { Screen, OneColumn, TwoColumns, Slide, Custom };
    enum class Unit { Millimeters, Inches, Pixels };

    PictureFormat format = PictureFormat::Png;
    bool isDark = false;
    Size size = Size::Screen;
    QSizeF inches;  ///< not used as on screen
    Unit unit = Unit::Millimeters;
    int resolution = 192;  ///< pixels per inch, for images
    double points = 9;     ///< text size; not used as on screen
    bool hasTitle = true;

    bool operator==(const PictureForm &) const = default;
};

inline constexpr int leastResolution = 72;
inline constexpr int mostResolution = 1200;
inline constexpr double leastPoints = 4;
inline constexpr double mostPoints = 40;

/// Sets size, unit, resolution and text size to what suits a column of a paper or a slide. Other sizes change nothing
/// else.
void chooseSize(PictureForm &form, PictureForm::Size size);
/// Returns the size of the image.
QSize pixelsOf(const PictureForm &form);
/// Returns why such a picture cannot be painted; empty if it can.
QString problemOf(const PictureForm &form);

double toUnit(double inches, PictureForm::Unit unit, int resolution);
double fromUnit(double value, PictureForm::Unit unit, int resolution);

/// "png", "svg", "pdf"
QString endingOf(PictureFormat format);
/// Returns the path with the ending of the format, in place of that of another picture.
QString withEnding(const QString &path, PictureFormat format);

/// Values from settings that make no sense are replaced by usual ones.
PictureForm readPictureForm(const QSettings &settings);
void writePictureForm(QSettings &settings, const PictureForm &form);

}  // namespace sweepscope::ui
