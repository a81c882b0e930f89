#include "ui/plot/picturedialog.h"

#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto previewDelay = 150ms;
constexpr QSize previewSize(380, 320);
constexpr auto folderSetting = "picture/folder"_L1;

QString usualFolder()
{
    const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    return QFileInfo(pictures).isDir() ? pictures : QDir::homePath();
}

void addRow(QFormLayout *layout, const QString &text, QWidget *field)
{
    auto *label = new QLabel(text);
    label->setBuddy(field);
    layout->addRow(label, field);
}

}  // namespace

PictureDialog::PictureDialog(std::vector<PictureSubject> subjects, std::size_t chosen, QSettings *settings,
                             QWidget *parent)
    : QDialog(parent),
      m_subjects(std::move(subjects)),
      m_settings(settings),
      m_form(settings ? readPictureForm(*settings) : PictureForm()),
      m_folder(usualFolder()),
      m_subject(new QComboBox),
      m_format(new QComboBox),
      m_colors(new QComboBox),
      m_size(new QComboBox),
      m_width(new QDoubleSpinBox),
      m_height(new QDoubleSpinBox),
      m_unit(new QComboBox),
      m_resolution(new QSpinBox),
      m_points(new QDoubleSpinBox),
      m_title(new QCheckBox(tr("&Title above the plots"))),
      m_fileLabel(new QLabel),
      m_file(new QLineEdit),
      m_preview(new QLabel),
      m_note(new QLabel),
      m_copy(new QPushButton(tr("&Copy"))),
      m_export(new QPushButton(tr("&Export")))
{
    setObjectName(u"pictureDialog"_s);
    setWindowTitle(tr("Export plot"));
    setAttribute(Qt::WA_DeleteOnClose);
    if (settings)
        m_folder = settings->value(folderSetting, m_folder).toString();
    for (const PictureSubject &subject : m_subjects)
        m_subject->addItem(subject.name);
    const auto single = std::ranges::count(m_subjects, false, &PictureSubject::isOfSeveral);
    if (single > 1)
        m_subject->addItem(tr("One file per plot"));
    m_subject->setCurrentIndex(static_cast<int>(chosen));
    auto *halves = new QHBoxLayout;
    halves->setSpacing(spacing::large);
    halves->addWidget(buildChoices());
    halves->addWidget(buildPreview(), 1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    buttons->addButton(m_export, QDialogButtonBox::AcceptRole);
    m_copy->setObjectName(u"pictureCopy"_s);
    m_export->setObjectName(u"pictureExport"_s);
    m_export->setProperty("primary", true);
    m_export->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::large, spacing::large, spacing::large, spacing::large);
    layout->setSpacing(spacing::medium);
    layout->addLayout(halves, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connectChoices();
    showForm();
    nameFile();
    changed();
}

QWidget *PictureDialog::buildChoices()
{
    m_subject->setObjectName(u"pictureSubject"_s);
    m_subject->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_subject->setMinimumContentsLength(24);
    m_format->setObjectName(u"pictureFormat"_s);
    m_format->addItem(tr("PNG image"), static_cast<int>(PictureFormat::Png));
    m_format->addItem(tr("SVG image"), static_cast<int>(PictureFormat::Svg));
    m_format->addItem(tr("PDF document"), static_cast<int>(PictureFormat::Pdf));
    m_colors->setObjectName(u"pictureColors"_s);
    m_colors->addItem(tr("Light"), false);
    m_colors->addItem(tr("Dark"), true);
    m_size->setObjectName(u"pictureSize"_s);
    const auto addSize = [this](const QString &text, PictureForm::Size size) {
        m_size->addItem(text, static_cast<int>(size));
    };
    addSize(tr("As on screen"), PictureForm::Size::Screen);
    addSize(tr("Paper, one column"), PictureForm::Size::OneColumn);
    addSize(tr("Paper, two columns"), PictureForm::Size::TwoColumns);
    addSize(tr("Slide, 1920 × 1080 pixels"), PictureForm::Size::Slide);
    addSize(tr("Custom"), PictureForm::Size::Custom);
    m_width->setObjectName(u"pictureWidth"_s);
    m_width->setAccessibleName(tr("Width"));
    m_height->setObjectName(u"pictureHeight"_s);
    m_height->setAccessibleName(tr("Height"));
    m_unit->setObjectName(u"pictureUnit"_s);
    m_unit->setAccessibleName(tr("Unit"));
    m_unit->addItem(tr("mm"), static_cast<int>(PictureForm::Unit::Millimeters));
    m_unit->addItem(tr("inches"), static_cast<int>(PictureForm::Unit::Inches));
    m_unit->addItem(tr("pixels"), static_cast<int>(PictureForm::Unit::Pixels));
    m_resolution->setObjectName(u"pictureResolution"_s);
    m_resolution->setRange(leastResolution, mostResolution);
    m_resolution->setSuffix(tr(" dpi"));
    m_points->setObjectName(u"pictureText"_s);
    m_points->setRange(leastPoints, mostPoints);
    m_points->setDecimals(1);
    m_points->setSuffix(tr(" pt"));
    m_title->setObjectName(u"pictureTitle"_s);
    auto *measures = new QWidget;
    auto *measuresLayout = new QHBoxLayout(measures);
    measuresLayout->setContentsMargins(0, 0, 0, 0);
    measuresLayout->setSpacing(spacing::small);
    measuresLayout->addWidget(m_width, 1);
    measuresLayout->addWidget(new QLabel(u"×"_s));
    measuresLayout->addWidget(m_height, 1);
    measuresLayout->addWidget(m_unit);
    measures->setFocusProxy(m_width);
    m_file->setObjectName(u"pictureFile"_s);
    m_file->setMinimumWidth(textScaled(240));
    m_fileLabel->setBuddy(m_file);
    auto *browse = new QPushButton(tr("&Browse…"));
    browse->setObjectName(u"pictureBrowse"_s);
    browse->setAutoDefault(false);
    connect(browse, &QPushButton::clicked, this, &PictureDialog::chooseFile);
    auto *file = new QWidget;
    auto *fileLayout = new QHBoxLayout(file);
    fileLayout->setContentsMargins(0, 0, 0, 0);
    fileLayout->setSpacing(spacing::small);
    fileLayout->addWidget(m_file, 1);
    fileLayout->addWidget(browse);

    auto *choices = new QWidget;
    auto *layout = new QFormLayout(choices);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(spacing::medium);
    layout->setVerticalSpacing(spacing::small);
    layout->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addRow(layout, tr("&Plot"), m_subject);
    addRow(layout, tr("Fo&rmat"), m_format);
    addRow(layout, tr("Co&lors"), m_colors);
    addRow(layout, tr("&Size"), m_size);
    addRow(layout, tr("&Width × height"), measures);
    addRow(layout, tr("&Resolution"), m_resolution);
    addRow(layout, tr("Te&xt size"), m_points);
    layout->addRow(QString(), m_title);
    layout->addRow(m_fileLabel, file);
    return choices;
}

QWidget *PictureDialog::buildPreview()
{
    auto *side = new QWidget;
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    m_preview->setObjectName(u"picturePreview"_s);
    m_preview->setAccessibleName(tr("Preview"));
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setMinimumSize(previewSize);
    m_note->setObjectName(u"pictureNote"_s);
    setTextRole(m_note, TextRole::Small);
    m_note->setWordWrap(true);
    m_note->setMinimumHeight(2 * m_note->fontMetrics().lineSpacing());
    m_note->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    layout->addWidget(m_preview, 1);
    layout->addWidget(m_note);
    return side;
}

void PictureDialog::connectChoices()
{
    connect(m_subject, &QComboBox::currentIndexChanged, this, [this] {
        nameFile();
        changed();
    });
    connect(m_format, &QComboBox::currentIndexChanged, this, [this] {
        m_form.format = static_cast<PictureFormat>(m_format->currentData().toInt());
        if (!areAll() && !m_isShowing)
            m_file->setText(withEnding(m_file->text(), m_form.format));
        changed();
    });
    connect(m_colors, &QComboBox::currentIndexChanged, this, [this] {
        m_form.isDark = m_colors->currentData().toBool();
        changed();
    });
    connect(m_size, &QComboBox::currentIndexChanged, this, &PictureDialog::choosePreset);
    for (QDoubleSpinBox *side : {m_width, m_height})
        connect(side, &QDoubleSpinBox::valueChanged, this, &PictureDialog::changeSize);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &PictureDialog::changeUnit);
    connect(m_resolution, &QSpinBox::valueChanged, this, [this](int resolution) {
        m_form.resolution = resolution;
        showForm();  // the size in pixels
        changed();
    });
    connect(m_points, &QDoubleSpinBox::valueChanged, this, [this](double points) {
        if (m_isShowing)
            return;
        m_form.points = points;
        if (m_form.size == PictureForm::Size::Screen)
            m_form.size = PictureForm::Size::Custom;
        showForm();
        changed();
    });
    connect(m_title, &QCheckBox::toggled, this, [this](bool on) {
        m_form.hasTitle = on;
        changed();
    });
    connect(m_file, &QLineEdit::textChanged, this, &PictureDialog::check);
    connect(m_file, &QLineEdit::editingFinished, this, &PictureDialog::followFile);
    connect(m_export, &QPushButton::clicked, this, [this] { order(true); });
    connect(m_copy, &QPushButton::clicked, this, [this] { order(false); });
    m_soon.setSingleShot(true);
    m_soon.setInterval(previewDelay);
    connect(&m_soon, &QTimer::timeout, this, &PictureDialog::showPreview);
}

