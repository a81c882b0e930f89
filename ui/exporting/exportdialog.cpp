#include "ui/exporting/exportdialog.h"

#include "exporting/reportedrun.h"
#include "ui/models/valuetext.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QStandardPaths>
#include <QStyle>
#include <QTemporaryDir>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int dialogWidth = 640;
constexpr auto folderSetting = "export/folder"_L1;
constexpr auto formatSetting = "export/format"_L1;

QLabel *note(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setWordWrap(true);
    label->setContentsMargins(24, 0, 0, 0);
    return label;
}

std::filesystem::path toPath(const QString &text)
{
    return text.toStdString();
}

}  // namespace

ExportDialog::ExportDialog(protocol::EngineClient *client, qint64 sweepId, QSettings *settings, QWidget *parent)
    : QDialog(parent),
      m_client(client),
      m_sweepId(sweepId),
      m_settings(settings),
      m_trials(new QCheckBox(tr("&Trials"), this)),
      m_curves(new QCheckBox(tr("&Curves"), this)),
      m_report(new QCheckBox(tr("Report (P&DF)"), this)),
      m_html(new QCheckBox(tr("Report (HTM&L)"), this)),
      m_tensorBoard(new QCheckBox(tr("Tensor&Board"), this)),
      m_optuna(new QCheckBox(tr("Opt&una"), this)),
      m_format(new QComboBox(this)),
      m_choice(new ExportChoice(this)),
      m_trialsNote(note(this)),
      m_curvesNote(note(this)),
      m_reportNote(note(this)),
      m_othersNote(note(this)),
      m_area(new QScrollArea(this)),
      m_folder(new QLineEdit(this)),
      m_choose(new QPushButton(symbolIcon(u"folder"_s), tr("C&hoose…"), this)),
      m_openFolder(new QPushButton(symbolIcon(u"open"_s), tr("&Open folder"), this)),
      m_copy(new QPushButton(symbolIcon(u"copy"_s), tr("Cop&y"), this)),
      m_export(new QPushButton(symbolIcon(u"export"_s, QPalette::BrightText), tr("&Export"), this)),
      m_close(new QPushButton(tr("Close"), this)),
      m_progress(new QProgressBar(this)),
      m_message(new QLabel(this))
{
    setObjectName(u"exportDialog"_s);
    if (const sweep::SweepRecord *record = client->sweep(sweepId)) {
        setWindowTitle(tr("Export %1 (#%2)").arg(QString::fromStdString(record->name)).arg(record->id));
        m_baseName = QString::fromStdString(record->folder);
    }
    m_trials->setObjectName(u"exportTrials"_s);
    m_trials->setChecked(true);
    m_curves->setObjectName(u"exportCurves"_s);
    m_curves->setChecked(true);
    m_report->setObjectName(u"exportReport"_s);
    m_html->setObjectName(u"exportHtml"_s);
    m_tensorBoard->setObjectName(u"exportTensorBoard"_s);
    m_optuna->setObjectName(u"exportOptuna"_s);
    m_format->setObjectName(u"exportFormat"_s);
    m_format->addItem(tr("CSV, for spreadsheets and pandas"), u".csv"_s);
    m_format->addItem(tr("JSON, for programs"), u".json"_s);
    m_format->setCurrentIndex(std::max(0, m_format->findData(settings->value(formatSetting))));
    m_folder->setObjectName(u"exportFolder"_s);
    m_folder->setAccessibleName(tr("Target folder"));
    m_choose->setObjectName(u"exportChooseFolder"_s);
    m_openFolder->setObjectName(u"exportOpenFolder"_s);
    m_export->setObjectName(u"exportButton"_s);
    m_export->setProperty("primary", true);
    m_export->setDefault(true);
    m_copy->setObjectName(u"exportCopy"_s);
    m_close->setObjectName(u"exportClose"_s);
    m_progress->setObjectName(u"exportProgress"_s);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_message->setObjectName(u"exportMessage"_s);
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    buildLayout();

    connect(m_choose, &QPushButton::clicked, this, &ExportDialog::chooseFolder);
    connect(m_openFolder, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_folder->text())); });
    connect(m_copy, &QPushButton::clicked, this, &ExportDialog::copy);
    connect(m_choice, &ExportChoice::changed, this, &ExportDialog::check);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::start);
    connect(m_close, &QPushButton::clicked, this, &ExportDialog::reject);
    connect(m_client, &protocol::EngineClient::historyArrived, this,
            [this](quint64 request, qint64, int trial, const sweep::TrialHistory &history) {
                if (m_history == 0 || request != m_history)
                    return;
                m_job->setHistory(trial, history);
                startWithHistory();
            });
    connect(m_client, &protocol::EngineClient::requestFailed, this, [this](quint64 request) {
        if (m_history != 0 && request == m_history)
            startWithHistory();  // the report leaves out code and environment
    });
    connect(m_folder, &QLineEdit::textChanged, this, &ExportDialog::check);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::nameFiles);
    nameFiles();
    for (const QCheckBox *box : {m_trials, m_curves, m_report, m_html, m_tensorBoard, m_optuna})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::check);

    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    setFolder(m_settings->value(folderSetting, QDir(documents).exists() ? documents : QDir::homePath()).toString());
    setScope({});
    offerSeries();
    setRunning(false);
    m_openFolder->hide();
    followTextSize(this, [this] { fit(); });
}

