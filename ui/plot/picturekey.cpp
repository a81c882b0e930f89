#include "ui/plot/picturekey.h"

#include "ui/plot/curvenames.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/panelview.h"
#include "ui/plot/worstrank.h"
#include "ui/theme/fonts.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/trialcolors.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct PictureKeyWords {
    Q_DECLARE_TR_FUNCTIONS(PictureKeyWords)
};

constexpr int swatchWidth = 14;
constexpr int swatchHeight = 8;
/// Wider titles get a separate line.
constexpr double mostForTitles = 0.3;

/// Whether the color of the curve stands for a value that it shares with others, so that its name would not identify it.
bool isNamedBy(const ColorKey &key, const PlotCurve &curve)
{
    return !key.isGradient
           && std::ranges::any_of(key.entries, [&](const auto &entry) { return curve.tint == entry.second.rgb(); });
}

}  // namespace

/// The key without values that no visible curve has.
ColorKey PictureKey::plottedKey(const LivePlot &plot, const PlotPane &pane)
{
    ColorKey key = plot.colorKey();
    if (key.isGradient)
        return key;
    std::erase_if(key.entries, [&](const auto &entry) {
        return std::ranges::none_of(pane.panel().curves, [&](const PlotCurve &curve) {
            return curve.tint == entry.second.rgb() && isShown(pane.kind(), pane.panel(), curve, plot.hidden());
        });
    });
    return key;
}

std::vector<PictureKey::Entry> PictureKey::colorEntries(const ColorKey &key)
{
    if (key.entries.empty())
        return {};
    std::vector<Entry> entries{{key.title + u':', {}, Symbol::Words}};
    for (const auto &[name, color] : key.entries) {
        if (key.isGradient && entries.size() > 1)
            entries.push_back({u"…"_s, {}, Symbol::Words});
        entries.push_back({name, color, Symbol::Line});
    }
    return entries;
}

std::vector<PictureKey::Entry> PictureKey::entriesOf(const LivePlot &plot, const PlotPane &pane)
{
    const PlotPanel &panel = pane.panel();
    const ColorKey key = panel.isOfTrials ? plottedKey(plot, pane) : ColorKey();
    std::vector<Entry> entries = colorEntries(key);
    if (panel.curves.size() > mostCurveItems) {
        entries.push_back({PictureKeyWords::tr("%L1 trials").arg(panel.curves.size()), {}, Symbol::Words});
        return entries;
    }
    for (const PlotCurve &curve : panel.curves) {
        if (!isShown(pane.kind(), panel, curve, plot.hidden()) || isNamedBy(key, curve))
            continue;
        const bool isCommon = curve.name.isEmpty();
        const Symbol symbol = !curve.stack.empty()   ? Symbol::Area
                              : bandOf(panel, curve) ? Symbol::LineInBand
                                                     : Symbol::Line;
        const QString name = fullCurveName(panel, curve);
        entries.push_back(
            {curve.state ? PictureKeyWords::tr("%1 (%2)").arg(name, stateText(*curve.state).toLower()) : name,
             isCommon ? plot.palette().color(QPalette::Text) : curveColor(curve), symbol});
    }
    if (panel.hasGroups && !entries.empty())
        entries.push_back({PictureKeyWords::tr("(median of the trials, band: quartiles)"), {}, Symbol::Words});
    if (panel.isOfMeans && !entries.empty())
        entries.push_back({PictureKeyWords::tr("(mean of the ranks)"), {}, Symbol::Words});
    return entries;
}

/// Called last: charts with the same curves may have different worst ranks.
void PictureKey::addWorstRanks(const LivePlot &plot, Group &group)
{
    std::vector<Entry> drawn;
    for (const PlotPane *pane : group.panes) {
        const PlotPanel &panel = pane->panel();
        const PlotCurve *worst = pane->kind() == PanelKind::Curves ? worstRankNow(panel) : nullptr;
        if (!worst)
            continue;
        const QString words = group.panes.size() == 1
                                  ? PictureKeyWords::tr("worst: %1").arg(worst->name)
                                  : PictureKeyWords::tr("worst in %1: %2").arg(pane->title(), worst->name);
        if (isShown(pane->kind(), panel, *worst, plot.hidden()))
            drawn.push_back({words, curveColor(*worst), Symbol::Line});
        else if (!worst->drawn)
            group.entries.push_back({words, {}, Symbol::Words});
    }
    group.entries.insert(group.entries.begin(), drawn.begin(), drawn.end());
}

