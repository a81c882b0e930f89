#include "search/searchhistory.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

namespace sweepscope::search {

SearchHistory::SearchHistory(const sweep::SweepSpec &spec, const sweep::SearchSpace &space)
    : m_spec(&spec), m_space(&space), m_axes(spec.space.begin(), spec.space.end()), m_ascending(m_axes.size())
{}

void SearchHistory::set(Observation trial)
{
    const auto found = std::ranges::lower_bound(m_trials, trial.number, {}, &Observation::number);
    const auto place = static_cast<std::size_t>(found - m_trials.begin());
    std::optional<Coordinates> coordinates =
        trial.outcome != Outcome::Unknown ? fittingCoordinates(trial.parameters) : std::nullopt;
    std::string key = keyOf(trial.parameters);
    trial.parameters = sweep::ParameterSet();
    if (found != m_trials.end() && found->number == trial.number) {
        erase(place);
        *found = std::move(trial);
        m_coordinates[place] = std::move(coordinates);
    } else {
        movePlaces(place, 1);
        m_trials.insert(found, std::move(trial));
        m_coordinates.insert(m_coordinates.begin() + static_cast<std::ptrdiff_t>(place), std::move(coordinates));
        m_keys.insert(m_keys.begin() + static_cast<std::ptrdiff_t>(place), nullptr);
    }
    insert(place, std::move(key));
}

const Coordinates *SearchHistory::coordinates(std::size_t place) const
{
    return m_coordinates[place] ? &*m_coordinates[place] : nullptr;
}

/// The bytes of names and values. Equal numbers give equal keys, whether they are written 1 or 1.0.
std::string SearchHistory::keyOf(const sweep::ParameterSet &point)
{
    std::string key;
    for (const auto &[name, written] : sweep::canonical(point)) {
        key += name;
        key += '\0';
        key += static_cast<char>('0' + written.index());
        std::visit(
            [&key](const auto &value) {
                using Value = std::decay_t<decltype(value)>;
                if constexpr (std::is_same_v<Value, std::string>) {
                    key += value;
                    key += '\0';
                } else {
                    key.append(reinterpret_cast<const char *>(&value), sizeof value);
                }
            },
            written);
    }
    return key;
}

std::optional<Coordinates> SearchHistory::fittingCoordinates(const sweep::ParameterSet &point) const
{
    Coordinates coordinates(m_axes.size(), inactive);
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const sweep::ParameterValue *value = sweep::find(point, m_spec->space[i].name);
        if (value == nullptr)
            continue;
        const std::optional<double> coordinate = m_axes[i].coordinate(*value);
        if (!coordinate)
            return std::nullopt;
        if (isModelled(m_spec->space[i]))
            coordinates[i] = *coordinate;
    }
    return coordinates;
}

void SearchHistory::insert(std::size_t place, std::string key)
{
    if (isOwn(m_trials[place])) {
        const auto point = m_points.try_emplace(std::move(key), 0).first;
        ++point->second;
        m_keys[place] = &point->first;
    }
    if (!m_coordinates[place])
        return;
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const double coordinate = (*m_coordinates[place])[i];
        if (m_axes[i].isCategorical() || std::isnan(coordinate))
            continue;
        const auto orderOf = [&](std::size_t other) { return std::pair((*m_coordinates[other])[i], other); };
        m_ascending[i].insert(std::ranges::lower_bound(m_ascending[i], orderOf(place), {}, orderOf), place);
    }
}

void SearchHistory::erase(std::size_t place)
{
    if (m_keys[place] != nullptr) {
        const auto found = m_points.find(*m_keys[place]);
        if (--found->second == 0)
            m_points.erase(found);
    }
    for (std::vector<std::size_t> &places : m_ascending)
        std::erase(places, place);
}

std::string SearchHistory::numbersOfLargest(const std::vector<std::size_t> &places,
                                            std::span<const double> weights) const
{
    constexpr std::size_t mostNamed = 3;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (isOwn(m_trials[places[i]]))
            order.push_back(i);
    }
    std::ranges::stable_sort(order, std::greater(), [weights](std::size_t i) { return weights[i]; });
    std::string numbers;
    for (std::size_t i = 0; i < std::min(mostNamed, order.size()); ++i)
        numbers += (i == 0 ? "" : ",") + std::to_string(m_trials[places[order[i]]].number);
    return numbers;
}

/// Shifts the places of trials from `from` on by `by`.
void SearchHistory::movePlaces(std::size_t from, std::ptrdiff_t by)
{
    if (from == m_trials.size())
        return;
    for (std::vector<std::size_t> &places : m_ascending) {
        for (std::size_t &place : places) {
            if (place >= from)
                place = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(place) + by);
        }
    }
}

}  // namespace sweepscope::search
