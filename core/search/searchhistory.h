#pragma once

#include "search/axis.h"
#include "search/observation.h"
#include "search/parzen.h"
#include "sweep/searchspace.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace sweepscope::search {

struct GpMemory;

/// The trials of a search, stored so that a suggestion is cheap however many there are. Suggestions depend only on the
/// trials, never on the order in which they were set.
class SearchHistory {
public:
    /// `spec` and `space` must outlive the history.
    SearchHistory(const sweep::SweepSpec &spec, const sweep::SearchSpace &space);

    /// Adds a trial, or replaces the one with its number. The point of a result of another sweep does not count as tried.
    void set(Observation trial);

    /// All trials, ordered by number; results of other sweeps come first. Their parameters are empty, to save memory: coordinates() and contains() have them.
    const std::vector<Observation> &trials() const { return m_trials; }
    int lastNumber() const { return m_trials.empty() ? 0 : m_trials.back().number; }
    /// Returns whether a trial of this sweep has this point, finished or not.
    bool contains(const sweep::ParameterSet &point) const { return m_points.contains(keyOf(point)); }

    const sweep::SweepSpec &spec() const { return *m_spec; }
    const sweep::SearchSpace &space() const { return *m_space; }
    const std::vector<Axis> &axes() const { return m_axes; }

    /// The coordinates of trial `place` in trials(), NaN for missing and unmodelled parameters; nullptr if the trial
    /// has no information or no longer fits the space.
    const Coordinates *coordinates(std::size_t place) const;
    /// Returns, for each parameter, the places of the fitting trials that have it, ordered by coordinate, then by number.
    /// Empty for a category.
    const std::vector<std::vector<std::size_t>> &ascending() const { return m_ascending; }

    /// Returns the numbers of the three trials of this sweep with the largest weights, as "7,2,4": the reason of a choice. `weights` are
    /// those of the trials at `places`.
    std::string numbersOfLargest(const std::vector<std::size_t> &places, std::span<const double> weights) const;

    /// What gp keeps between suggestions. It changes no suggestion.
    std::shared_ptr<GpMemory> &gpMemory() const { return m_gpMemory; }

    /// A parameter named `seed` repeats a point and says nothing about how good it is.
    static bool isModelled(const sweep::Dimension &dimension) { return dimension.name != "seed"; }

private:
    static std::string keyOf(const sweep::ParameterSet &point);
    std::optional<Coordinates> fittingCoordinates(const sweep::ParameterSet &point) const;
    void insert(std::size_t place, std::string key);
    void erase(std::size_t place);
    void movePlaces(std::size_t from, std::ptrdiff_t by);

    const sweep::SweepSpec *m_spec;
    const sweep::SearchSpace *m_space;
    std::vector<Axis> m_axes;
    std::vector<Observation> m_trials;
    std::vector<std::optional<Coordinates>> m_coordinates;  ///< of m_trials
    std::vector<std::vector<std::size_t>> m_ascending;
    std::unordered_map<std::string, int> m_points;  ///< with the number of trials that have it
    std::vector<const std::string *> m_keys;        ///< in m_points, of m_trials; null: of another sweep
    mutable std::shared_ptr<GpMemory> m_gpMemory;
};

}  // namespace sweepscope::search
