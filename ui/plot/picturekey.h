#pragma once

#include <QColor>
#include <QFont>
#include <QRect>
#include <QString>
#include <QStringList>

#include <vector>

class QPainter;

namespace sweepscope::ui {

class LivePlot;
class PlotPane;
struct ColorKey;
struct PlotColors;

/// The names of the curves below a picture of plots, and before those of trials what their colors mean. Charts with the same curves share them; otherwise each chart's
/// title comes before its curves. The worst rank comes before all ranks, and is written out if these are not drawn.
class PictureKey {
public:
    /// Lays out the key in this width.
    PictureKey(const LivePlot &plot, const QFont &font, int width);

    int height() const { return m_height; }
    /// Paints at (0, 0).
    void paint(QPainter &painter, const PlotColors &colors) const;

private:
    enum class Symbol { Line, LineInBand, Area, Words };
    struct Entry {
        QString name;
        QColor color;
        Symbol symbol = Symbol::Line;
        bool operator==(const Entry &) const = default;
    };
    struct Group {
        QStringList charts;
        std::vector<Entry> entries;
        std::vector<const PlotPane *> panes;
    };
    struct PlacedEntry {
        Entry entry;
        QRect place;
    };
    struct PlacedTitle {
        QString text;
        QRect place;
    };

    static ColorKey plottedKey(const LivePlot &plot, const PlotPane &pane);
    static std::vector<Entry> colorEntries(const ColorKey &key);
    static std::vector<Entry> entriesOf(const LivePlot &plot, const PlotPane &pane);
    static void addWorstRanks(const LivePlot &plot, Group &group);
    static std::vector<Group> groupsOf(const LivePlot &plot);
    void placeTitle(const QString &title, int room);
    void placeEntries(const std::vector<Entry> &entries, int left);
    void paintSwatch(QPainter &painter, const PlacedEntry &entry) const;

    QFont m_font;
    QFont m_titleFont;
    int m_width;
    int m_lineHeight;
    int m_height = 0;
    std::vector<PlacedTitle> m_titles;
    std::vector<PlacedEntry> m_entries;
};

}  // namespace sweepscope::ui
