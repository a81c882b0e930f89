#include "ui/media/medialoader.h"

#include "base/printable.h"

#include <QBuffer>
#include <QImageReader>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int thumbnailPixels = 320;
constexpr int fullPixels = 4096;
constexpr int megabytesToDecode = 512;
constexpr qsizetype cacheKilobytes = qsizetype{256} * 1024;
constexpr std::size_t mostWaiting = 200;
constexpr std::size_t mostAtOnce = 8;

void loadImage(const std::string &bytes, MediaDetail detail, MediaContent &content)
{
    QByteArray data = QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));
    QBuffer buffer(&data);
    QImageReader reader(&buffer);
    reader.setAutoTransform(true);
    content.imageSize = reader.size();
    const int most = detail == MediaDetail::Thumbnail ? thumbnailPixels : fullPixels;
    if (content.imageSize.width() > most || content.imageSize.height() > most)
        reader.setScaledSize(content.imageSize.scaled(most, most, Qt::KeepAspectRatio).expandedTo({1, 1}));
    if (static_cast<qint64>(content.imageSize.width()) * content.imageSize.height()
        > qint64{megabytesToDecode} * 262'144) {
        content.problem = MediaLoader::tr("The image is too large");
        return;
    }
    content.image = reader.read();
    if (content.image.isNull())
        content.problem = MediaLoader::tr("The image is damaged");
}

qsizetype costOf(const MediaContent &content)
{
    qsizetype bytes = 1024 + content.image.sizeInBytes() + content.text.size() * 2;
    if (content.table) {
        constexpr qsizetype bytesOfCell = 64;
        bytes += bytesOfCell
                 * static_cast<qsizetype>((content.table->rows.size() + 1) * (content.table->columns.size() + 1));
    }
    return bytes / 1024;
}

QString keyOf(const PlacedItem &item, MediaDetail detail)
{
    const bool isImage = item.item->kind == media::MediaKind::Image;
    return QString::fromStdString(item.file().string()) + u'|' + QString::number(item.item->offset) + u'|'
           + QString::number(item.item->size) + (isImage && detail == MediaDetail::Full ? u"|full"_s : QString());
}

}  // namespace

MediaContent loadMedia(const std::filesystem::path &file, const media::MediaItem &item, MediaDetail detail)
{
    MediaContent content;
    if (item.kind == media::MediaKind::Artifact)
        return content;
    const Expected<std::string> bytes = media::readContent(file, item);
    if (!bytes) {
        content.problem = QString::fromStdString(printable(bytes.error().message));
        return content;
    }
    switch (item.kind) {
    case media::MediaKind::Image:
        loadImage(*bytes, detail, content);
        break;
    case media::MediaKind::Histogram:
        content.histogram = media::parseHistogram(*bytes);
        if (!content.histogram)
            content.problem = MediaLoader::tr("The histogram is damaged");
        break;
    case media::MediaKind::Text:
        content.text = QString::fromStdString(*bytes);
        break;
    case media::MediaKind::Table:
    case media::MediaKind::ConfusionMatrix:
        content.table = media::parseTable(*bytes);
        if (!content.table)
            content.problem = MediaLoader::tr("The table is damaged");
        break;
    case media::MediaKind::Artifact:
        break;
    }
    return content;
}

MediaLoader::MediaLoader(QObject *parent) : QObject(parent), m_contents(cacheKilobytes)
{
    m_pool.setMaxThreadCount(1);
}

MediaLoader::~MediaLoader()
{
    m_waiting.clear();
    m_pool.waitForDone();
}

std::shared_ptr<const MediaContent> MediaLoader::get(const PlacedItem &item, MediaDetail detail)
{
    QString key = keyOf(item, detail);
    if (const Content *content = m_contents.object(key))
        return *content;
    const auto known = std::ranges::find(m_waiting, key, &Request::key);
    if (known != m_waiting.end())
        std::rotate(known, known + 1, m_waiting.end());
    else
        m_waiting.push_back({std::move(key), item.file(), *item.item, detail});
    if (m_waiting.size() > mostWaiting)
        m_waiting.erase(m_waiting.begin());
    start();
    return nullptr;
}

void MediaLoader::retry()
{
    for (const QString &key : std::as_const(m_failed))
        m_contents.remove(key);
    m_failed.clear();
}

void MediaLoader::start()
{
    if (m_isBusy || m_waiting.empty())
        return;
    m_isBusy = true;
    const auto count = std::min(mostAtOnce, m_waiting.size());
    std::vector<Request> batch(m_waiting.end() - static_cast<std::ptrdiff_t>(count), m_waiting.end());
    m_waiting.resize(m_waiting.size() - count);
    std::reverse(batch.begin(), batch.end());
    m_pool.start([this, batch = std::move(batch)] {
        std::vector<std::pair<QString, Content>> contents;
        for (const Request &request : batch) {
            contents.emplace_back(request.key, std::make_shared<const MediaContent>(
                                                   loadMedia(request.file, request.item, request.detail)));
        }
        QMetaObject::invokeMethod(
            this, [this, contents] { finish(contents); }, Qt::QueuedConnection);
    });
}

void MediaLoader::finish(const std::vector<std::pair<QString, Content>> &contents)
{
    m_isBusy = false;
    for (const auto &[key, content] : contents) {
        if (!content->problem.isEmpty())
            m_failed.insert(key);
        // Whatever its size: without it, it would be requested again and again.
        m_contents.insert(key, new Content(content), std::min(costOf(*content), cacheKilobytes / 2));
    }
    start();
    Q_EMIT loaded();
}

}  // namespace sweepscope::ui