ExportDialog::~ExportDialog() = default;

void ExportDialog::buildLayout()
{
    auto *folderLabel = new QLabel(tr("&Folder"), this);
    folderLabel->setBuddy(m_folder);
    auto *folderRow = new QHBoxLayout;
    folderRow->setSpacing(spacing::small);
    folderRow->addWidget(folderLabel);
    folderRow->addWidget(m_folder, 1);
    folderRow->addWidget(m_choose);

    auto *formatLabel = new QLabel(tr("For&mat"), this);
    formatLabel->setBuddy(m_format);
    auto *formatRow = new QHBoxLayout;
    formatRow->setSpacing(spacing::small);
    formatRow->addWidget(formatLabel);
    formatRow->addWidget(m_format, 1);

    for (QLabel *label : {folderLabel, formatLabel})  // aligned with the labels above
        followTextSize(label, [this, label] { label->setMinimumWidth(m_choice->titleWidth()); });

    auto *buttons = new QDialogButtonBox(this);
    buttons->addButton(m_export, QDialogButtonBox::AcceptRole);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    buttons->addButton(m_close, QDialogButtonBox::RejectRole);

    QSizePolicy keepsPlace = m_progress->sizePolicy();
    keepsPlace.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(keepsPlace);
    m_message->setMinimumHeight(2 * m_message->fontMetrics().lineSpacing());
    m_message->setAlignment(Qt::AlignTop | Qt::AlignLeft);

    const auto rowOf = [](QCheckBox *first, QCheckBox *second) {
        auto *row = new QHBoxLayout;
        row->setSpacing(spacing::large);
        row->addWidget(first);
        row->addWidget(second);
        row->addStretch(1);
        return row;
    };

    auto *choices = new QWidget(this);
    m_choices = new QVBoxLayout(choices);
    m_choices->setContentsMargins({});
    m_choices->setSpacing(spacing::small);
    m_choices->addWidget(m_trials);
    m_choices->addWidget(m_trialsNote);
    m_choices->addWidget(m_curves);
    m_choices->addWidget(m_curvesNote);
    m_choices->addLayout(rowOf(m_report, m_html));
    m_choices->addWidget(m_reportNote);
    m_choices->addLayout(rowOf(m_tensorBoard, m_optuna));
    m_choices->addWidget(m_othersNote);
    m_choices->addSpacing(spacing::small);
    m_choices->addWidget(m_choice);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setWidgetResizable(true);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setWidget(choices);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::large, spacing::large, spacing::large, spacing::large);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_area, 1);
    layout->addSpacing(spacing::small);
    layout->addLayout(formatRow);
    layout->addLayout(folderRow);
    layout->addSpacing(spacing::small);
    layout->addWidget(m_progress);
    layout->addWidget(m_message);
    auto *bottom = new QHBoxLayout;
    bottom->addWidget(m_openFolder);  // a QDialogButtonBox would show it whenever the style changes
    bottom->addWidget(buttons, 1);
    layout->addLayout(bottom);
}

