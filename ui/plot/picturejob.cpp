#include "ui/plot/picturejob.h"

#include <QSaveFile>

#include <utility>

namespace sweepscope::ui {

PictureJob::PictureJob(std::vector<PictureOrder> orders, QObject *parent) : QThread(parent), m_orders(std::move(orders))
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
    for (std::size_t i = 0; i < m_orders.size() && m_problem.isEmpty(); ++i) {
        const PictureProgress goOn = [this, &last, i](double share) {
            const double done = (static_cast<double>(i) + share) / static_cast<double>(m_orders.size());
            const auto permille = static_cast<int>(done * 1000);
            if (permille != std::exchange(last, permille))
                Q_EMIT progressed(permille);
            return !wasCancelled();
        };
        auto &[picture, file] = m_orders[i];
        if (file.isEmpty())
            m_image = pictureImage(picture, goOn);
        else if (const QByteArray bytes = pictureBytes(picture, goOn); !bytes.isEmpty())
            write(file, bytes);
    }
}

void PictureJob::write(const QString &file, const QByteArray &bytes)
{
    QSaveFile out(file);
    const bool isWritten = out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size();
    if (isWritten && wasCancelled())
        out.cancelWriting();
    else if (!isWritten || !out.commit())
        m_problem = QStringLiteral("%1: %2").arg(file, out.errorString());
}

}  // namespace sweepscope::ui
