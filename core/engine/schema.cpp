#include "engine/schema.h"

namespace sweepscope::engine {

namespace {

// Times are nanoseconds since 1970, UTC. Lists of strings are JSON, reasons are facts as JSON (facts/fact.h; '' for
// none); parameters and metrics are CBOR (protocol/recordcodec.h, protocol/metriccodec.h), because JSON cannot
// distinguish 1 from 1.0 and has no NaN. A NaN objective is NULL with a step that is not NULL: SQLite has no NaN.
constexpr const char *statements[] = {
    R"(CREATE TABLE sweep (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        folder TEXT NOT NULL,
        state TEXT NOT NULL,
        stop_mode TEXT NOT NULL DEFAULT 'now',
        objective TEXT NOT NULL,
        maximize INTEGER NOT NULL,
        parameter_names TEXT NOT NULL,
        toml TEXT NOT NULL,
        base_folder TEXT NOT NULL,
        trials_total INTEGER NOT NULL,
        trials_to_come INTEGER DEFAULT 0,  -- that a search is still to add; NULL: without limit
        priority INTEGER NOT NULL DEFAULT 0,
        archived INTEGER NOT NULL DEFAULT 0,
        starred INTEGER NOT NULL DEFAULT 0,
        tags TEXT NOT NULL DEFAULT '[]',
        note TEXT NOT NULL DEFAULT '',
        created INTEGER NOT NULL,
        ended INTEGER,
        rested INTEGER NOT NULL DEFAULT 0))",  // how long it had ended before it was opened again
    R"(CREATE TABLE trial (
        sweep INTEGER NOT NULL REFERENCES sweep(id),
        number INTEGER NOT NULL,
        state TEXT NOT NULL,
        reason TEXT NOT NULL DEFAULT '',
        asked TEXT NOT NULL DEFAULT '',  -- what a person requested of its attempt and has not happened yet (trialrow.h)
        parameters BLOB NOT NULL,
        seed INTEGER NOT NULL,
        ranks INTEGER NOT NULL,
        priority INTEGER NOT NULL DEFAULT 0,
        enqueued INTEGER NOT NULL DEFAULT 0,  -- added as a point of its own: an edit of the space does not remove it
        chosen TEXT NOT NULL DEFAULT '',      -- how a search chose its point, and from what: a fact
        spared INTEGER NOT NULL DEFAULT 0,    -- retried or stopped after it was pruned: it is not pruned again, nor promoted
        attempts INTEGER NOT NULL DEFAULT 0,
        failures INTEGER NOT NULL DEFAULT 0,
        devices TEXT NOT NULL DEFAULT '[]',
        simulated INTEGER NOT NULL DEFAULT 0,
        objective_last REAL,
        objective_last_step INTEGER,
        objective_best REAL,
        objective_best_step INTEGER,
        point_mean REAL,  -- of the completed trials of its point, where points are repeated
        point_error REAL NOT NULL DEFAULT 0,
        point_runs INTEGER NOT NULL DEFAULT 0,
        violation REAL NOT NULL DEFAULT 0,  -- of constraints on what it reported
        metrics BLOB,
        started INTEGER,
        ended INTEGER,
        paused INTEGER NOT NULL DEFAULT 0,  -- how long the last attempt was frozen
        paused_since INTEGER,
        first_attempt INTEGER NOT NULL DEFAULT 0,  -- of those that continue one another (sweep/trialchain.h)
        ran INTEGER NOT NULL DEFAULT 0,            -- how long those before the last one ran
        first_step INTEGER,                        -- that they reported
        objective_reached INTEGER,                 -- the highest step at which they reported the objective
        step INTEGER NOT NULL DEFAULT 0,
        progress REAL NOT NULL DEFAULT 0,
        starred INTEGER NOT NULL DEFAULT 0,
        tags TEXT NOT NULL DEFAULT '[]',
        note TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (sweep, number)) WITHOUT ROWID)",
    // StoreReader::summary reads only the trials that it returns.
    "CREATE INDEX trial_state ON trial(sweep, state)",
    "CREATE INDEX trial_best ON trial(sweep, objective_best)",
    "CREATE INDEX trial_mean ON trial(sweep, point_runs, point_mean)",
    // An attempt is written before its agent is started. agent_pid is NULL until then.
    R"(CREATE TABLE attempt (
        sweep INTEGER NOT NULL,
        trial INTEGER NOT NULL,
        number INTEGER NOT NULL,
        id TEXT NOT NULL UNIQUE,
        agent_pid INTEGER,
        agent_start_time INTEGER,
        devices INTEGER NOT NULL DEFAULT 1,
        created INTEGER NOT NULL,
        ended INTEGER,
        outcome TEXT,
        failure TEXT NOT NULL DEFAULT '',
        reason TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (sweep, trial, number)) WITHOUT ROWID)",
    "CREATE INDEX attempt_open ON attempt(sweep) WHERE ended IS NULL",
    // What pruning was told and what it decided (pruning/prunelog.h). Append-only. NULL: NaN.
    R"(CREATE TABLE prune_log (
        id INTEGER PRIMARY KEY,
        sweep INTEGER NOT NULL,
        trial INTEGER NOT NULL,
        event TEXT NOT NULL,
        step INTEGER NOT NULL,
        best REAL,
        last REAL,
        definition INTEGER NOT NULL,
        pruned INTEGER,  -- NULL: no decision was made
        peers INTEGER NOT NULL,
        bound REAL))",  // NULL: none
    "CREATE INDEX prune_log_sweep ON prune_log(sweep)",
    // Every change of a state, of a trial or (trial 0) of a sweep. Append-only.
    R"(CREATE TABLE history (
        id INTEGER PRIMARY KEY,
        time INTEGER NOT NULL,
        sweep INTEGER NOT NULL,
        trial INTEGER NOT NULL,
        state_before TEXT NOT NULL,
        state_after TEXT NOT NULL,
        reason TEXT NOT NULL,
        objective REAL,           -- the trial's best value then
        objective_step INTEGER,   -- of its last value; NULL: it had none
        device_time INTEGER NOT NULL DEFAULT 0,  -- of the trial until then
        outcome TEXT NOT NULL DEFAULT ''))",  // last values of metrics by name, where others than the objective count: JSON
    "CREATE INDEX history_trial ON history(sweep, trial)",
    // Definitions of a sweep before each edit and each undo, the newest last. An undo returns to the last one that is not
    // undone. None is removed: a search's choices refer to the definition of their time.
    R"(CREATE TABLE definition (
        id INTEGER PRIMARY KEY,
        sweep INTEGER NOT NULL REFERENCES sweep(id),
        time INTEGER NOT NULL,
        toml TEXT NOT NULL,
        undone INTEGER NOT NULL DEFAULT 0))",
};

}  // namespace

std::span<const char *const> schema()
{
    return statements;
}

}  // namespace sweepscope::engine
