#pragma once

#include "ui/plot/plotpicture.h"

#include <QImage>
#include <QString>
#include <QThread>

#include <atomic>

namespace sweepscope::ui {

/// Paints a recorded picture and writes it to a file, on its own thread. The result is available after `finished`.
class PictureJob : public QThread {
    Q_OBJECT

public:
    /// Without a file name, the picture becomes an image.
    PictureJob(RecordedPicture picture, QString file, QObject *parent = nullptr);
    ~PictureJob() override;  ///< cancels and waits

    /// Afterwards no file is written, and an existing one stays unchanged.
    void cancel();
    bool wasCancelled() const;
    const QString &file() const { return m_file; }
    const QImage &image() const { return m_image; }
    const QString &problem() const { return m_problem; }  ///< empty on success

Q_SIGNALS:
    void progressed(int permille);

protected:
    void run() override;

private:
    void write(const QByteArray &bytes);

    RecordedPicture m_picture;
    QString m_file;
    QImage m_image;
    QString m_problem;
    std::atomic<bool> m_cancelled = false;
};

}  // namespace sweepscope::ui