std::vector<PictureKey::Group> PictureKey::groupsOf(const LivePlot &plot)
{
    std::vector<Group> groups;
    for (const auto &pane : plot.panes()) {
        std::vector<Entry> entries = entriesOf(plot, *pane);
        if (entries.empty())
            continue;
        const auto same = std::ranges::find(groups, entries, &Group::entries);
        if (same == groups.end()) {
            groups.push_back({{pane->title()}, std::move(entries), {pane.get()}});
        } else {
            same->charts << pane->title();
            same->panes.push_back(pane.get());
        }
    }
    for (Group &group : groups)
        addWorstRanks(plot, group);
    return groups;
}

PictureKey::PictureKey(const LivePlot &plot, const QFont &font, int width)
    : m_font(font),
      m_titleFont(emphasisFont(font)),
      m_width(width - 2 * spacing::large),
      m_lineHeight(QFontMetrics(font).height() + spacing::tiny)
{
    const std::vector<Group> groups = groupsOf(plot);
    const QFontMetrics metrics(m_titleFont);
    int titles = 0;
    for (const Group &group : groups) {
        const int wide = metrics.horizontalAdvance(group.charts.join(u", "_s));
        if (groups.size() > 1 && wide < m_width * mostForTitles)
            titles = std::max(titles, wide + spacing::large);
    }
    for (const Group &group : groups) {
        if (groups.size() > 1)
            placeTitle(group.charts.join(u", "_s), titles);
        placeEntries(group.entries, groups.size() > 1 && titles == 0 ? spacing::large : titles);
    }
    if (m_height > 0)
        m_height += spacing::small;
}

void PictureKey::placeTitle(const QString &title, int room)
{
    const QFontMetrics metrics(m_titleFont);
    const bool hasOwnLine = metrics.horizontalAdvance(title) > room;
    const QRect space(0, 0, hasOwnLine ? m_width : room, m_width);
    const int lines = hasOwnLine ? metrics.boundingRect(space, Qt::TextWordWrap, title).height() : 0;
    const QSize size(space.width(), std::max(m_lineHeight, lines));
    m_titles.push_back({title, QRect(QPoint(spacing::large, m_height), size)});
    if (hasOwnLine)
        m_height += size.height();
}

void PictureKey::placeEntries(const std::vector<Entry> &entries, int left)
{
    const QFontMetrics metrics(m_font);
    int x = left;
    for (const Entry &entry : entries) {
        const int swatch = entry.symbol == Symbol::Words ? 0 : swatchWidth + spacing::tiny;
        const int width = swatch + metrics.horizontalAdvance(entry.name);
        if (x > left && x + width > m_width) {
            x = left;
            m_height += m_lineHeight;
        }
        m_entries.push_back({entry, QRect(spacing::large + x, m_height, width + spacing::tiny, m_lineHeight)});
        x += width + spacing::large;
    }
    m_height += m_lineHeight;
}

void PictureKey::paintSwatch(QPainter &painter, const PlacedEntry &entry) const
{
    const QColor color = entry.entry.color;
    const QRect place = entry.place;
    const QRect swatch(place.left(), place.top() + (m_lineHeight - swatchHeight) / 2, swatchWidth, swatchHeight);
    if (entry.entry.symbol != Symbol::Line) {
        QColor fill = color;
        fill.setAlpha(entry.entry.symbol == Symbol::Area ? CurveItem::stackAlpha : CurveItem::bandAlpha);
        painter.fillRect(swatch, fill);
    }
    if (entry.entry.symbol != Symbol::Area) {
        painter.setPen(QPen(color, 2));
        const int middle = place.top() + m_lineHeight / 2;
        painter.drawLine(swatch.left(), middle, swatch.left() + swatchWidth, middle);
    }
}

void PictureKey::paint(QPainter &painter, const PlotColors &colors) const
{
    painter.setFont(m_titleFont);
    painter.setPen(colors.text);
    for (const PlacedTitle &title : m_titles)
        painter.drawText(title.place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, title.text);
    painter.setFont(m_font);
    for (const PlacedEntry &entry : m_entries) {
        const bool hasSwatch = entry.entry.symbol != Symbol::Words;
        if (hasSwatch)
            paintSwatch(painter, entry);
        painter.setPen(colors.subtleText);
        painter.drawText(entry.place.adjusted(hasSwatch ? swatchWidth + spacing::tiny : 0, 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, entry.entry.name);
    }
}

}  // namespace sweepscope::ui
