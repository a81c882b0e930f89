#pragma once

#include "search/axis.h"
#include "search/observation.h"
#include "search/parzen.h"
#include "sweep/searchspace.h"

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sweepscope::search {

/// The trials of a search, kept so that a suggestion costs little however many there are. What is suggested depends on the
/// trials alone, never on the order in which they were set.
class SearchHistory {
public:
    /// `spec` and `space` must outlive the history.
    SearchHistory(const sweep::SweepSpec &spec, const sweep::SearchSpace &space);

    /// Adds a trial, or replaces the one with its number.
    void set(Observation trial);

    /// All, by number.
    const std::vector<Observation> &trials() const { return m_trials; }
    int lastNumber() const { return m_trials.empty() ? 0 : m_trials.back().number; }
    /// Whether a trial has this point, finished or not.
    bool contains(const sweep::ParameterSet &point) const { return m_points.contains(keyOf(point)); }

    const sweep::SweepSpec &spec() const { return *m_spec; }
    const sweep::SearchSpace &space() const { return *m_space; }
    const std::vector<Axis> &axes() const { return m_axes; }

    /// The coordinates of trial `place` in trials(), NaN for what it lacks and for what is not modelled; nullptr if it does
    /// not fit the space any more.
    const Coordinates *coordinates(std::size_t place) const;
    /// Places of the fitting trials that have the parameter, by coordinate; equal ones by number. Empty for a category.
    const std::vector<std::size_t> &ascending(std::size_t parameter) const { return m_ascending[parameter]; }

    /// A parameter named `seed` repeats a point and says nothing about how good it is.
    static bool isModelled(const sweep::Dimension &dimension) { return dimension.name != "seed"; }

private:
    static std::string keyOf(const sweep::ParameterSet &point);
    std::optional<Coordinates> fittingCoordinates(const sweep::ParameterSet &point) const;
    void insert(std::size_t place);
    void erase(std::size_t place);
    void movePlaces(std::size_t from, std::ptrdiff_t by);

    const sweep::SweepSpec *m_spec;
    const sweep::SearchSpace *m_space;
    std::vector<Axis> m_axes;
    std::vector<Observation> m_trials;
    std::vector<std::optional<Coordinates>> m_coordinates;  ///< of m_trials
    std::vector<std::vector<std::size_t>> m_ascending;
    std::unordered_map<std::string, int> m_points;  ///< with the number of trials that have it
};

}  // namespace sweepscope::search
