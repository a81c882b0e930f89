#include "ui/plot/picturesaver.h"

#include "ui/plot/liveplot.h"
#include "ui/plot/picturejob.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QProgressDialog>
#include <QStandardPaths>

#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int usualResolution = 192;
constexpr int progressDelay = 400;  // milliseconds

}  // namespace

PictureSaver::PictureSaver(LivePlot *plot)
    : PictureSaver(plot, [plot](const QString &title) { return sheetOf(*plot, title); })
{
    connect(this, &PictureSaver::menuOpens, plot, [plot](QMenu *menu) {
        menu->addSeparator();
        menu->addAction(symbolIcon(u"fit"_s), tr("Zoom to fit"), plot, &LivePlot::follow);
    });
}

PictureSaver::PictureSaver(QWidget *widget, Source source)
    : QObject(widget),
      m_widget(widget),
      m_source(std::move(source)),
      m_folder(QStandardPaths::writableLocation(QStandardPaths::PicturesLocation)),
      m_resolution(usualResolution)
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
    run(recordPicture(sheet, style(PictureFormat::Png, sheet)), {});
}

void PictureSaver::askForFile()
{
    connect(askForName(m_fileName), &QFileDialog::fileSelected, this, qOverload<const QString &>(&PictureSaver::save));
}

void PictureSaver::askForFile(const PictureSheet &sheet, const QString &part)
{
    connect(askForName(u"%1-%2"_s.arg(m_fileName, part)), &QFileDialog::fileSelected, this,
            [this, sheet](const QString &file) { write(file, sheet); });
}

QFileDialog *PictureSaver::askForName(const QString &name)
{
    auto *dialog = new QFileDialog(m_widget, tr("Save picture"), QDir(m_folder).filePath(name),
                                   tr("PNG image (*.png);;SVG image (*.svg);;PDF document (*.pdf)"));
    dialog->setObjectName(u"pictureFile"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"png"_s);
    addChoices(dialog);
    dialog->open();
    return dialog;
}

/// Below the file name. Native dialogs have no place for them.
void PictureSaver::addChoices(QFileDialog *dialog)
{
    dialog->setOption(QFileDialog::DontUseNativeDialog);
    auto *layout = qobject_cast<QGridLayout *>(dialog->layout());
    if (!layout)
        return;
    auto *colors = new QComboBox(dialog);
    colors->setObjectName(u"pictureColors"_s);
    colors->addItem(tr("Light"), false);
    colors->addItem(tr("Dark"), true);
    colors->setCurrentIndex(m_dark ? 1 : 0);
    connect(colors, &QComboBox::currentIndexChanged, this, [this, colors] { m_dark = colors->currentData().toBool(); });
    auto *resolution = new QComboBox(dialog);
    resolution->setObjectName(u"pictureResolution"_s);
    for (const int dotsPerInch : {96, 192, 300, 600})
        resolution->addItem(tr("%1 dpi").arg(dotsPerInch), dotsPerInch);
    resolution->setCurrentIndex(resolution->findData(m_resolution));
    connect(resolution, &QComboBox::currentIndexChanged, this,
            [this, resolution] { m_resolution = resolution->currentData().toInt(); });
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, resolution](const QString &filter) {
        dialog->setDefaultSuffix(filter.section(u"*."_s, 1).chopped(1));
        resolution->setEnabled(dialog->defaultSuffix() == "png"_L1);  // vector formats have none
    });
    const std::pair<QString, QComboBox *> choices[] = {{tr("&Colors:"), colors}, {tr("&Resolution:"), resolution}};
    for (const auto &[text, choice] : choices) {
        auto *label = new QLabel(text, dialog);
        label->setBuddy(choice);
        const int row = layout->rowCount();
        layout->addWidget(label, row, 0);
        layout->addWidget(choice, row, 1);
    }
}

void PictureSaver::save(const QString &file)
{
    write(file, m_source(m_title));
}

PictureStyle PictureSaver::style(PictureFormat format, const PictureSheet &sheet) const
{
    return {.format = format,
            .scale = static_cast<double>(m_resolution) / sheet.resolution,
            .colors = m_dark ? darkPalette() : lightPalette()};
}

void PictureSaver::write(const QString &file, const PictureSheet &sheet)
{
    const std::optional<PictureFormat> format = pictureFormatOf(file);
    if (!format) {
        Q_EMIT reported(tr("%1: the file name must end in .png, .svg or .pdf").arg(file));
        return;
    }
    m_folder = QFileInfo(file).absolutePath();
    run(recordPicture(sheet, style(*format, sheet)), file);
}

void PictureSaver::run(RecordedPicture picture, const QString &file)
{
    auto *job = new PictureJob(std::move(picture), file, this);
    auto *progress = new QProgressDialog(file.isEmpty() ? tr("Copying picture…") : tr("Saving %1…").arg(file),
                                         tr("Cancel"), 0, 1000, m_widget);
    progress->setObjectName(u"pictureProgress"_s);
    progress->setWindowTitle(tr("Picture"));
    progress->setAutoClose(false);
    progress->setAutoReset(false);
    progress->setMinimumDuration(progressDelay);
    connect(progress, &QProgressDialog::canceled, job, &PictureJob::cancel);
    connect(job, &PictureJob::progressed, progress, &QProgressDialog::setValue);
    connect(job, &QObject::destroyed, progress, &QObject::deleteLater);
    connect(job, &QThread::finished, this, [this, job] { finish(job); });
    ++m_jobs;
    job->start();
}

void PictureSaver::finish(PictureJob *job)
{
    --m_jobs;
    job->deleteLater();
    if (job->wasCancelled()) {
        Q_EMIT reported(job->file().isEmpty() ? tr("The picture was not copied.") : tr("The picture was not saved."));
    } else if (job->file().isEmpty()) {
        QGuiApplication::clipboard()->setImage(job->image());
        Q_EMIT reported(tr("Plot copied to the clipboard."));
    } else {
        Q_EMIT reported(job->problem().isEmpty() ? tr("Plot saved to %1").arg(job->file())
                                                 : tr("Cannot write %1: %2").arg(job->file(), job->problem()));
    }
}

}  // namespace sweepscope::ui
