#include "ui/devices/rankscard.h"

#include "ui/devices/devicewatcher.h"
#include "ui/models/devicenames.h"
#include "ui/models/devicewords.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <string>
#include <tuple>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int mostRanks = 12;  ///< without scrolling
constexpr int rowPadding = 8;
constexpr int narrowestColumn = 60;
constexpr WallNs meanSpan = 5'000'000'000;  ///< ranks write in bursts, between which they compute

}  // namespace

class RankLoadsModel : public QAbstractTableModel {
public:
    enum class Column { Trial, Rank, Cpu, Memory, Read, Written };
    static constexpr int columns = static_cast<int>(Column::Written) + 1;

    using QAbstractTableModel::QAbstractTableModel;

    /// Of all ranks in the files of one agent.
    void setLoads(const std::filesystem::path &file, const protocol::DeviceHolder &trial,
                  const DeviceReadings &readings)
    {
        std::vector<Row> rows;
        for (const auto &[device, quantities] : readings.devices) {
            if (device.starts_with("rank"))
                rows.push_back({file, trial, std::atoi(device.c_str() + std::string_view("rank").size()),
                                readings.mean(device, "cpu", meanSpan), readings.now(device, "memory"),
                                readings.mean(device, "read", meanSpan), readings.mean(device, "write", meanSpan)});
        }
        const auto isOfFile = [&file](const Row &row) { return row.file == file; };
        const auto known = std::ranges::count_if(m_rows, isOfFile);
        if (known == std::ssize(rows)) {
            for (Row &row : m_rows) {
                const auto now = std::ranges::find(rows, row.rank, &Row::rank);
                if (isOfFile(row) && now != rows.end())
                    row = *now;
            }
            if (!m_rows.empty())
                Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
            return;
        }
        beginResetModel();
        std::erase_if(m_rows, isOfFile);
        m_rows.insert(m_rows.end(), rows.begin(), rows.end());
        std::ranges::sort(m_rows, {},
                          [](const Row &row) { return std::tuple(row.trial.sweepId, row.trial.trial, row.rank); });
        endResetModel();
    }

    void keep(const std::vector<RunningAttempt> &attempts)
    {
        const auto runs = [&attempts](const Row &row) {
            return std::ranges::any_of(attempts, [&row](const RunningAttempt &attempt) {
                return std::ranges::find(attempt.hostFeeds, row.file) != attempt.hostFeeds.end();
            });
        };
        if (std::ranges::all_of(m_rows, runs))
            return;
        beginResetModel();
        std::erase_if(m_rows, [&runs](const Row &row) { return !runs(row); });
        endResetModel();
    }

    const protocol::DeviceHolder &trialOf(int row) const { return m_rows[static_cast<std::size_t>(row)].trial; }

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : columns; }

    QVariant data(const QModelIndex &index, int role) const override
    {
        const auto column = static_cast<Column>(index.column());
        if (role == Qt::TextAlignmentRole)
            return alignment(column);
        if (role != Qt::DisplayRole || !index.isValid())
            return {};
        const Row &row = m_rows[static_cast<std::size_t>(index.row())];
        const auto bytes = [](const std::optional<double> &value) { return value ? bytesText(*value) : u"–"_s; };
        const auto rate = [](const std::optional<double> &value) { return value ? rateText(*value) : u"–"_s; };
        switch (column) {
        case Column::Trial:
            return holderText(row.trial);
        case Column::Rank:
            return row.rank;
        case Column::Cpu:
            return row.cpu ? percentText(row.cpu) : u"–"_s;
        case Column::Memory:
            return bytes(row.memory);
        case Column::Read:
            return rate(row.read);
        case Column::Written:
            return rate(row.written);
        }
        return {};
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        const auto column = static_cast<Column>(section);
        if (orientation != Qt::Horizontal)
            return {};
        if (role == Qt::TextAlignmentRole)
            return alignment(column);
        if (role == Qt::ToolTipRole && column == Column::Cpu)
            return RanksCard::tr("Percentage of one core, including child processes");
        if (role != Qt::DisplayRole)
            return {};
        switch (column) {
        case Column::Trial:
            return RanksCard::tr("Trial");
        case Column::Rank:
            return RanksCard::tr("Rank");
        case Column::Cpu:
            return RanksCard::tr("CPU");
        case Column::Memory:
            return RanksCard::tr("Memory");
        case Column::Read:
            return RanksCard::tr("Disk read");
        case Column::Written:
            return RanksCard::tr("Disk written");
        }
        return {};
    }

