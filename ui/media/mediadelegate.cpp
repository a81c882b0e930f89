#include "ui/media/mediadelegate.h"

#include "ui/media/medialoader.h"
#include "ui/media/mediamodel.h"
#include "ui/models/valuetext.h"
#include "ui/theme/itemfocus.h"
#include "ui/theme/spacing.h"

#include <QGuiApplication>
#include <QPainter>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostLetters = 600;  // more than fit into a cell

QString tableText(const media::Table &table)
{
    return MediaDelegate::tr("%L1 rows × %L2 columns").arg(table.rows.size()).arg(table.columns.size());
}

void paintMatrix(QPainter *painter, const QRect &place, const media::Table &table, const QColor &color)
{
    const auto classes = static_cast<int>(table.rows.size());
    if (classes == 0 || classes > place.width() || classes > place.height())
        return painter->drawText(place, Qt::AlignCenter | Qt::TextWordWrap, tableText(table));
    const int side = std::min(place.width(), place.height());
    const QPoint corner = place.center() - QPoint(side / 2, side / 2);
    for (int row = 0; row < classes; ++row) {
        const auto &cells = table.rows[static_cast<std::size_t>(row)];
        double sum = 0;
        for (const media::Cell &cell : cells)
            sum += std::max(0.0, cell.number.value_or(0));
        for (int column = 1; column < static_cast<int>(cells.size()) && sum > 0; ++column) {
            const double share = cells[static_cast<std::size_t>(column)].number.value_or(0) / sum;
            QColor shade = color;
            shade.setAlphaF(static_cast<float>(std::clamp(share, 0.0, 1.0)));
            const QPoint from(side * (column - 1) / classes, side * row / classes);
            const QPoint to(side * column / classes, side * (row + 1) / classes);
            painter->fillRect(QRect(corner + from, corner + to - QPoint(1, 1)), shade);
        }
    }
    painter->drawRect(QRect(corner, QSize(side, side)));
}

}  // namespace

MediaDelegate::MediaDelegate(const MediaModel *model, MediaLoader *loader, QObject *parent)
    : QStyledItemDelegate(parent), m_model(model), m_loader(loader)
{}

void MediaDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const PlacedItem item = m_model->itemAt(index);
    if (!item)
        return;
    painter->save();
    painter->setClipRect(option.rect);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    if (isSelected) {
        QColor frame = option.palette.color(QPalette::Highlight);
        frame.setAlpha(90);
        painter->fillRect(option.rect, frame);
    }
    const QRect place = option.rect.adjusted(spacing::tiny, spacing::tiny, -spacing::tiny, -spacing::tiny);
    painter->setPen(option.palette.color(QPalette::Text));
    painter->setFont(option.font);
    const QColor accent = QGuiApplication::palette().color(QPalette::Highlight);  // that of item views is pale
    const auto content = m_loader->get(item);
    const QString size = fileSizeText(static_cast<qint64>(item.item->size));
    if (item.item->kind == media::MediaKind::Artifact) {
        painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, size);
    } else if (!content || !content->problem.isEmpty()) {
        painter->setPen(option.palette.color(QPalette::PlaceholderText));
        painter->drawText(place, Qt::AlignCenter | Qt::TextWordWrap,
                          content ? content->problem.left(mostLetters) : tr("Reading…"));
    } else if (!content->image.isNull()) {
        const QSize scaled = content->image.size().scaled(place.size(), Qt::KeepAspectRatio);
        const QRect target(place.center() - QPoint(scaled.width() / 2, scaled.height() / 2), scaled);
        painter->setRenderHint(QPainter::SmoothPixmapTransform, scaled.width() < content->image.width());
        painter->drawImage(target, content->image);
    } else if (content->histogram) {
        const auto range = extended(m_range, *content->histogram);
        if (range != m_range) {
            m_range = range;
            Q_EMIT rangeChanged();
        }
        if (m_range)
            paintHistogram(painter, place, *content->histogram, *m_range, accent);
    } else if (content->table && item.item->kind == media::MediaKind::ConfusionMatrix) {
        paintMatrix(painter, place, *content->table, accent);
    } else {
        painter->drawText(place, Qt::AlignLeft | Qt::AlignTop | Qt::TextWrapAnywhere,
                          content->table ? tableText(*content->table) : content->text.left(mostLetters));
    }
    painter->restore();
    paintItemFocus(painter, option);
}

}  // namespace sweepscope::ui
