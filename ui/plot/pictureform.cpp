#include "ui/plot/pictureform.h"

#include <QCoreApplication>
#include <QSettings>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct PictureFormWords {
    Q_DECLARE_TR_FUNCTIONS(PictureForm)
};

constexpr double millimetersPerInch = 25.4;
constexpr double mostPixels = 120e6;  ///< an image of half a gigabyte
constexpr double leastInches = 0.5;
constexpr double mostInches = 200;

}  // namespace

void chooseSize(PictureForm &form, PictureForm::Size size)
{
    form.size = size;
    const auto set = [&form](const QSizeF &inches, PictureForm::Unit unit, int resolution, double points) {
        std::tie(form.inches, form.unit, form.resolution, form.points) = std::tie(inches, unit, resolution, points);
    };
    // Columns as in most journals and in papers of conferences, with the text size of captions.
    if (size == PictureForm::Size::OneColumn)
        set(QSizeF(85, 60) / millimetersPerInch, PictureForm::Unit::Millimeters, 300, 8);
    else if (size == PictureForm::Size::TwoColumns)
        set(QSizeF(178, 90) / millimetersPerInch, PictureForm::Unit::Millimeters, 300, 8);
    else if (size == PictureForm::Size::Slide)
        set({10, 5.625}, PictureForm::Unit::Pixels, 192, 12);
}

QSize pixelsOf(const PictureForm &form)
{
    return (form.inches * form.resolution).toSize();
}

QString problemOf(const PictureForm &form)
{
    const double width = form.inches.width();
    const double height = form.inches.height();
    if (std::min(width, height) < leastInches)
        return PictureFormWords::tr("The picture is too small: at least 12.7 mm are needed for each side.");
    const QSizeF pixels = form.inches * form.resolution;
    if (std::max(width, height) > mostInches
        || (form.format == PictureFormat::Png && pixels.width() * pixels.height() > mostPixels))
        return PictureFormWords::tr("The picture is too large. Reduce its size or resolution.");
    return {};
}

double toUnit(double inches, PictureForm::Unit unit, int resolution)
{
    return inches
           * (unit == PictureForm::Unit::Millimeters ? millimetersPerInch
              : unit == PictureForm::Unit::Pixels    ? resolution
                                                     : 1);
}

double fromUnit(double value, PictureForm::Unit unit, int resolution)
{
    return value / toUnit(1, unit, resolution);
}

QString endingOf(PictureFormat format)
{
    return format == PictureFormat::Svg ? u"svg"_s : format == PictureFormat::Pdf ? u"pdf"_s : u"png"_s;
}

QString withEnding(const QString &path, PictureFormat format)
{
    constexpr qsizetype length = 4;  // with the dot
    return (pictureFormatOf(path) ? path.chopped(length) : path) + u'.' + endingOf(format);
}

PictureForm readPictureForm(const QSettings &settings)
{
    PictureForm form;
    const auto number = [&settings](const QString &name, double usual, double least, double most) {
        const double value = settings.value(u"picture/"_s + name, usual).toDouble();
        return value >= least && value <= most ? value : usual;
    };
    const auto choice = [&number](const QString &name, int most) { return static_cast<int>(number(name, 0, 0, most)); };
    form.format = static_cast<PictureFormat>(choice(u"format"_s, static_cast<int>(PictureFormat::Pdf)));
    form.size = static_cast<PictureForm::Size>(choice(u"size"_s, static_cast<int>(PictureForm::Size::Custom)));
    form.unit = static_cast<PictureForm::Unit>(choice(u"unit"_s, static_cast<int>(PictureForm::Unit::Pixels)));
    form.isDark = settings.value(u"picture/dark"_s, form.isDark).toBool();
    form.hasTitle = settings.value(u"picture/title"_s, form.hasTitle).toBool();
    form.inches = {number(u"width"_s, 4, leastInches, mostInches), number(u"height"_s, 3, leastInches, mostInches)};
    form.resolution = static_cast<int>(number(u"resolution"_s, form.resolution, leastResolution, mostResolution));
    form.points = number(u"points"_s, form.points, leastPoints, mostPoints);
    return form;
}

void writePictureForm(QSettings &settings, const PictureForm &form)
{
    const auto set = [&settings](const QString &name, const QVariant &value) {
        settings.setValue(u"picture/"_s + name, value);
    };
    set(u"format"_s, static_cast<int>(form.format));
    set(u"size"_s, static_cast<int>(form.size));
    set(u"unit"_s, static_cast<int>(form.unit));
    set(u"dark"_s, form.isDark);
    set(u"title"_s, form.hasTitle);
    set(u"width"_s, form.inches.width());
    set(u"height"_s, form.inches.height());
    set(u"resolution"_s, form.resolution);
    set(u"points"_s, form.points);
}

}  // namespace sweepscope::ui
