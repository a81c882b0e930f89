#pragma once

#include "engine/store.h"
#include "engine/storereader.h"

#include <QObject>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sweepscope::tests {

inline std::vector<sweep::TrialPlan> plans(int count)
{
    std::vector<sweep::TrialPlan> list;
    for (int number = 1; number <= count; ++number)
        list.push_back({number, {{"lr", number * 0.5}, {"hidden", std::int64_t{number}}}, std::uint64_t(1) << 63, 2});
    return list;
}

inline Expected<void> fine(const sweep::SweepRecord &)
{
    return {};
}

inline sweep::SweepRecord newSweep(const std::string &name = "digits")
{
    sweep::SweepRecord record;
    record.name = name;
    record.objective = "val_loss";
    record.goal = sweep::Goal::Maximize;
    record.parameterNames = {"lr", "hidden"};
    record.toml = "[sweep]\n";
    record.baseFolder = "/tmp";
    record.created = 1000;
    return record;
}

/// A new, empty database, opened for writing as by an engine.
class StoreFixture : public QObject {
protected:
    std::filesystem::path file() const { return m_folder->filePath(QStringLiteral("sweepscope.db")).toStdString(); }
    void open()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        auto database = engine::Database::openForWriting(file());
        QVERIFY2(database.has_value(), database ? "" : database.error().message.c_str());
        m_database = std::move(*database);
        m_store = std::make_unique<engine::Store>(*m_database);
    }
    void close()
    {
        m_store.reset();
        m_database.reset();
        m_folder.reset();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<engine::Database> m_database;
    std::unique_ptr<engine::Store> m_store;
};

}  // namespace sweepscope::tests
