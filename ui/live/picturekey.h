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
struct PlotColors;

/// The names of the curves below a picture of plots. Charts that show the same are named once; where charts differ,
/// each has its title before its curves. The worst rank
/// is named before all ranks, and where these are not drawn in words.
class PictureKey {
public:
    /// In this width.
    PictureKey(const LivePlot &plot, const QFont &font, int width);

    int height() const { return m_height; }
    /// From (0, 0).
    void paint(QPainter &painter, const PlotColors &colors) const;

private:
    enum class Look { Line, LineInBand, Area, Words };
    struct Entry {
        QString name;
        QColor color;
        Look look = Look::Line;
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