/// As high as its contents, but never higher than the screen: then the choices scroll.
void ExportDialog::fit()
{
    const QRect screenArea = screen()->availableGeometry();
    const int width = std::min(textScaled(dialogWidth), screenArea.width());
    setMinimumWidth(width);
    m_area->setMinimumWidth(m_area->widget()->minimumSizeHint().width());
    const int wanted =
        m_choices->totalHeightForWidth(width - 2 * spacing::large) + sizeHint().height() - m_area->sizeHint().height();
    resize(std::max(width, sizeHint().width()), std::min(wanted, screenArea.height()));
}

void ExportDialog::setFolder(const QString &folder)
{
    m_folder->setText(QDir::toNativeSeparators(folder));
}

void ExportDialog::chooseFolder()
{
    auto *chooser = new QFileDialog(this, tr("Target folder"), m_folder->text());
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::Directory);
    chooser->setOption(QFileDialog::ShowDirsOnly);
    connect(chooser, &QFileDialog::fileSelected, this, &ExportDialog::setFolder);
    chooser->open();
}

QString ExportDialog::ending() const
{
    return m_format->currentData().toString();
}

void ExportDialog::nameFiles()
{
    m_trialsNote->setText(tr("Per trial: parameters, seed, objective, times, devices, reason, tags and note.") + u'\n'
                          + m_baseName + u"-trials"_s + ending());
    m_curvesNote->setText(tr("All points of each rank and attempt; can be large.") + u'\n' + m_baseName + u"-curves"_s
                          + ending());
    m_reportNote->setText(tr("Best trials, curves, parameter importance, failures, findings, code and definition.")
                          + u'\n' + m_baseName + u"-report.pdf, "_s + m_baseName + u"-report.html"_s);
    m_othersNote->setText(tr("Event files, one folder per trial, and a study as a journal.") + u'\n' + m_baseName
                          + u"-tensorboard/, "_s + m_baseName + u"-optuna.journal"_s);
}

bool ExportDialog::isAnyChosen() const
{
    return std::ranges::any_of(outputs(), [](const auto &output) { return output.first->isChecked(); });
}

/// The clipboard takes one.
bool ExportDialog::isOneTableChosen() const
{
    const auto chosen = std::ranges::count_if(outputs(), [](const auto &output) { return output.first->isChecked(); });
    return chosen == 1 && (m_trials->isChecked() || m_curves->isChecked());
}

QString ExportDialog::pathWith(const QString &rest) const
{
    return QDir(m_folder->text().trimmed()).absoluteFilePath(m_baseName + rest);
}

/// Where each box makes the export write.
std::vector<std::pair<const QCheckBox *, QString>> ExportDialog::outputs() const
{
    return {{m_trials, pathWith(u"-trials"_s + ending())}, {m_curves, pathWith(u"-curves"_s + ending())},
            {m_report, pathWith(u"-report.pdf"_s)},        {m_html, pathWith(u"-report.html"_s)},
            {m_tensorBoard, pathWith(u"-tensorboard"_s)},  {m_optuna, pathWith(u"-optuna.journal"_s)}};
}

/// Those that would be overwritten. A folder with contents is an error of the export.
QStringList ExportDialog::existingFiles() const
{
    QStringList files;
    for (const auto &output : outputs()) {
        if (output.first->isChecked() && QFileInfo(output.second).isFile())
            files << QFileInfo(output.second).fileName();
    }
    return files;
}

void ExportDialog::check()
{
    if (m_job)
        return;
    const bool curves = m_curves->isChecked();
    const bool trials = m_trials->isChecked();
    m_choice->enableColumns(trials);
    m_choice->enableCurves(curves);
    const QString folder = folderProblem();
    const QString choice = curves ? m_choice->problem() : QString();
    markProblem(m_folder, !folder.isEmpty());
    for (QLineEdit *line : m_choice->findChildren<QLineEdit *>())
        markProblem(line, curves && line == m_choice->wrongField());
    m_export->setEnabled(folder.isEmpty() && choice.isEmpty() && isAnyChosen());
    m_copy->setEnabled(choice.isEmpty() && isOneTableChosen());
    m_copy->setToolTip(isAnyChosen() && !isOneTableChosen() ? tr("To copy, select only trials or only curves.")
                                                            : tr("Copy to the clipboard in this format"));
    const QString problem = choice.isEmpty() ? folder : choice;
    if (!problem.isEmpty() || m_showsProblem)  // keep the result of the last export
        showMessage(problem, true);
}