PictureForm PictureDialog::form() const
{
    return m_form;
}

bool PictureDialog::areAll() const
{
    return static_cast<std::size_t>(m_subject->currentIndex()) >= m_subjects.size();
}

std::vector<const PictureSubject *> PictureDialog::chosen() const
{
    if (!areAll())
        return {&m_subjects[static_cast<std::size_t>(m_subject->currentIndex())]};
    std::vector<const PictureSubject *> all;
    for (const PictureSubject &subject : m_subjects) {
        if (!subject.isOfSeveral)
            all.push_back(&subject);
    }
    return all;
}

QString PictureDialog::fileOf(const PictureSubject &subject) const
{
    const QString path = m_file->text().trimmed();
    return withEnding(areAll() ? QDir(path).filePath(subject.fileName) : path, m_form.format);
}

void PictureDialog::nameFile()
{
    m_fileLabel->setText(areAll() ? tr("Fol&der") : tr("F&ile"));
    m_file->setText(areAll() ? m_folder
                             : withEnding(QDir(m_folder).filePath(chosen().front()->fileName), m_form.format));
    m_copy->setEnabled(!areAll());
}

void PictureDialog::chooseFile()
{
    auto *chooser = new QFileDialog(this, areAll() ? tr("Target folder") : tr("Target file"), m_file->text());
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    if (areAll()) {
        chooser->setFileMode(QFileDialog::Directory);
        chooser->setOption(QFileDialog::ShowDirsOnly);
    } else {
        chooser->setAcceptMode(QFileDialog::AcceptSave);
        chooser->setOption(QFileDialog::DontConfirmOverwrite);  // the note says so
    }
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString &path) {
        m_file->setText(path);
        followFile();
    });
    chooser->open();
}

