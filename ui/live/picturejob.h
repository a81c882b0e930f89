#pragma once

#include "ui/live/plotpicture.h"

#include <QImage>
#include <QString>
#include <QThread>

#include <atomic>

namespace sweepscope::ui {

/// Paints a recorded picture and writes it to a file, on a thread of its own. After `finished` ask for the outcome.
class PictureJob : public QThread {
    Q_OBJECT

public:
    /// Without a file's name the picture becomes an image.
    PictureJob(RecordedPicture picture, QString file, QObject *parent = nullptr);
    ~PictureJob() override;  ///< cancels and waits

    /// No file is written after this, and one that was there stays as it was.
    void cancel();
    bool wasCancelled() const;
    const QString &file() const { return m_file; }
    const QImage &image() const { return m_image; }
    const QString &problem() const { return m_problem; }  ///< empty: all went well

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