QString ExportDialog::folderProblem() const
{
    const QFileInfo folder(m_folder->text().trimmed());
    if (m_folder->text().trimmed().isEmpty())
        return tr("Enter a target folder.");
    if (!folder.exists())
        return tr("%1 does not exist. Choose another folder.").arg(folder.filePath());
    if (!folder.isDir())
        return tr("%1 is a file. Choose a folder.").arg(folder.filePath());
    if (!folder.isWritable())
        return tr("%1 is not writable. Choose another folder.").arg(folder.filePath());
    return {};
}

void ExportDialog::setScope(const ExportScope &scope)
{
    m_choice->setScope(scope, static_cast<int>(m_client->trials(m_sweepId).size()));
    check();
}

void ExportDialog::offerSeries()
{
    const sweep::SweepRecord *record = m_client->sweep(m_sweepId);
    const std::vector<sweep::TrialRecord> &trials = m_client->trials(m_sweepId);
    // The trial that progressed furthest has declared the most series.
    const auto furthest = std::ranges::max_element(
        trials, {}, [](const sweep::TrialRecord &trial) { return std::pair(trial.attempts > 0, trial.step); });
    if (record && furthest != trials.end() && furthest->attempts > 0)
        m_choice->offerSeriesOf({toPath(m_client->workspace())}, *record, *furthest);
}

void ExportDialog::keepChoices()
{
    m_settings->setValue(folderSetting, m_folder->text().trimmed());
    m_settings->setValue(formatSetting, ending());
}

void ExportDialog::setRunning(bool running)
{
    for (QWidget *widget : std::initializer_list<QWidget *>{m_trials, m_curves, m_report, m_html, m_tensorBoard,
                                                            m_optuna, m_choice, m_format, m_folder, m_choose})
        widget->setEnabled(!running);
    m_export->setEnabled(!running && isAnyChosen() && folderProblem().isEmpty());
    m_copy->setEnabled(!running && isOneTableChosen());
    m_progress->setVisible(running);
    m_close->setText(running ? tr("Cancel") : tr("Close"));
    m_close->setEnabled(true);
}

void ExportDialog::showMessage(const QString &text, bool bad)
{
    QPalette colors;
    if (bad)
        colors.setColor(QPalette::WindowText, problemColor(palette()));
    m_showsProblem = bad;
    m_message->setPalette(colors);
    m_message->setText(text);
}

void ExportDialog::reject()
{
    if (!m_job) {
        QDialog::reject();
        return;
    }
    m_job->cancel();
    m_close->setEnabled(false);
    showMessage(tr("Canceling…"), false);
    if (m_history != 0)
        startWithHistory();
}

void ExportDialog::start()
{
    const QStringList existing = existingFiles();
    if (existing.isEmpty()) {
        write();
        return;
    }
    auto *question = new QMessageBox(QMessageBox::Question, windowTitle(),
                                     tr("This overwrites %1 in this folder.").arg(existing.join(tr(" and "))),
                                     QMessageBox::Cancel, this);
    question->setObjectName(u"overwriteDialog"_s);
    question->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton *overwrite = question->addButton(tr("Overwrite"), QMessageBox::AcceptRole);
    overwrite->setObjectName(u"overwriteButton"_s);
    connect(overwrite, &QPushButton::clicked, this, &ExportDialog::write);
    question->open();
}

void ExportDialog::write()
{
    const sweep::SweepRecord *record = m_client->sweep(m_sweepId);
    if (!record) {
        showMessage(tr("This sweep no longer exists."), true);
        return;
    }
    keepChoices();
    ExportOrder order = orderOf(*record);
    const auto outputOf = [this](const QCheckBox *box) {
        const auto all = outputs();
        return box->isChecked() ? toPath(std::ranges::find(all, box, &decltype(all)::value_type::first)->second)
                                : std::filesystem::path();
    };
    order.trialsFile = outputOf(m_trials);
    order.curvesFile = outputOf(m_curves);
    order.reportFile = outputOf(m_report);
    order.htmlFile = outputOf(m_html);
    order.tensorBoardFolder = outputOf(m_tensorBoard);
    order.optunaFile = outputOf(m_optuna);
    run(std::move(order));
}

