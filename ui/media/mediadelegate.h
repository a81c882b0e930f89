#pragma once

#include "ui/media/histogramsview.h"

#include <QStyledItemDelegate>

#include <optional>

namespace sweepscope::ui {

class MediaLoader;
class MediaModel;

/// Paints an item small. Requests the contents of what it paints, so only visible cells are decoded.
class MediaDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    MediaDelegate(const MediaModel *model, MediaLoader *loader, QObject *parent);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// The range of all histograms, as far as they were painted; nullopt: none was.
    const std::optional<HistogramRange> &range() const { return m_range; }
    /// For other histograms.
    void clearRange() { m_range.reset(); }

Q_SIGNALS:
    /// All have to be painted again.
    void rangeChanged() const;

private:
    const MediaModel *m_model;
    MediaLoader *m_loader;
    mutable std::optional<HistogramRange> m_range;
};

}  // namespace sweepscope::ui
