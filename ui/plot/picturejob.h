#pragma once

#include "ui/plot/plotpicture.h"

#include <QImage>
#include <QString>
#include <QThread>

#include <atomic>
#include <vector>

namespace sweepscope::ui {

/// A picture and where it goes.
struct PictureOrder {
    RecordedPicture picture;
    QString file;  ///< empty: it becomes an image
};

/// Paints recorded pictures and writes them to files, on its own thread. The result is available after `finished`.
class PictureJob : public QThread {
    Q_OBJECT

public:
    explicit PictureJob(std::vector<PictureOrder> orders, QObject *parent = nullptr);
    ~PictureJob() override;  ///< cancels and waits

    /// Afterwards no file is written, and an existing one stays unchanged.
    void cancel();
    bool wasCancelled() const;
    /// Of the first picture.
    const QString &file() const { return m_orders.front().file; }
    std::size_t files() const { return m_orders.size(); }
    const QImage &image() const { return m_image; }
    /// "FILE: why"; empty on success.
    const QString &problem() const { return m_problem; }

Q_SIGNALS:
    void progressed(int permille);

protected:
    void run() override;

private:
    void write(const QString &file, const QByteArray &bytes);

    std::vector<PictureOrder> m_orders;
    QImage m_image;
    QString m_problem;
    std::atomic<bool> m_cancelled = false;
};

}  // namespace sweepscope::ui
