#include "engine/schema.h"

namespace sweepscope::engine {

namespace {

// Times are nanoseconds since 1970, UTC. Lists of texts are JSON; parameters and metrics are CBOR (client/recordcodec.h,
// client/metriccodec.h), because JSON cannot tell 1 from 1.0 and has no NaN. An objective's value is NULL while its step
// is not when the value was NaN: SQLite has none.
constexpr const char *version1[] = {
    R"(CREATE TABLE sweep (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        folder TEXT NOT NULL,
        state TEXT NOT NULL,
        objective TEXT NOT NULL,
        maximize INTEGER NOT NULL,
        parameter_names TEXT NOT NULL,
        toml TEXT NOT NULL,
        base_folder TEXT NOT NULL,
        trials_total INTEGER NOT NULL,
        created INTEGER NOT NULL,
        ended INTEGER))",
    R"(CREATE TABLE trial (
        sweep INTEGER NOT NULL REFERENCES sweep(id),
        number INTEGER NOT NULL,
        state TEXT NOT NULL,
        parameters BLOB NOT NULL,
        seed INTEGER NOT NULL,
        ranks INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        failures INTEGER NOT NULL DEFAULT 0,
        devices TEXT NOT NULL DEFAULT '[]',
        objective_last REAL,
        objective_last_step INTEGER,
        objective_best REAL,
        objective_best_step INTEGER,
        started INTEGER,
        ended INTEGER,
        step INTEGER NOT NULL DEFAULT 0,
        progress REAL NOT NULL DEFAULT 0,
        cause TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (sweep, number)) WITHOUT ROWID)",
    // An attempt is written before its agent is started. agent_pid is NULL until the agent was started and noted.
    R"(CREATE TABLE attempt (
        sweep INTEGER NOT NULL,
        trial INTEGER NOT NULL,
        number INTEGER NOT NULL,
        id TEXT NOT NULL UNIQUE,
        agent_pid INTEGER,
        agent_start_time INTEGER,
        created INTEGER NOT NULL,
        ended INTEGER,
        outcome TEXT,
        cause TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (sweep, trial, number)) WITHOUT ROWID)",
    "CREATE INDEX attempt_open ON attempt(sweep) WHERE ended IS NULL",
    // Every change of a state, of a trial or (trial 0) of a sweep. Only ever appended to.
    R"(CREATE TABLE history (
        id INTEGER PRIMARY KEY,
        time INTEGER NOT NULL,
        sweep INTEGER NOT NULL,
        trial INTEGER NOT NULL,
        state_before TEXT NOT NULL,
        state_after TEXT NOT NULL,
        cause TEXT NOT NULL))",
    "CREATE INDEX history_trial ON history(sweep, trial)",
};

// What a person asked of a sweep or a trial, which an engine that comes back has to know.
constexpr const char *version2[] = {
    "ALTER TABLE sweep ADD COLUMN stop_mode TEXT NOT NULL DEFAULT 'now'",
    "ALTER TABLE sweep ADD COLUMN priority INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE attempt ADD COLUMN failure TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE trial ADD COLUMN priority INTEGER NOT NULL DEFAULT 0",
    // Asked for as a point of its own: an edit of the search space does not remove it.
    "ALTER TABLE trial ADD COLUMN enqueued INTEGER NOT NULL DEFAULT 0",
    // Definitions of a sweep before each edit, the newest last: what an undo goes back to.
    R"(CREATE TABLE definition (
        id INTEGER PRIMARY KEY,
        sweep INTEGER NOT NULL REFERENCES sweep(id),
        time INTEGER NOT NULL,
        toml TEXT NOT NULL))",
};

// What a few lines about a sweep ask (StoreReader::summary): found without reading its trials.
constexpr const char *version3[] = {
    "CREATE INDEX trial_state ON trial(sweep, state)",
    "CREATE INDEX trial_best ON trial(sweep, objective_best)",
};

