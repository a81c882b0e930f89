#pragma once

#include "exporting/csv.h"
#include "feed/feedreader.h"

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::exporting {

/// Whose points they are.
struct RankPlace {
    int trial = 0;
    int attempt = 0;
    int rank = 0;

    bool operator==(const RankPlace &) const = default;
};

/// Where exportCurves() writes what it reads, in its order.
class CurvesTable {
public:
    virtual ~CurvesTable() = default;
    virtual void point(const RankPlace &place, const std::string &series, const feed::Point &point) = 0;
    virtual void gap(const RankPlace &place, const feed::Gap &gap) = 0;
    virtual void end() {}
};

/// A row for each point, in long form.
std::unique_ptr<CurvesTable> csvCurves(std::ostream &out, const std::string &sweepName);
/// {sweep, curves: [{trial, attempt, rank, series, points: [[step, time, value], …]}], gaps: [{trial, attempt, rank, time,
/// records}]}, a line for each curve.
std::unique_ptr<CurvesTable> jsonCurves(std::ostream &out, const std::string &sweepName);

}  // namespace sweepscope::exporting