/// The ending of a file name chooses the format.
void PictureDialog::followFile()
{
    m_folder = areAll() ? m_file->text() : QFileInfo(m_file->text()).path();
    const std::optional<PictureFormat> format = areAll() ? std::nullopt : pictureFormatOf(m_file->text());
    if (format)
        m_format->setCurrentIndex(m_format->findData(static_cast<int>(*format)));
}

void PictureDialog::choosePreset()
{
    if (m_isShowing)
        return;
    chooseSize(m_form, static_cast<PictureForm::Size>(m_size->currentData().toInt()));
    showForm();
    changed();
}

void PictureDialog::changeSize()
{
    if (m_isShowing)
        return;
    m_form.size = PictureForm::Size::Custom;
    m_form.inches = {fromUnit(m_width->value(), m_form.unit, m_form.resolution),
                     fromUnit(m_height->value(), m_form.unit, m_form.resolution)};
    showForm();
    changed();
}

void PictureDialog::changeUnit()
{
    if (m_isShowing)
        return;
    m_form.unit = static_cast<PictureForm::Unit>(m_unit->currentData().toInt());
    showForm();
}

void PictureDialog::showForm()
{
    const QScopedValueRollback showing(m_isShowing, true);
    m_format->setCurrentIndex(m_format->findData(static_cast<int>(m_form.format)));
    m_colors->setCurrentIndex(m_form.isDark ? 1 : 0);
    m_size->setCurrentIndex(m_size->findData(static_cast<int>(m_form.size)));
    m_unit->setCurrentIndex(m_unit->findData(static_cast<int>(m_form.unit)));
    m_resolution->setValue(m_form.resolution);
    m_points->setValue(m_form.points);
    m_title->setChecked(m_form.hasTitle);
    constexpr double most = 99'999;
    const int decimals = m_form.unit == PictureForm::Unit::Inches        ? 2
                         : m_form.unit == PictureForm::Unit::Millimeters ? 1
                                                                         : 0;
    for (QDoubleSpinBox *side : {m_width, m_height}) {
        const double value = side == m_width ? m_form.inches.width() : m_form.inches.height();
        const double shown = toUnit(value, m_form.unit, m_form.resolution);
        side->setDecimals(decimals);
        side->setRange(0, most);
        if (std::abs(side->value() - shown) > 0.6 * std::pow(10, -decimals))  // what the user types stays
            side->setValue(shown);
    }
}

