#pragma once

#include "media/mediacontent.h"
#include "ui/media/mediagrid.h"

#include <QCache>
#include <QImage>
#include <QObject>
#include <QSet>
#include <QString>
#include <QThreadPool>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// The content of an item, as far as it could be read.
struct MediaContent {
    QImage image;
    QSize imageSize;  ///< of the file; `image` may be smaller
    std::optional<media::Histogram> histogram;
    QString text;
    std::optional<media::Table> table;
    QString problem;  ///< why it cannot be shown
};

enum class MediaDetail { Thumbnail, Full };

/// Decodes an item. Slow; thread-safe.
MediaContent loadMedia(const std::filesystem::path &file, const media::MediaItem &item, MediaDetail detail);

/// Contents of items. Those that are not in memory are read on another thread, the last requested first; of many requests the
/// oldest are dropped, because their cells are no longer visible.
class MediaLoader : public QObject {
    Q_OBJECT

public:
    explicit MediaLoader(QObject *parent = nullptr);
    ~MediaLoader() override;  ///< waits for running work

    /// Null if it is not in memory; then loaded() follows.
    std::shared_ptr<const MediaContent> get(const PlacedItem &item, MediaDetail detail = MediaDetail::Thumbnail);
    /// Reads again what could not be read.
    void retry();

Q_SIGNALS:
    void loaded();

private:
    struct Request {
        QString key;
        std::filesystem::path file;
        media::MediaItem item;
        MediaDetail detail = MediaDetail::Thumbnail;
    };
    using Content = std::shared_ptr<const MediaContent>;
    void start();
    void finish(const std::vector<std::pair<QString, Content>> &contents);

    QCache<QString, Content> m_contents;  ///< costs are KiB
    std::vector<Request> m_waiting;       ///< the newest last
    QSet<QString> m_failed;
    QThreadPool m_pool;
    bool m_isBusy = false;
};

}  // namespace sweepscope::ui
