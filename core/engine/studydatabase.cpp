#include "engine/studydatabase.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QString>
#include <QVariant>

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace sweepscope::engine {

namespace {

constexpr int knownSchema = 12;

/// A connection that is removed at the end of the scope.
class StudyConnection {
public:
    explicit StudyConnection(const std::filesystem::path &file)
        : m_name(QStringLiteral("study-") + QString::fromStdString(file.string())), m_file(file)
    {}
    StudyConnection(const StudyConnection &) = delete;
    StudyConnection &operator=(const StudyConnection &) = delete;
    ~StudyConnection() { QSqlDatabase::removeDatabase(m_name); }

    Expected<void> open()
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
        database.setDatabaseName(QString::fromStdString(m_file.string()));
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
        return database.open() ? Expected<void>() : failed(database.lastError());
    }

    /// Calls `take` for each row until it returns an error.
    Expected<void> select(const char *sql, const std::function<Expected<void>(const QSqlQuery &)> &take)
    {
        QSqlQuery query(QSqlDatabase::database(m_name));
        query.setForwardOnly(true);
        if (!query.exec(QString::fromLatin1(sql)))
            return failed(query.lastError());
        while (query.next()) {
            if (Expected<void> taken = take(query); !taken)
                return taken;
        }
        return query.lastError().isValid() ? failed(query.lastError()) : Expected<void>();
    }

private:
    Expected<void> failed(const QSqlError &error) const
    {
        return makeError(ErrorCode::Corrupt,
                         "cannot read " + m_file.string() + " as a database of Optuna: " + error.text().toStdString());
    }

    QString m_name;
    std::filesystem::path m_file;
};

std::string textIn(const QSqlQuery &row, int column)
{
    return row.value(column).toString().toStdString();
}

/// Optuna stores infinities and NaN as types.
double valueIn(const QSqlQuery &row, int value, int type)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::string kind = textIn(row, type);
    if (kind == "INF_POS" || kind == "INF_NEG")
        return kind == "INF_POS" ? infinity : -infinity;
    return kind == "NAN" || row.isNull(value) ? std::numeric_limits<double>::quiet_NaN() : row.value(value).toDouble();
}

importing::StudyState stateIn(const std::string &text)
{
    using importing::StudyState;
    return text == "COMPLETE"  ? StudyState::Complete
           : text == "PRUNED"  ? StudyState::Pruned
           : text == "FAIL"    ? StudyState::Fail
           : text == "WAITING" ? StudyState::Waiting
                               : StudyState::Running;
}

class StudyReader {
public:
    explicit StudyReader(StudyConnection &connection) : m_connection(connection) {}

    Expected<std::vector<importing::Study>> read()
    {
        const Expected<void> done = checkSchema()
                                        .and_then([this] { return readStudies(); })
                                        .and_then([this] { return readTrials(); })
                                        .and_then([this] { return readValues(); })
                                        .and_then([this] { return readAttributes(); });
        if (!done)
            return tl::unexpected(done.error());
        std::vector<importing::Study> studies;
        for (const auto &[id, study] : m_studies)
            studies.push_back(study->finish());
        return studies;
    }

private:
    struct Place {
        importing::StudyBuilder *study;
        std::size_t index;
    };
    using Take = std::function<Expected<void>(importing::StudyBuilder &, importing::StudyTrial &, const QSqlQuery &)>;

    Expected<void> checkSchema()
    {
        return m_connection.select(
            "SELECT schema_version FROM version_info", [](const QSqlQuery &row) -> Expected<void> {
                const int version = row.value(0).toInt();
                if (version == knownSchema)
                    return {};
                return makeError(ErrorCode::Unsupported, "the schema of this database of Optuna has version "
                                                             + std::to_string(version) + ", and only version "
                                                             + std::to_string(knownSchema)
                                                             + " is supported: run `optuna storage upgrade`");
            });
    }