void PictureDialog::changed()
{
    check();
    m_soon.start();
}

void PictureDialog::check()
{
    QString problem = problemOf(m_form);
    const QString path = m_file->text().trimmed();
    const QString folder = areAll() ? path : QFileInfo(path).path();
    const bool hasSize = !m_form.inches.isEmpty();
    if (m_form.size == PictureForm::Size::Screen && !hasSize)
        problem.clear();  // it comes with the preview
    m_copy->setEnabled(!areAll() && problem.isEmpty());
    if (problem.isEmpty() && (path.isEmpty() || !QFileInfo(folder).isDir()))
        problem = tr("This folder does not exist: %1").arg(folder);
    m_export->setEnabled(problem.isEmpty());
    QStringList notes;
    if (!problem.isEmpty()) {
        notes << problem;
    } else {
        const QSize pixels = pixelsOf(m_form);
        if (m_form.format == PictureFormat::Png && hasSize)
            notes << tr("%L1 × %L2 pixels").arg(pixels.width()).arg(pixels.height());
        if (m_textScale < 0.97)
            notes << tr("The plots need more height. Text is reduced to %1 pt.")
                         .arg(m_form.points * m_textScale, 0, 'f', 1);
        QStringList existing;
        for (const PictureSubject *subject : chosen()) {
            if (QFileInfo::exists(fileOf(*subject)))
                existing << QFileInfo(fileOf(*subject)).fileName();
        }
        if (existing.size() == 1)
            notes << tr("Replaces %1.").arg(existing.front());
        else if (existing.size() > 1)
            notes << tr("Replaces %L1 files.").arg(existing.size());
    }
    m_note->setText(notes.join(u" · "_s));
    m_note->setForegroundRole(problem.isEmpty() ? QPalette::PlaceholderText : QPalette::Text);
}

void PictureDialog::showPreview()
{
    if (m_job)
        return;  // starts again when it has finished
    const bool isOfScreen = m_form.size == PictureForm::Size::Screen;
    PictureForm form = m_form;
    form.format = PictureFormat::Png;
    if (!isOfScreen && !problemOf(form).isEmpty() && !problemOf(m_form).isEmpty())
        return;
    const double ratio = devicePixelRatioF();
    std::optional<RecordedPicture> picture;
    if (isOfScreen) {
        form.resolution = leastResolution;
    } else {
        form.resolution = static_cast<int>(
            std::max(8.0, std::min(m_preview->width() / form.inches.width(), m_preview->height() / form.inches.height())
                              * ratio));
    }
    picture = chosen().front()->record(form);
    if (!picture) {
        m_preview->setText(tr("This plot is no longer shown."));
        return;
    }
    m_textScale = picture->textScale;
    if (isOfScreen) {
        m_form.inches = QSizeF(picture->size) / picture->resolution;
        showForm();
    }
    check();
    m_job = new PictureJob({{std::move(*picture), QString()}}, this);
    connect(m_job, &QThread::finished, this, &PictureDialog::finishPreview);
    m_job->start();
}

void PictureDialog::finishPreview()
{
    QImage image = m_job->image();
    m_job->deleteLater();
    m_job = nullptr;
    if (!image.isNull()) {
        const double ratio = devicePixelRatioF();
        image =
            image.scaled((QSizeF(m_preview->size()) * ratio).toSize(), Qt::KeepAspectRatio, Qt::SmoothTransformation);
        image.setDevicePixelRatio(ratio);
        m_preview->setPixmap(QPixmap::fromImage(image));
    }
}

void PictureDialog::order(bool asFiles)
{
    followFile();
    std::vector<PictureOrder> orders;
    for (const PictureSubject *subject : chosen()) {
        PictureForm form = m_form;
        if (!asFiles)
            form.format = PictureFormat::Png;
        std::optional<RecordedPicture> picture = subject->record(form);
        if (picture)
            orders.push_back({std::move(*picture), asFiles ? fileOf(*subject) : QString()});
    }
    keep();
    if (!orders.empty())
        Q_EMIT ordered(orders);
    accept();
}

void PictureDialog::keep() const
{
    if (!m_settings)
        return;
    writePictureForm(*m_settings, m_form);
    m_settings->setValue(folderSetting, m_folder);
}

}  // namespace sweepscope::ui
