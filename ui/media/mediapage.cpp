#include "ui/media/mediapage.h"

#include "base/workspacelayout.h"
#include "media/mediacontent.h"
#include "sweep/trialchain.h"
#include "ui/base/emptyview.h"
#include "ui/base/noticebanner.h"
#include "ui/base/taborder.h"
#include "ui/media/contentview.h"
#include "ui/media/mediadelegate.h"
#include "ui/media/medialoader.h"
#include "ui/media/mediamodel.h"
#include "ui/media/mediawords.h"
#include "ui/models/newestjob.h"
#include "ui/models/valuetext.h"
#include "ui/theme/icons.h"
#include "ui/theme/textsize.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSlider>
#include <QTableView>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int cellWidth = 150;
constexpr int rowHeader = 130;
constexpr int tableWidth = 620;
constexpr int contentWidth = 420;
constexpr std::size_t mostFetched = 64;  // trials, from another machine

int cellHeight(media::MediaKind kind)
{
    switch (kind) {
    case media::MediaKind::Text:
        return 90;
    case media::MediaKind::Table:
    case media::MediaKind::Artifact:
        return 34;
    default:
        return 120;
    }
}

}  // namespace

MediaPage::MediaPage(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent)
    : EnginePage(client, selection, u"media"_s, 500ms, parent),
      m_catalog(std::make_shared<MediaCatalog>()),
      m_job(new NewestJob(0ms, this)),
      m_loader(new MediaLoader(this)),
      m_model(new MediaModel(this)),
      m_table(new QTableView),
      m_content(new ContentView(m_loader)),
      m_names(new QComboBox),
      m_step(new QSlider(Qt::Horizontal)),
      m_stepText(new QLabel),
      m_summary(new QLabel),
      m_save(new QToolButton),
      m_folder(new QToolButton),
      m_notice(new NoticeBanner)
{
    setObjectName(u"mediaPage"_s);
    setFirstForKeys(this, m_table);
    buildTable();
    buildHead();
    content()->addWidget(m_notice);
    addParts(Qt::Horizontal, m_table, m_content, {tableWidth, contentWidth});
    m_poll.setInterval(2s);
    connect(&m_poll, &QTimer::timeout, this, &MediaPage::readLater);
    connect(m_loader, &MediaLoader::loaded, this, [this] {
        m_table->viewport()->update();
        m_content->refresh();
    });
    connect(selection, &SelectionModel::brushChanged, this, [this] {
        if (isVisible())
            showNames();
    });
    m_saving.setMaxThreadCount(1);
    showNothing();
}

MediaPage::~MediaPage()
{
    m_saving.waitForDone();
}

void MediaPage::buildHead()
{
    m_names->setObjectName(u"mediaNames"_s);
    m_names->setAccessibleName(tr("Name"));
    m_names->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_names, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling)
            showGrid();
    });
    m_step->setObjectName(u"mediaStep"_s);
    m_step->setAccessibleName(tr("Step"));
    m_step->setMinimumWidth(cellWidth);
    connect(m_step, &QSlider::valueChanged, this, [this](int column) {
        if (!m_isFilling)
            goToStep(column);
    });
    m_stepText->setObjectName(u"mediaStepText"_s);
    m_summary->setObjectName(u"mediaSummary"_s);
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    const auto setUp = [](QToolButton *button, const QString &name, const QString &icon, const QString &text) {
        button->setObjectName(name);
        button->setIcon(symbolIcon(icon));
        button->setText(text);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    };
    setUp(m_save, u"mediaSave"_s, u"save"_s, tr("Save as…"));
    m_save->setToolTip(tr("Save a copy of the selected item"));
    connect(m_save, &QToolButton::clicked, this, &MediaPage::saveSelected);
    setUp(m_folder, u"mediaFolder"_s, u"folder"_s, tr("Open folder"));
    m_folder->setToolTip(tr("Open the folder of the attempt that recorded the selected item"));
    connect(m_folder, &QToolButton::clicked, this, &MediaPage::openFolder);
    QHBoxLayout *head = addRow();
    head->addWidget(m_names);
    head->addWidget(m_step);
    head->addWidget(m_stepText);
    head->addWidget(m_summary, 1);
    head->addWidget(m_save);
    head->addWidget(m_folder);
}

void MediaPage::buildTable()
{
    m_table->setObjectName(u"mediaGrid"_s);
    m_table->setAccessibleName(tr("Media by trial and step"));
    m_table->setModel(m_model);
    m_delegate = new MediaDelegate(m_model, m_loader, this);
    m_table->setItemDelegate(m_delegate);
    connect(
        m_delegate, &MediaDelegate::rangeChanged, this,
        [this] {
            m_table->viewport()->update();
            showSummary();
        },
        Qt::QueuedConnection);  // not while it paints
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setMinimumWidth(cellWidth);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    followTextSize(m_table, [this] { showRowSizes(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &MediaPage::showSelected);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &MediaPage::showSelected);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) {
        if (const PlacedItem item = m_model->itemAt(index))
            Q_EMIT trialActivated(m_sweepId, item.source->trial);
    });
}

