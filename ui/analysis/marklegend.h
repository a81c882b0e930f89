#pragma once

#include "ui/plot/qcustomplotheader.h"

#include <QStringList>

#include <functional>
#include <vector>

namespace sweepscope::ui {

/// Names the marks and lines of a plot below it, in as many rows as they need. Without entries it takes no room.
class MarkLegend : public QCPLayoutElement {
    Q_OBJECT

public:
    struct Entry {
        QString name;
        QString text;  ///< tooltip
        std::function<void(QCPPainter &painter, const QRectF &area)> paintIcon;
    };

    explicit MarkLegend(QCustomPlot *plot);

    void setEntries(std::vector<Entry> entries);
    void setLook(const QFont &font, const QColor &color);
    QStringList names() const;
    /// Returns the tooltip at a place in pixels; empty where there is none.
    QString textAt(const QPointF &place) const;
    QRectF placeOf(const QString &name) const;

    QSize minimumOuterSizeHint() const override;
    QSize maximumOuterSizeHint() const override;

protected:
    QRect clipRect() const override;
    void draw(QCPPainter *painter) override;

private:
    std::vector<QRectF> places() const;
    int lineHeight() const;
    int height() const;

    std::vector<Entry> m_entries;
    QFont m_font;
    QColor m_color;
};

}  // namespace sweepscope::ui
