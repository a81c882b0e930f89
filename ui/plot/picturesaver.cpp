#include "ui/plot/picturesaver.h"

#include "ui/plot/chartpicture.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/picturejob.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QProgressDialog>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int progressDelay = 400;  // milliseconds

PictureStyle styleOf(const PictureForm &form, const PictureSheet &sheet)
{
    return {.format = form.format,
            .scale = static_cast<double>(form.resolution) / sheet.resolution,
            .colors = form.isDark ? darkPalette() : lightPalette()};
}

}  // namespace

PictureSaver::PictureSaver(LivePlot *plot) : PictureSaver(plot, Source())
{
    m_plot = plot;
    connect(this, &PictureSaver::menuOpens, plot, [plot](QMenu *menu) {
        menu->addSeparator();
        menu->addAction(symbolIcon(u"fit"_s), tr("Zoom to fit"), plot, &LivePlot::follow);
    });
}

PictureSaver::PictureSaver(QWidget *widget, Source source)
    : QObject(widget), m_widget(widget), m_source(std::move(source))
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
    m_fileName = fileNameOfChart(fileName);
}

PictureSaver::Actions PictureSaver::addActions(QMenu *menu)
{
    QAction *save =
        menu->addAction(symbolIcon(u"image"_s), tr("Export plot…"), this, qOverload<>(&PictureSaver::askForFile));
    save->setObjectName(u"savePicture"_s);
    QAction *copyAction = menu->addAction(symbolIcon(u"copy"_s), tr("Copy picture"), this, &PictureSaver::copy);
    copyAction->setObjectName(u"copyPicture"_s);
    return {save, copyAction};
}

bool PictureSaver::hasPlot() const
{
    if (!m_widget->isVisible())
        return false;
    return !m_plot
           || std::ranges::any_of(m_plot->panes(), [](const auto &pane) { return !pane->panel().curves.empty(); });
}

PictureSubject PictureSaver::subjectOf(const QString &id, const QString &name, const QString &fileName)
{
    return {.name = name,
            .fileName = fileName,
            .isOfSeveral = m_plot && id.isEmpty() && m_plot->panes().size() > 1,
            .record = [saver = QPointer<PictureSaver>(this), id](const PictureForm &form) {
                return saver ? saver->record(id, form) : std::nullopt;
            }};
}

std::vector<PictureSubject> PictureSaver::subjects()
{
    const bool hasSeveral = m_plot && m_plot->panes().size() > 1;
    std::vector<PictureSubject> all{subjectOf({}, hasSeveral ? tr("All plots, in one picture") : m_title, m_fileName)};
    for (std::size_t i = 0; hasSeveral && i < m_plot->panes().size(); ++i) {
        const PlotPane &pane = *m_plot->panes()[i];
        all.push_back(
            subjectOf(m_plot->chartOf(pane), pane.title(), u"%1-%2"_s.arg(m_fileName, fileNameOfChart(pane.title()))));
    }
    return all;
}

/// Empty id: all charts. nullopt if there is no such chart.
std::optional<PictureSheet> PictureSaver::sheetOfPlot(const QString &id, const QString &title,
                                                      const PictureShape &shape) const
{
    if (!id.isEmpty())
        return sheetOfChart(*m_plot, id, title, shape);
    return shape.isAsOnScreen() ? sheetOf(*m_plot, title) : sheetOfCharts(*m_plot, title, shape);
}

RecordedPicture PictureSaver::recordWidget(const QString &title, const PictureForm &form,
                                           const PictureShape &shape) const
{
    if (shape.isAsOnScreen()) {
        const PictureSheet sheet = m_source(title);
        return recordPicture(sheet, styleOf(form, sheet));
    }
    const OtherShape other(m_widget, shape.size, shape.points);
    const QSize around = m_source(title).size - m_widget->size();
    m_widget->resize((shape.size - around).expandedTo(QSize(1, 1)));
    const PictureSheet sheet = fittedTo(m_source(title), shape.size);
    return recordPicture(sheet, styleOf(form, sheet));
}

std::optional<RecordedPicture> PictureSaver::record(const QString &id, const PictureForm &form) const
{
    const bool isOfScreen = form.size == PictureForm::Size::Screen;
    PictureShape shape;
    if (!isOfScreen)
        shape = {(form.inches * m_widget->logicalDpiX()).toSize(), form.points};
    const QString title = form.hasTitle ? m_title : QString();
    std::optional<RecordedPicture> picture;
    if (!m_plot)
        picture = recordWidget(title, form, shape);
    else if (const std::optional<PictureSheet> sheet = sheetOfPlot(id, title, shape))
        picture = recordPicture(*sheet, styleOf(form, *sheet));
    if (!picture)
        return std::nullopt;
    picture->title = m_title;
    if (!isOfScreen)
        picture->inches = form.inches;
    return picture;
}

PictureForm PictureSaver::formOfScreen() const
{
    PictureForm form = m_settings ? readPictureForm(*m_settings) : m_form;
    form.size = PictureForm::Size::Screen;
    form.format = PictureFormat::Png;
    form.hasTitle = true;
    return form;
}

void PictureSaver::copyRecorded(std::optional<RecordedPicture> picture)
{
    if (picture)
        run({{std::move(*picture), QString()}});
}

void PictureSaver::copy()
{
    copyRecorded(record({}, formOfScreen()));
}

void PictureSaver::copyChart(const QString &id)
{
    copyRecorded(record(id, formOfScreen()));
}

void PictureSaver::askForChart(const QString &id)
{
    std::size_t chosen = 0;
    for (std::size_t i = 0; m_plot && m_plot->panes().size() > 1 && i < m_plot->panes().size(); ++i) {
        if (m_plot->chartOf(*m_plot->panes()[i]) == id)
            chosen = i + 1;
    }
    askForFile(subjects(), chosen);
}

void PictureSaver::askForFile(std::vector<PictureSubject> subjects, std::size_t chosen)
{
    auto *dialog = new PictureDialog(std::move(subjects), chosen, m_settings, m_widget);
    connect(dialog, &PictureDialog::ordered, this, &PictureSaver::run);
    dialog->open();
}

void PictureSaver::save(const QString &file)
{
    const std::optional<PictureFormat> format = pictureFormatOf(file);
    if (!format) {
        Q_EMIT reported(tr("%1: the file name must end in .png, .svg or .pdf").arg(file));
        return;
    }
    PictureForm form = formOfScreen();
    form.format = *format;
    if (std::optional<RecordedPicture> picture = record({}, form))
        run({{std::move(*picture), file}});
}

void PictureSaver::run(const std::vector<PictureOrder> &orders)
{
    auto *job = new PictureJob(orders, this);
    const QString text = job->file().isEmpty() ? tr("Copying picture…")
                         : job->files() == 1   ? tr("Saving %1…").arg(job->file())
                                               : tr("Saving %L1 pictures…").arg(job->files());
    auto *progress = new QProgressDialog(text, tr("Cancel"), 0, 1000, m_widget);
    progress->setObjectName(u"pictureProgress"_s);
    progress->setWindowTitle(tr("Export"));
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
    } else if (!job->problem().isEmpty()) {
        Q_EMIT reported(tr("Cannot write %1").arg(job->problem()));
    } else if (job->files() > 1) {
        Q_EMIT reported(tr("%L1 plots saved to %2").arg(job->files()).arg(QFileInfo(job->file()).absolutePath()));
    } else {
        Q_EMIT reported(tr("Plot saved to %1").arg(job->file()));
    }
}

}  // namespace sweepscope::ui