    Expected<void> readStudies()
    {
        return m_connection
            .select("SELECT study_id, study_name FROM studies ORDER BY study_id",
                    [this](const QSqlQuery &row) -> Expected<void> {
                        m_studies.emplace(row.value(0).toLongLong(),
                                          std::make_unique<importing::StudyBuilder>(textIn(row, 1)));
                        return {};
                    })
            .and_then([this] {
                return m_connection.select(
                    "SELECT study_id, direction FROM study_directions ORDER BY study_id, objective",
                    [this](const QSqlQuery &row) -> Expected<void> {
                        if (importing::StudyBuilder *study = studyIn(row))
                            study->addObjective(textIn(row, 1) == "MAXIMIZE" ? sweep::Goal::Maximize
                                                                             : sweep::Goal::Minimize);
                        return {};
                    });
            })
            .and_then([this] {
                return m_connection.select("SELECT study_id, key, value_json FROM study_system_attributes",
                                           [this](const QSqlQuery &row) -> Expected<void> {
                                               if (importing::StudyBuilder *study = studyIn(row))
                                                   study->setStudySystemAttribute(textIn(row, 1), textIn(row, 2));
                                               return {};
                                           });
            });
    }

    Expected<void> readTrials()
    {
        return m_connection.select(
            "SELECT study_id, trial_id, state, datetime_start, datetime_complete FROM trials ORDER BY trial_id",
            [this](const QSqlQuery &row) -> Expected<void> {
                importing::StudyBuilder *study = studyIn(row);
                if (study == nullptr)
                    return {};
                m_trials[row.value(1).toLongLong()] = {study, study->trialCount()};
                importing::StudyTrial &trial = study->addTrial();
                trial.state = stateIn(textIn(row, 2));
                trial.started = importing::studyTime(textIn(row, 3));
                trial.completed = importing::studyTime(textIn(row, 4));
                return {};
            });
    }

    Expected<void> readValues()
    {
        using importing::StudyBuilder;
        using importing::StudyTrial;
        return ofTrials(
                   "SELECT trial_id, param_name, param_value, distribution_json FROM trial_params ORDER BY param_id",
                   [](StudyBuilder &study, StudyTrial &trial, const QSqlQuery &row) {
                       return study.setParameter(trial, textIn(row, 1), row.value(2).toDouble(), textIn(row, 3));
                   })
            .and_then([this] {
                return ofTrials("SELECT trial_id, value, value_type FROM trial_values ORDER BY trial_id, objective",
                                [](StudyBuilder &, StudyTrial &trial, const QSqlQuery &row) -> Expected<void> {
                                    trial.values.push_back(valueIn(row, 1, 2));
                                    return {};
                                });
            })
            .and_then([this] {
                return ofTrials("SELECT trial_id, intermediate_value, intermediate_value_type, step FROM "
                                "trial_intermediate_values",
                                [](StudyBuilder &, StudyTrial &trial, const QSqlQuery &row) -> Expected<void> {
                                    if (row.value(3).toLongLong() >= 0)
                                        trial.intermediate[row.value(3).toLongLong()] = valueIn(row, 1, 2);
                                    return {};
                                });
            });
    }

    Expected<void> readAttributes()
    {
        using importing::StudyBuilder;
        using importing::StudyTrial;
        return ofTrials("SELECT trial_id, key, value_json FROM trial_user_attributes ORDER BY trial_user_attribute_id",
                        [](StudyBuilder &study, StudyTrial &trial, const QSqlQuery &row) -> Expected<void> {
                            study.setTrialAttribute(trial, textIn(row, 1), textIn(row, 2));
                            return {};
                        })
            .and_then([this] {
                return ofTrials("SELECT trial_id, key FROM trial_system_attributes",
                                [](StudyBuilder &study, StudyTrial &, const QSqlQuery &row) -> Expected<void> {
                                    study.setTrialSystemAttribute(textIn(row, 1));
                                    return {};
                                });
            });
    }

    Expected<void> ofTrials(const char *sql, const Take &take)
    {
        return m_connection.select(sql, [this, &take](const QSqlQuery &row) -> Expected<void> {
            const auto found = m_trials.find(row.value(0).toLongLong());
            if (found == m_trials.end())
                return {};
            return take(*found->second.study, found->second.study->trial(found->second.index), row);
        });
    }

    importing::StudyBuilder *studyIn(const QSqlQuery &row)
    {
        const auto found = m_studies.find(row.value(0).toLongLong());
        return found != m_studies.end() ? found->second.get() : nullptr;
    }

    StudyConnection &m_connection;
    std::map<qint64, std::unique_ptr<importing::StudyBuilder>> m_studies;
    std::map<qint64, Place> m_trials;
};

}  // namespace

Expected<std::vector<importing::Study>> readStudyDatabase(const std::filesystem::path &file)
{
    StudyConnection connection(file);
    return connection.open().and_then([&connection] { return StudyReader(connection).read(); });
}

}  // namespace sweepscope::engine
