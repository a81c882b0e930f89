// SPDX-License-Identifier: MIT
#pragma once

#include "feed/format.h"

#include <cstdint>
#include <string>
#include <vector>

/// What a reader hands out: the records of sweepscope_feed.h, checked, as values.
namespace sweepscope::feed {

struct Preamble {
    int rank = 0;
    int worldSize = 0;
    std::int64_t createdNs = 0;
    std::string attemptId;
};

struct SeriesDeclaration {
    std::uint16_t id = 0;
    std::string name;
    std::string unit;
};

struct Point {
    std::uint16_t series = 0;
    std::int64_t step = 0;
    std::int64_t timeNs = 0;
    double value = 0;
};

struct Event {
    EventKind kind = EventKind::Message;
    std::int64_t step = 0;
    std::int64_t timeNs = 0;
    std::string text;
};

struct Gap {
    std::int64_t timeNs = 0;
    std::uint64_t dropped = 0;
};

/// A place between two records from which a stream can be read on.
struct StreamPosition {
    std::uint64_t offset = 0;
    std::int64_t stepBase = 0;
    std::vector<std::uint16_t> declared;  ///< ids of the series that were declared before
};

/// Receives records in stream order. The defaults ignore.
class RecordVisitor {
public:
    virtual ~RecordVisitor() = default;
    virtual void preamble(const Preamble &) {}
    virtual void series(const SeriesDeclaration &) {}
    virtual void point(const Point &) {}
    virtual void event(const Event &) {}
    virtual void gap(const Gap &) {}
};

}  // namespace sweepscope::feed
