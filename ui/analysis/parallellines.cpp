#include "ui/analysis/parallellines.h"

#include "ui/theme/valuegradient.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace sweepscope::ui {

namespace {

constexpr int faintAlpha = 46;
constexpr int strongAlpha = 220;
constexpr int weakestAlpha = 44;
constexpr double linesAtFull = 60;  ///< more of them become transparent
constexpr std::size_t strongLines = 40;
constexpr std::size_t widenedLines = 400;  ///< more are a device pixel wide, which is drawn much faster
constexpr double usualWidth = 1.3;
constexpr int linesBetweenLooks = 64;
constexpr int shades = 64;

class LinesPainter {
public:
    LinesPainter(QPainter *painter, const LinesRequest &request, double scale)
        : m_painter(painter), m_request(request), m_scale(scale)
    {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setBrush(Qt::NoBrush);
        for (int shade = 0; shade < shades; ++shade)
            m_colors[static_cast<std::size_t>(shade)] =
                gradientColor(static_cast<double>(shade) / (shades - 1), request.onDark);
        chooseRows();
    }

    /// False: `isOutdated` said so.
    template <typename Outdated>
    bool paint(Outdated isOutdated)
    {
        QColor faint = m_request.faint;
        faint.setAlpha(std::clamp(static_cast<int>(faintAlpha * weight(m_faint.size()) * 2), 10, faintAlpha * 2));
        int sinceLook = 0;
        for (const int row : m_faint) {
            if (++sinceLook % linesBetweenLooks == 0 && isOutdated())
                return false;
            draw(row, faint, m_faint.size());
        }
        const int alpha = std::max(weakestAlpha, static_cast<int>(strongAlpha * weight(m_strong.size())));
        for (std::size_t i = 0; i < m_strong.size(); ++i) {
            if (++sinceLook % linesBetweenLooks == 0 && isOutdated())
                return false;
            const auto row = static_cast<std::size_t>(m_strong[i]);
            QColor color =
                m_colors[static_cast<std::size_t>(std::lround(m_request.figure->shades[row] * (shades - 1)))];
            color.setAlpha(m_strong.size() - i <= strongLines ? strongAlpha : alpha);
            draw(m_strong[i], color, m_strong.size());
        }
        return true;
    }

private:
    static double weight(std::size_t lines)
    {
        return std::min(1.0, std::sqrt(linesAtFull / static_cast<double>(std::max<std::size_t>(1, lines))));
    }

    void chooseRows()
    {
        const AnalysisFigure &figure = *m_request.figure;
        const auto count = static_cast<int>(figure.fromWorst.size());
        const int every = m_request.most > 0 ? std::max(1, (count + m_request.most - 1) / m_request.most) : 1;
        for (int i = 0; i < count; ++i) {
            if ((count - 1 - i) % every != 0)  // the best is always there
                continue;
            const int row = figure.fromWorst[static_cast<std::size_t>(i)];
            (m_request.within[static_cast<std::size_t>(row)] ? m_strong : m_faint).push_back(row);
        }
    }

    void draw(int row, const QColor &color, std::size_t lines)
    {
        const ParallelPlaces &places = m_request.places;
        m_points.clear();
        for (std::size_t i = 0; i < places.axes.size(); ++i) {
            const FigureAxis &axis = m_request.figure->axes[static_cast<std::size_t>(places.axes[i])];
            const double y = places.yOf(axis.positions[static_cast<std::size_t>(row)]);
            m_points.emplace_back(places.xs[i] * m_scale, y * m_scale);
        }
        m_painter->setPen(QPen(color, lines > widenedLines ? 1 : usualWidth * m_scale));
        m_painter->drawPolyline(m_points.data(), static_cast<int>(m_points.size()));
    }

    QPainter *m_painter;
    const LinesRequest &m_request;
    double m_scale;
    std::array<QColor, shades> m_colors;
    std::vector<int> m_strong;
    std::vector<int> m_faint;
    std::vector<QPointF> m_points;
};

}  // namespace

QImage linesImage(const LinesRequest &request, const LinesRevision &newest, quint64 revision)
{
    // relaxed: the number alone matters, and a late look costs a few lines.
    const auto isOutdated = [&] { return newest->load(std::memory_order_relaxed) != revision; };
    QImage image(request.size * request.ratio, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    // In device pixels: a pen of one pixel is drawn without making outlines of it.
    const bool isDone = LinesPainter(&painter, request, request.ratio).paint(isOutdated);
    painter.end();
    image.setDevicePixelRatio(request.ratio);
    return isDone ? image : QImage();
}

void paintLines(QPainter *painter, const LinesRequest &request)
{
    painter->save();
    LinesPainter(painter, request, 1).paint([] { return false; });
    painter->restore();
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
