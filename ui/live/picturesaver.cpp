#include "ui/live/picturesaver.h"

#include "ui/live/liveplot.h"
#include "ui/live/plotpicture.h"
#include "ui/theme/icons.h"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QPointer>
#include <QSaveFile>
#include <QStandardPaths>
#include <QThreadPool>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

/// Empty: it is written.
QString writeBytes(const QString &file, const QByteArray &bytes)
{
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit())
        return out.errorString();
    return {};
}

}  // namespace

PictureSaver::PictureSaver(LivePlot *plot)
    : PictureSaver(plot, [plot](const QString &title) { return sheetOf(*plot, title); })
{
    connect(this, &PictureSaver::menuOpens, plot, [plot](QMenu *menu) {
        menu->addSeparator();
        menu->addAction(symbolIcon(u"fit"_s), tr("Show everything"), plot, &LivePlot::follow);
    });
}

PictureSaver::PictureSaver(QWidget *widget, Source source)
    : QObject(widget),
      m_widget(widget),
      m_source(std::move(source)),
      m_folder(QStandardPaths::writableLocation(QStandardPaths::PicturesLocation))
{
    widget->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(widget, &QWidget::customContextMenuRequested, this, [this](const QPoint &place) {
        auto *menu = new QMenu(m_widget);
        menu->setObjectName(u"plotMenu"_s);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        addActions(menu);
        Q_EMIT menuOpens(menu, place);
        menu->popup(m_widget->mapToGlobal(place));
    });
}

void PictureSaver::setTitle(const QString &title, const QString &fileName)
{
    m_title = title;
    m_fileName = fileName;
}

void PictureSaver::addActions(QMenu *menu)
{
    QAction *save = menu->addAction(symbolIcon(u"image"_s), tr("Save as picture…"), this, &PictureSaver::askForFile);
    save->setObjectName(u"savePicture"_s);
    QAction *copyAction = menu->addAction(symbolIcon(u"copy"_s), tr("Copy picture"), this, &PictureSaver::copy);
    copyAction->setObjectName(u"copyPicture"_s);
}

void PictureSaver::copy()
{
    QGuiApplication::clipboard()->setImage(pictureImage(m_source(m_title)));
    Q_EMIT told(tr("The plot is on the clipboard."));
}

void PictureSaver::askForFile()
{
    auto *dialog = new QFileDialog(m_widget, tr("Save the plot as a picture"), QDir(m_folder).filePath(m_fileName),
                                   tr("Pixels (*.png);;Vectors (*.svg);;Page (*.pdf)"));
    dialog->setObjectName(u"pictureFile"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"png"_s);
    connect(dialog, &QFileDialog::filterSelected, dialog,
            [dialog](const QString &filter) { dialog->setDefaultSuffix(filter.section(u"*."_s, 1).chopped(1)); });
    connect(dialog, &QFileDialog::fileSelected, this, &PictureSaver::save);
    dialog->open();
}

void PictureSaver::save(const QString &file)
{
    const std::optional<PictureFormat> format = pictureFormatOf(file);
    if (!format) {
        Q_EMIT told(tr("%1: the name of a picture ends in .png, .svg or .pdf").arg(file));
        return;
    }
    m_folder = QFileInfo(file).absolutePath();
    // Painted here, where the widget is; written where a slow disk holds nobody up.
    const QByteArray bytes = pictureBytes(m_source(m_title), *format);
    QThreadPool::globalInstance()->start([saver = QPointer(this), file, bytes] {
        const QString problem = writeBytes(file, bytes);
        QMetaObject::invokeMethod(qApp, [saver, file, problem] {
            if (saver)
                Q_EMIT saver->told(problem.isEmpty() ? tr("The plot is in %1").arg(file)
                                                     : tr("Cannot write %1: %2").arg(file, problem));
        });
    });
}

}  // namespace sweepscope::ui
