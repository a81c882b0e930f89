#pragma once

#include <QStyledItemDelegate>

namespace sweepscope::ui {

class MediaLoader;
class MediaModel;

/// Paints an item small. Requests the contents of what it paints, so only visible cells are decoded.
class MediaDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    MediaDelegate(const MediaModel *model, MediaLoader *loader, QObject *parent);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    const MediaModel *m_model;
    MediaLoader *m_loader;
};

}  // namespace sweepscope::ui
