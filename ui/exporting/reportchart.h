#pragma once

#include "feed/feedreader.h"

#include <QRectF>
#include <QString>

#include <vector>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace sweepscope::ui {

/// The curve of a trial in a report.
struct ReportCurve {
    enum class Kind { Completed, Pruned, Other, Best };  ///< a color each; those drawn later come later
    Kind kind = Kind::Other;
    std::vector<feed::Point> points{};
};

/// Whether an axis of these values is logarithmic: few values, such as those of the first steps, are far above the others.
bool isLogarithmic(std::vector<double> values);

/// Whether there is anything to draw.
bool hasFinitePoint(const std::vector<ReportCurve> &curves);

/// Draws the curves by step, with ticks at round values and a legend of the kinds that occur. Lengths as in PageLayout.
void paintReportChart(QPainter &painter, const QRectF &area, const std::vector<ReportCurve> &curves,
                      const QString &objective, const QString &bestName);

}  // namespace sweepscope::ui
