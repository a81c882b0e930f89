#include "ui/media/mediawords.h"

#include <QCoreApplication>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct MediaWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::Media)
};

}  // namespace

QString kindText(media::MediaKind kind)
{
    switch (kind) {
    case media::MediaKind::Image:
        return MediaWords::tr("images");
    case media::MediaKind::Histogram:
        return MediaWords::tr("histograms");
    case media::MediaKind::Text:
        return MediaWords::tr("texts");
    case media::MediaKind::Table:
        return MediaWords::tr("tables");
    case media::MediaKind::ConfusionMatrix:
        return MediaWords::tr("confusion matrices");
    case media::MediaKind::Artifact:
        return MediaWords::tr("artifacts");
    }
    return {};
}

QString mediaNameText(const MediaName &name)
{
    return MediaWords::tr("%1 (%2)").arg(QString::fromStdString(name.name), kindText(name.kind));
}

QString mediaRowText(const MediaGrid::Row &row)
{
    return row.namesRank ? MediaWords::tr("Trial %1, rank %2").arg(row.trial).arg(row.rank)
                         : MediaWords::tr("Trial %1").arg(row.trial);
}

QString mediaItemText(const PlacedItem &item)
{
    const QString place = MediaWords::tr("%1, trial %2, step %L3")
                              .arg(QString::fromStdString(item.item->name))
                              .arg(item.source->trial)
                              .arg(item.item->step);
    return item.item->caption.empty() ? place
                                      : MediaWords::tr("%1: %2").arg(place, QString::fromStdString(item.item->caption));
}

QString mediaFileName(const media::MediaItem &item)
{
    const QString name = QString::fromStdString(item.name).replace(u'/', u'-');
    const QString placed = u"%1-%2"_s.arg(name).arg(item.step);
    switch (item.kind) {
    case media::MediaKind::Image:
        return placed + u".png"_s;
    case media::MediaKind::Text:
        return placed + u".txt"_s;
    case media::MediaKind::Artifact:
        return name;
    default:
        return placed + u".json"_s;
    }
}

}  // namespace sweepscope::ui
