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
        const Actions pictures = addActions(menu);
        Q_EMIT menuOpens(menu, pictures, place);
        menu->popup(m_widget->mapToGlobal(place));
    });
}

void PictureSaver::setTitle(const QString &title, const QString &fileName)
{
    m_title = title;
    m_fileName = fileName;
}

PictureSaver::Actions PictureSaver::addActions(QMenu *menu)
{
    QAction *save =
        menu->addAction(symbolIcon(u"image"_s), tr("Save as picture…"), this, qOverload<>(&PictureSaver::askForFile));
    save->setObjectName(u"savePicture"_s);
    QAction *copyAction =
        menu->addAction(symbolIcon(u"copy"_s), tr("Copy picture"), this, qOverload<>(&PictureSaver::copy));
    copyAction->setObjectName(u"copyPicture"_s);
    return {save, copyAction};
}

void PictureSaver::copy()
{
    copy(m_source(m_title));
}

void PictureSaver::copy(const PictureSheet &sheet)
{
    QGuiApplication::clipboard()->setImage(pictureImage(sheet));
    Q_EMIT told(tr("The plot is on the clipboard."));
}

void PictureSaver::askForFile()
{
    connect(askForName(m_fileName), &QFileDialog::fileSelected, this, qOverload<const QString &>(&PictureSaver::save));
}

void PictureSaver::askForFile(const PictureSheet &sheet, const QString &part)
{
    connect(askForName(u"%1-%2"_s.arg(m_fileName, part)), &QFileDialog::fileSelected, this,
            [this, sheet](const QString &file) { write(file, [&sheet] { return sheet; }); });
}

QFileDialog *PictureSaver::askForName(const QString &name)
{
    auto *dialog = new QFileDialog(m_widget, tr("Save the plot as a picture"), QDir(m_folder).filePath(name),
                                   tr("Pixels (*.png);;Vectors (*.svg);;Page (*.pdf)"));
    dialog->setObjectName(u"pictureFile"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"png"_s);
    connect(dialog, &QFileDialog::filterSelected, dialog,
            [dialog](const QString &filter) { dialog->setDefaultSuffix(filter.section(u"*."_s, 1).chopped(1)); });
    dialog->open();
    return dialog;
}

void PictureSaver::save(const QString &file)
{
    write(file, [this] { return m_source(m_title); });
}

void PictureSaver::write(const QString &file, const std::function<PictureSheet()> &sheet)
{
    const std::optional<PictureFormat> format = pictureFormatOf(file);
    if (!format) {
        Q_EMIT told(tr("%1: the name of a picture ends in .png, .svg or .pdf").arg(file));
        return;
    }
    m_folder = QFileInfo(file).absolutePath();
    // Painted here, where the widget is; written where a slow disk holds nobody up.
    const QByteArray bytes = pictureBytes(sheet(), *format);
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
