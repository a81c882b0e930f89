#include "ui/analysis/parallellines.h"

#include "ui/analysis/lineraster.h"
#include "ui/theme/valuegradient.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace sweepscope::ui {

namespace {

// Opacity of a single line; with many lines, limited so that their sum stays a tone of the colour.
constexpr double mostStrong = 0.86;
constexpr double strongTogether = 1.1;
constexpr double mostFaint = 0.36;
constexpr double faintTogether = 0.3;
constexpr std::size_t strongLines = 40;
constexpr std::size_t widenedLines = 400;  ///< beyond that number, lines are one pixel wide
constexpr double usualWidth = 1.3;
constexpr std::size_t linesBetweenChecks = 64;
constexpr int shades = 64;

/// The lines to draw, from bottom to top, with their colours and widths.
class Lines {
public:
    explicit Lines(const LinesRequest &request) : m_request(request)
    {
        for (int shade = 0; shade < shades; ++shade)
            m_colors[static_cast<std::size_t>(shade)] =
                gradientColor(static_cast<double>(shade) / (shades - 1), request.onDark);
        chooseRows();
    }

    const std::vector<int> &faint() const { return m_faint; }
    const std::vector<int> &strong() const { return m_strong; }

    /// Calls `draw` with corners and colour of each line. Returns false if `goOn` cancelled it.
    template <typename Draw>
    bool walkFaint(Draw draw, const LinesProgress &goOn)
    {
        QColor color = m_request.faint;
        color.setAlphaF(static_cast<float>(std::min(mostFaint, faintTogether / density(m_faint.size()))));
        return walk(m_faint, 0, draw, goOn, [&](std::size_t) { return color; });
    }
    template <typename Draw>
    bool walkStrong(Draw draw, const LinesProgress &goOn)
    {
        const double alpha = std::min(mostStrong, strongTogether / density(m_strong.size()));
        return walk(m_strong, m_faint.size(), draw, goOn, [&](std::size_t i) {
            const float shade = m_request.figure->shades[static_cast<std::size_t>(m_strong[i])];
            QColor color = m_colors[static_cast<std::size_t>(std::lround(shade * (shades - 1)))];
            color.setAlphaF(static_cast<float>(m_strong.size() - i <= strongLines ? mostStrong : alpha));
            return color;
        });
    }

private:
    /// Average number of lines through a pixel.
    double density(std::size_t lines) const
    {
        const double height = std::max(1.0, m_request.places.bottom - m_request.places.top);
        return std::max(1e-6, static_cast<double>(lines) / height);
    }

    void chooseRows()
    {
        const AnalysisFigure &figure = *m_request.figure;
        const auto count = static_cast<int>(figure.fromWorst.size());
        const int every = m_request.most > 0 ? std::max(1, (count + m_request.most - 1) / m_request.most) : 1;
        for (int i = 0; i < count; ++i) {
            if ((count - 1 - i) % every != 0)  // always includes the best
                continue;
            const int row = figure.fromWorst[static_cast<std::size_t>(i)];
            (m_request.within[static_cast<std::size_t>(row)] ? m_strong : m_faint).push_back(row);
        }
    }

    template <typename Draw, typename Color>
    bool walk(const std::vector<int> &rows, std::size_t before, Draw draw, const LinesProgress &goOn, Color colorOf)
    {
        const auto all = static_cast<double>(m_faint.size() + m_strong.size());
        const ParallelPlaces &places = m_request.places;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i % linesBetweenChecks == 0 && !goOn(static_cast<double>(before + i) / all))
                return false;
            m_points.clear();
            for (std::size_t place = 0; place < places.axes.size(); ++place) {
                const FigureAxis &axis = m_request.figure->axes[static_cast<std::size_t>(places.axes[place])];
                m_points.emplace_back(places.xs[place], places.yOf(axis.positions[static_cast<std::size_t>(rows[i])]));
            }
            draw(m_points, colorOf(i));
        }
        return true;
    }

    const LinesRequest &m_request;
    std::array<QColor, shades> m_colors;
    std::vector<int> m_strong;
    std::vector<int> m_faint;
    std::vector<QPointF> m_points;
};

/// Draws with a painter, in the usual width.
auto drawnBy(QPainter *painter)
{
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    return [painter](const std::vector<QPointF> &points, const QColor &color) {
        painter->setPen(QPen(color, usualWidth));
        painter->drawPolyline(points.data(), static_cast<int>(points.size()));
    };
}

}  // namespace

QImage linesImage(const LinesRequest &request, const LinesProgress &goOn)
{
    LineRaster raster(request.size * request.ratio);
    const auto drawnWith = [&](std::size_t lines) {
        const double width = (lines > widenedLines ? 1 : usualWidth) * request.ratio;
        return [&, width](const std::vector<QPointF> &points, const QColor &color) {
            for (std::size_t i = 1; i < points.size(); ++i)
                raster.addLine(points[i - 1] * request.ratio, points[i] * request.ratio, color, width);
        };
    };
    Lines lines(request);
    const bool isDone = lines.walkFaint(drawnWith(lines.faint().size()), goOn)
                        && lines.walkStrong(drawnWith(lines.strong().size()), goOn);
    if (!isDone)
        return {};
    QImage image = raster.image();
    image.setDevicePixelRatio(request.ratio);
    return image;
}

bool paintLines(QPainter *painter, const LinesRequest &request, const LinesProgress &goOn)
{
    painter->save();
    Lines lines(request);
    const bool isDone = lines.walkFaint(drawnBy(painter), goOn) && lines.walkStrong(drawnBy(painter), goOn);
    painter->restore();
    return isDone;
}

bool paintLinesOrImage(QPainter *painter, const LinesRequest &request, bool asVectors, const LinesProgress &goOn)
{
    if (asVectors && request.within.size() <= widenedLines)
        return paintLines(painter, request, goOn);
    const QImage image = linesImage(request, goOn);
    if (image.isNull())
        return false;
    painter->drawImage(QRectF(QPointF(), QSizeF(request.size)), image);
    return true;
}

std::vector<QPointF> lineOf(const AnalysisFigure &figure, const ParallelPlaces &places, int row)
{
    std::vector<QPointF> points;
    for (std::size_t i = 0; i < places.axes.size(); ++i) {
        const FigureAxis &axis = figure.axes[static_cast<std::size_t>(places.axes[i])];
        points.emplace_back(places.xs[i], places.yOf(axis.positions[static_cast<std::size_t>(row)]));
    }
    return points;
}

}  // namespace sweepscope::ui