constexpr const char *version4[] = {
    // Where each trial was at the steps at which trials are compared (pruner.h). NULL: NaN.
    R"(CREATE TABLE rung (
        sweep INTEGER NOT NULL,
        trial INTEGER NOT NULL,
        step INTEGER NOT NULL,
        best REAL,
        PRIMARY KEY (sweep, step, trial)) WITHOUT ROWID)",
    "ALTER TABLE trial ADD COLUMN spared INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE attempt ADD COLUMN devices INTEGER NOT NULL DEFAULT 1",
};

constexpr const char *version5[] = {
    "ALTER TABLE trial ADD COLUMN simulated INTEGER NOT NULL DEFAULT 0",
};

constexpr const char *version6[] = {
    // What a person has asked of its attempt and has not come about yet (trialrow.h).
    "ALTER TABLE trial ADD COLUMN asked TEXT NOT NULL DEFAULT ''",
};

// What a person writes beside a trial.
constexpr const char *version7[] = {
    "ALTER TABLE trial ADD COLUMN starred INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE trial ADD COLUMN tags TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE trial ADD COLUMN note TEXT NOT NULL DEFAULT ''",
};

constexpr const char *version8[] = {
    // What it reported beside the objective: CBOR, as in the protocol. NULL: nothing, or it ended before this was kept.
    "ALTER TABLE trial ADD COLUMN metrics BLOB",
};

constexpr const char *version9[] = {
    // Sweeps of which nothing came were called completed before.
    "UPDATE sweep SET state = 'failed' WHERE state = 'completed' AND EXISTS (SELECT 1 FROM trial WHERE trial.sweep = "
    "sweep.id AND trial.state IN ('failed', 'lost')) AND NOT EXISTS (SELECT 1 FROM trial WHERE trial.sweep = sweep.id "
    "AND trial.state IN ('completed', 'pruned'))",
    "INSERT INTO history (time, sweep, trial, state_before, state_after, cause) SELECT COALESCE(ended, created), id, "
    "0, "
    "'completed', 'failed', 'none of its trials completed' FROM sweep WHERE state = 'failed'",
};

constexpr const char *version10[] = {
    // Out of the way of who looks at sweeps, and as it is otherwise.
    "ALTER TABLE sweep ADD COLUMN archived INTEGER NOT NULL DEFAULT 0",
};

constexpr const char *version11[] = {
    // How long it had ended before it was taken up again: of what is there already, as its history tells.
    "ALTER TABLE sweep ADD COLUMN rested INTEGER NOT NULL DEFAULT 0",
    "UPDATE sweep SET rested = COALESCE((SELECT SUM(again.time - (SELECT MAX(before.time) FROM history AS before WHERE "
    "before.sweep = again.sweep AND before.trial = 0 AND before.id < again.id AND before.state_before IN ('running', "
    "'paused', 'stopping') AND before.state_after IN ('completed', 'stopped', 'failed'))) FROM history AS again WHERE "
    "again.sweep = sweep.id AND again.trial = 0 AND again.state_before IN ('completed', 'stopped', 'failed') AND "
    "again.state_after IN ('running', 'paused', 'stopping')), 0)",
};

constexpr const char *version12[] = {
    // How long the last attempt lay frozen, and since when it does: no time of what it takes.
    "ALTER TABLE trial ADD COLUMN paused INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE trial ADD COLUMN paused_since INTEGER",
};

}  // namespace

std::span<const char *const> schemaStep(int from)
{
    if (from == 0)
        return version1;
    if (from == 1)
        return version2;
    if (from == 2)
        return version3;
    if (from == 3)
        return version4;
    if (from == 4)
        return version5;
    if (from == 5)
        return version6;
    if (from == 6)
        return version7;
    if (from == 7)
        return version8;
    if (from == 8)
        return version9;
    if (from == 9)
        return version10;
    if (from == 10)
        return version11;
    if (from == 11)
        return version12;
    return {};
}

}  // namespace sweepscope::engine