void MediaPage::hideEvent(QHideEvent *event)
{
    EnginePage::hideEvent(event);
    m_poll.stop();
}

void MediaPage::followSelection(bool isOtherSweep)
{
    if (isOtherSweep)
        refresh();
}

void MediaPage::refresh()
{
    if (!isVisible())
        return;
    if (std::exchange(m_sweepId, sweepId()) != sweepId()) {
        m_job->drop();
        m_isRead = false;
        m_listing = {};
        showNames();
    }
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_sweepId);
    const bool isGrowing = std::ranges::any_of(
        trials, [](const auto &trial) { return trial.attempts > 0 && !sweep::isFinal(trial.state); });
    if (!isGrowing)
        m_poll.stop();
    else if (!m_poll.isActive())
        m_poll.start();
    readLater();
}

/// Reads the indexes of all trials, of which most are known and unchanged.
void MediaPage::readLater()
{
    const sweep::SweepRecord *record = client()->sweep(m_sweepId);
    if (!record)
        return showNothing();
    const WorkspaceLayout workspace{client()->workspace().toStdString()};
    std::vector<MediaSource> sources;
    std::size_t fetched = 0;
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_sweepId);
    for (auto trial = trials.rbegin(); trial != trials.rend(); ++trial) {
        const sweep::AttemptRange chain = sweep::chainOf(*trial);
        for (int attempt = chain.first; attempt <= chain.last; ++attempt) {
            const bool hasEnded = attempt < trial->attempts || sweep::isFinal(trial->state);
            sources.push_back({trial->number, attempt, trial->ranks, hasEnded,
                               workspace.attempt(record->folder, trial->number, attempt).folder});
            if (client()->isMirror() && fetched < mostFetched)
                client()->look(m_sweepId, trial->number, attempt);
        }
        fetched += chain.last >= chain.first ? 1 : 0;
    }
    if (sources.empty())
        return showNothing();
    m_job->request([this, catalog = m_catalog, id = m_sweepId, sources = std::move(sources)] {
        return std::function<void()>([this, id, listing = catalog->read(sources)] { showListing(id, listing); });
    });
}

void MediaPage::showListing(qint64 sweepId, const MediaListing &listing)
{
    if (sweepId != m_sweepId)
        return;
    m_isRead = true;
    const bool isSame = listing.ranks == m_listing.ranks;
    m_listing = listing;
    m_loader->retry();
    m_notice->setNotice(NoticeBanner::Kind::Problem, symbolIcon(u"warning"_s),
                        listing.damagedLines == 0 ? QString()
                        : listing.damagedLines == 1
                            ? tr("1 damaged entry in the media index was skipped.")
                            : tr("%L1 damaged entries in the media index were skipped.").arg(listing.damagedLines));
    if (!isSame || m_listing.ranks.empty())
        showNames();
}

void MediaPage::showNames()
{
    if (m_listing.ranks.empty())
        return showNothing();
    showContent();
    std::vector<MediaName> names = mediaNames(m_listing);
    if (names != m_shownNames) {
        const QScopedValueRollback filling(m_isFilling, true);
        const MediaName before = chosenName();
        m_shownNames = std::move(names);
        m_names->clear();
        for (const MediaName &name : m_shownNames)
            m_names->addItem(mediaNameText(name));
        const auto again = std::ranges::find(m_shownNames, before);
        m_names->setCurrentIndex(again == m_shownNames.end() ? 0 : static_cast<int>(again - m_shownNames.begin()));
    }
    showGrid();
}

MediaName MediaPage::chosenName() const
{
    const auto place = static_cast<std::size_t>(std::max(0, m_names->currentIndex()));
    return place < m_shownNames.size() ? m_shownNames[place] : MediaName();
}

/// Of the trials that are picked out on other pages, if any of them has such items.
void MediaPage::showGrid()
{
    MediaGrid grid = mediaGrid(m_listing, chosenName(), selection()->brushed());
    if (grid.rows.empty())
        grid = mediaGrid(m_listing, chosenName(), {});
    if (std::exchange(m_gridName, {m_sweepId, chosenName()}) != std::pair(m_sweepId, chosenName()))
        m_delegate->clearRange();
    const auto keepsAlive = m_model->grid().keepsAlive;  // what m_content shows until showSelected()
    {
        const QScopedValueRollback filling(m_isFilling, true);
        m_model->setGrid(std::move(grid));
        m_step->setRange(0, std::max(0, m_model->columnCount() - 1));
        m_step->setEnabled(m_model->columnCount() > 1);
    }
    showRowSizes();
    showSummary();
    if (!m_table->currentIndex().isValid())
        chooseFirst();
    showSelected();
}

