#include "ui/plot/picturejob.h"

#include <QSaveFile>

#include <utility>

namespace sweepscope::ui {

PictureJob::PictureJob(RecordedPicture picture, QString file, QObject *parent)
    : QThread(parent), m_picture(std::move(picture)), m_file(std::move(file))
{}

PictureJob::~PictureJob()
{
    cancel();
    wait();
}

// The flag publishes no other data, so relaxed order is enough.
void PictureJob::cancel()
{
    m_cancelled.store(true, std::memory_order_relaxed);
}

bool PictureJob::wasCancelled() const
{
    return m_cancelled.load(std::memory_order_relaxed);
}

void PictureJob::run()
{
    int last = -1;
    const PictureProgress goOn = [this, &last](double share) {
        const auto permille = static_cast<int>(share * 1000);
        if (permille != std::exchange(last, permille))
            Q_EMIT progressed(permille);
        return !wasCancelled();
    };
    if (m_file.isEmpty())
        m_image = pictureImage(m_picture, goOn);
    else if (const QByteArray bytes = pictureBytes(m_picture, goOn); !bytes.isEmpty())
        write(bytes);
}

void PictureJob::write(const QByteArray &bytes)
{
    QSaveFile out(m_file);
    const bool isWritten = out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size();
    if (isWritten && wasCancelled())
        out.cancelWriting();
    else if (!isWritten || !out.commit())
        m_problem = out.errorString();
}

}  // namespace sweepscope::ui