private:
    struct Row {
        std::filesystem::path file;
        protocol::DeviceHolder trial;
        int rank = 0;
        std::optional<double> cpu, memory, read, written;
    };

    static QVariant alignment(Column column)
    {
        return QVariant((column == Column::Trial ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }

    std::vector<Row> m_rows;
};

RanksCard::RanksCard(QWidget *parent) : QFrame(parent), m_model(new RankLoadsModel(this)), m_table(new QTableView(this))
{
    setProperty("card", true);
    setObjectName(u"ranksCard"_s);
    setAccessibleName(tr("Ranks of running trials"));
    auto *title = new QLabel(tr("Ranks of running trials"), this);
    setTextRole(title, TextRole::Emphasis);
    m_table->setObjectName(u"ranksTable"_s);
    m_table->setAccessibleName(tr("Ranks of running trials"));
    m_table->setModel(m_model);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView *header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsClickable(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(static_cast<int>(RankLoadsModel::Column::Trial), QHeaderView::Stretch);
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex &index) { Q_EMIT trialActivated(m_model->trialOf(index.row())); });
    connect(m_model, &QAbstractItemModel::modelReset, this, &RanksCard::fit);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::medium);
    layout->setSpacing(spacing::small);
    layout->addWidget(title);
    layout->addWidget(m_table);
    followTextSize(this, [this] { fit(); });
}

RanksCard::~RanksCard() = default;

void RanksCard::showAttempts(const std::vector<RunningAttempt> &attempts)
{
    if (attempts == m_attempts)
        return;
    m_attempts = attempts;
    m_model->keep(attempts);
    std::map<std::filesystem::path, std::unique_ptr<DeviceWatcher>> before = std::move(m_watchers);
    m_watchers.clear();
    for (const RunningAttempt &attempt : attempts) {
        for (const std::filesystem::path &file : attempt.hostFeeds) {
            auto watcher = std::move(before[file]);
            if (!watcher) {
                watcher = std::make_unique<DeviceWatcher>();
                watcher->setFile(file);
                connect(watcher.get(), &DeviceWatcher::readingsReady, this,
                        [this, file, trial = attempt.trial](const std::shared_ptr<const DeviceReadings> &readings) {
                            m_model->setLoads(file, trial, *readings);
                        });
                watcher->setActive(isVisible());
            }
            m_watchers[file] = std::move(watcher);
        }
    }
}

void RanksCard::showEvent(QShowEvent *event)
{
    QFrame::showEvent(event);
    for (const auto &[file, watcher] : m_watchers)
        watcher->setActive(true);
}

void RanksCard::hideEvent(QHideEvent *event)
{
    QFrame::hideEvent(event);
    for (const auto &[file, watcher] : m_watchers)
        watcher->setActive(false);
}

/// Shows all rows, up to a limit.
void RanksCard::fit()
{
    const int row = m_table->fontMetrics().height() + rowPadding;
    m_table->verticalHeader()->setDefaultSectionSize(row);
    m_table->horizontalHeader()->setMinimumSectionSize(textScaled(narrowestColumn));
    const int rows = std::clamp(m_model->rowCount(), 1, mostRanks);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + rows * row + 2 * m_table->frameWidth());
}

}  // namespace sweepscope::ui
