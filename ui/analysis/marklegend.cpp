#include "ui/analysis/marklegend.h"

#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QFontMetricsF>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int iconWidth = 16;

}  // namespace

MarkLegend::MarkLegend(QCustomPlot *plot) : QCPLayoutElement(plot)
{
    setLayer(u"legend"_s);
}

void MarkLegend::setEntries(std::vector<Entry> entries)
{
    m_entries = std::move(entries);
}

void MarkLegend::setLook(const QFont &font, const QColor &color)
{
    m_font = font;
    m_color = color;
}

QStringList MarkLegend::names() const
{
    QStringList names;
    for (const Entry &entry : m_entries)
        names << entry.name;
    return names;
}

QString MarkLegend::textAt(const QPointF &place) const
{
    const std::vector<QRectF> rects = places();
    for (std::size_t i = 0; i < rects.size(); ++i) {
        if (rects[i].contains(place))
            return m_entries[i].text;
    }
    return {};
}

QRectF MarkLegend::placeOf(const QString &name) const
{
    const auto found = std::ranges::find(m_entries, name, &Entry::name);
    return found == m_entries.end() ? QRectF() : places()[static_cast<std::size_t>(found - m_entries.begin())];
}

int MarkLegend::lineHeight() const
{
    return static_cast<int>(QFontMetricsF(m_font).height()) + 2;
}

/// All of the plot's width is used, also below a scale next to the axes.
std::vector<QRectF> MarkLegend::places() const
{
    const QFontMetricsF metrics(m_font);
    const QRect all = parentPlot()->viewport();
    const double left = all.left() + spacing::small;
    const double right = all.right() - spacing::small;
    std::vector<QRectF> rects;
    double x = left;
    double y = rect().top();
    for (const Entry &entry : m_entries) {
        const double wanted = textScaled(iconWidth) + spacing::tiny + metrics.horizontalAdvance(entry.name);
        if (x > left && x + wanted > right) {
            x = left;
            y += lineHeight();
        }
        rects.emplace_back(x, y, std::min(wanted, right - left), lineHeight());
        x += wanted + spacing::medium;
    }
    return rects;
}

int MarkLegend::height() const
{
    const std::vector<QRectF> rects = places();
    return rects.empty() ? 0 : static_cast<int>(rects.back().bottom() - rects.front().top()) + spacing::tiny;
}

QSize MarkLegend::minimumOuterSizeHint() const
{
    return {0, height()};
}

QSize MarkLegend::maximumOuterSizeHint() const
{
    return {QWIDGETSIZE_MAX, height()};
}

QRect MarkLegend::clipRect() const
{
    return parentPlot()->viewport();
}

void MarkLegend::draw(QCPPainter *painter)
{
    const QFontMetricsF metrics(m_font);
    const std::vector<QRectF> rects = places();
    for (std::size_t i = 0; i < rects.size(); ++i) {
        const QRectF icon(rects[i].topLeft(), QSizeF(textScaled(iconWidth), lineHeight()));
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        m_entries[i].paintIcon(*painter, icon);
        painter->restore();
        painter->setPen(m_color);
        painter->setFont(m_font);
        const QRectF text = rects[i].adjusted(icon.width() + spacing::tiny, 0, 1, 0);
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(m_entries[i].name, Qt::ElideMiddle, text.width()));
    }
}

}  // namespace sweepscope::ui