void MediaPage::showSummary()
{
    std::set<int> trials;
    for (const MediaGrid::Row &row : m_model->grid().rows)
        trials.insert(row.trial);
    const int steps = m_model->columnCount();
    QStringList counts{trials.size() == 1 ? tr("1 trial") : tr("%L1 trials").arg(trials.size()),
                       steps == 1                  ? tr("1 step")
                       : m_model->grid().isThinned ? tr("%L1 of the steps").arg(steps)
                                                   : tr("%L1 steps").arg(steps)};
    if (const auto &range = m_delegate->range())
        counts << tr("from %1 to %2").arg(numberText(range->lowest), numberText(range->highest));
    m_summary->setText(counts.join(u" · "_s));
}

/// The last step of the selected trial, or of the first one.
void MediaPage::chooseFirst()
{
    const std::vector<MediaGrid::Row> &rows = m_model->grid().rows;
    const auto selected = std::ranges::find(rows, selection()->current().trial, &MediaGrid::Row::trial);
    const int row = selected == rows.end() ? 0 : static_cast<int>(selected - rows.begin());
    for (int column = m_model->columnCount() - 1; column >= 0 && !rows.empty(); --column) {
        if (m_model->itemAt(m_model->index(row, column)))
            return m_table->setCurrentIndex(m_model->index(row, column));
    }
}

void MediaPage::showRowSizes()
{
    m_table->horizontalHeader()->setDefaultSectionSize(textScaled(cellWidth));
    m_table->verticalHeader()->setDefaultSectionSize(textScaled(cellHeight(chosenName().kind)));
    m_table->verticalHeader()->setMinimumWidth(textScaled(rowHeader));
}

void MediaPage::showSelected()
{
    if (m_isFilling)
        return;
    const QModelIndex current = m_table->currentIndex();
    const PlacedItem item = m_model->itemAt(current);
    PlacedItem left = item;
    PlacedItem right;
    const QModelIndexList selected = m_table->selectionModel()->selectedIndexes();
    if (item && item.item->kind == media::MediaKind::Image && selected.size() == 2 && selected.contains(current)) {
        left = m_model->itemAt(selected.first() == current ? selected.last() : selected.first());
        right = item;
    }
    std::vector<PlacedItem> row;
    for (int column = 0; current.isValid() && column < m_model->columnCount(); ++column) {
        if (const PlacedItem each = m_model->itemAt(m_model->index(current.row(), column)))
            row.push_back(each);
    }
    m_content->showItem(left, right, std::move(row));
    m_save->setEnabled(static_cast<bool>(item));
    m_folder->setEnabled(item && !client()->isMirror());
    const QScopedValueRollback filling(m_isFilling, true);
    if (current.isValid()) {
        m_step->setValue(current.column());
        m_stepText->setText(m_model->headerData(current.column(), Qt::Horizontal).toString());
    }
}

/// In the current row, or the first one that has an item.
void MediaPage::goToStep(int column)
{
    const int current = std::max(0, m_table->currentIndex().row());
    for (int i = 0; i < m_model->rowCount(); ++i) {
        const QModelIndex index = m_model->index((current + i) % m_model->rowCount(), column);
        if (m_model->itemAt(index))
            return m_table->setCurrentIndex(index);
    }
}

void MediaPage::showNothing()
{
    if (client()->sweep(m_sweepId) == nullptr || client()->trials(m_sweepId).empty())
        return showEmpty(
            tr("No trials yet"),
            tr("Open or create a sweep and press Start. This page then shows images, histograms, texts and tables "
               "that your script records."),
            tr("New sweep"));
    showEmpty(tr("No media yet"), tr("To record an image, add two lines to your script:\n\n"
                                     "run = sweepscope.init()\n"
                                     "run.image(\"samples\", image, step=step)\n\n"
                                     "Histograms, texts, tables, confusion matrices and artifacts work the same way."));
}

void MediaPage::saveSelected()
{
    const PlacedItem item = m_model->itemAt(m_table->currentIndex());
    if (!item)
        return;
    auto *dialog = new QFileDialog(this, tr("Save as"), QDir::home().filePath(mediaFileName(*item.item)));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    connect(
        dialog, &QFileDialog::fileSelected, this, [this, file = item.file(), saved = *item.item](const QString &path) {
            m_saving.start([this, file, saved, path] {
                const Expected<void> done = media::saveItem(file, saved, path.toStdString());
                QString sentence = done ? tr("Saved %1").arg(path)
                                        : tr("Not saved: %1").arg(QString::fromStdString(done.error().message));
                QMetaObject::invokeMethod(
                    this, [this, sentence = std::move(sentence)] { Q_EMIT reported(sentence); }, Qt::QueuedConnection);
            });
        });
    dialog->open();
}

void MediaPage::openFolder() const
{
    if (const PlacedItem item = m_model->itemAt(m_table->currentIndex()))
        QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString(item.file().parent_path().string())));
}

}  // namespace sweepscope::ui