ExportOrder ExportDialog::orderOf(const sweep::SweepRecord &record) const
{
    ExportOrder order;
    order.workspace = {m_client->workspace().toStdString()};
    order.sweep = record;
    order.trials = m_choice->chosenOf(m_client->trials(m_sweepId));
    order.columns = m_choice->columns();
    order.curves = m_choice->curves();
    return order;
}

void ExportDialog::copy()
{
    const sweep::SweepRecord *record = m_client->sweep(m_sweepId);
    m_copyFolder = std::make_unique<QTemporaryDir>();
    if (!record || !m_copyFolder->isValid()) {
        showMessage(record ? m_copyFolder->errorString() : tr("This sweep no longer exists."), true);
        return;
    }
    ExportOrder order = orderOf(*record);
    (m_trials->isChecked() ? order.trialsFile : order.curvesFile) =
        m_copyFolder->filePath(u"copy"_s + ending()).toStdString();
    order.readBack = true;
    run(std::move(order));
}

void ExportDialog::run(ExportOrder order)
{
    const int reported =
        order.htmlFile.empty() && order.reportFile.empty() ? 0 : exporting::reportedTrial(order.trials);
    m_job = std::make_unique<ExportJob>(std::move(order));
    m_clock.start();
    connect(m_job.get(), &ExportJob::progressed, this, &ExportDialog::showProgress);
    connect(m_job.get(), &QThread::finished, this, &ExportDialog::finish);
    m_progress->setValue(0);
    setRunning(true);
    showMessage(tr("Writing…"), false);
    if (reported == 0)
        m_job->start();
    else
        m_history = m_client->requestHistory(m_sweepId, reported);
}

void ExportDialog::startWithHistory()
{
    m_history = 0;
    if (m_job)
        m_job->start();
}

void ExportDialog::showProgress(int permille)
{
    m_progress->setValue(permille);
    constexpr qint64 estimateDelay = 2'000;  // milliseconds before an estimate is possible
    if (permille == 0 || m_clock.elapsed() < estimateDelay || m_job->wasCancelled())
        return;
    const double seconds = static_cast<double>(m_clock.elapsed()) / 1000;
    showMessage(tr("Writing… %1").arg(timeLeftText(seconds * (1000 - permille) / permille)), false);
}

void ExportDialog::finish()
{
    if (!m_job || !m_job->isFinished())
        return;
    m_job->wait();
    const std::unique_ptr<ExportJob> job = std::move(m_job);
    setRunning(false);
    QStringList lines;
    const bool isCopy = std::exchange(m_copyFolder, nullptr) != nullptr;
    if (isCopy && !job->wasCancelled() && job->problem().isEmpty()) {
        QGuiApplication::clipboard()->setText(job->text());
        const qsizetype copiedLines = job->text().count(u'\n');
        showMessage(copiedLines == 1 ? tr("Copied 1 line.") : tr("Copied %L1 lines.").arg(copiedLines), false);
        Q_EMIT copied();
        return;
    }
    if (job->wasCancelled())
        lines << tr("Canceled.");
    else if (!job->problem().isEmpty())
        lines << job->problem();
    for (const QString &written : isCopy ? QStringList() : job->writtenFiles()) {
        const QFileInfo file(written);
        lines << (file.isDir() ? tr("Wrote the folder %1").arg(file.fileName())
                               : tr("Wrote %1 (%2)").arg(file.fileName(), fileSizeText(file.size())));
    }
    const bool bad = !job->wasCancelled() && !job->problem().isEmpty();
    showMessage(lines.join(u'\n'), bad);
    m_openFolder->setVisible(!isCopy && !job->writtenFiles().isEmpty());
    if (!bad && !job->wasCancelled())
        Q_EMIT exported(job->writtenFiles());
}

}  // namespace sweepscope::ui
