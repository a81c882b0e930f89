#include "search/pareto.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sweepscope::search {

namespace {

using Point = std::vector<double>;

bool dominates(const Point &a, const Point &b)
{
    bool isBetter = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] > b[i])
            return false;
        isBetter |= a[i] < b[i];
    }
    return isBetter;
}

/// Returns the points that no other dominates; one of equal points.
std::vector<Point> front(const std::vector<Point> &points)
{
    std::vector<Point> front;
    for (std::size_t i = 0; i < points.size(); ++i) {
        bool isBeaten = false;
        for (std::size_t j = 0; j < points.size() && !isBeaten; ++j)
            isBeaten = dominates(points[j], points[i]) || (j < i && points[j] == points[i]);
        if (!isBeaten)
            front.push_back(points[i]);
    }
    return front;
}

double boxVolume(const Point &point, const Point &reference)
{
    double volume = 1;
    for (std::size_t i = 0; i < point.size(); ++i)
        volume *= std::max(0.0, reference[i] - point[i]);
    return volume;
}

/// Returns the volume that points[0] adds to all that follow.
double volumeOf(const std::vector<Point> &points, const Point &reference)
{
    double volume = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<Point> limited;
        for (std::size_t j = i + 1; j < points.size(); ++j) {
            Point worse = points[j];
            for (std::size_t k = 0; k < worse.size(); ++k)
                worse[k] = std::max(worse[k], points[i][k]);
            limited.push_back(std::move(worse));
        }
        volume += boxVolume(points[i], reference) - volumeOf(front(limited), reference);
    }
    return volume;
}

/// Returns a point somewhat worse than the worst of each objective.
Point referenceOf(const std::vector<Point> &points)
{
    Point reference = points.front();
    for (const Point &point : points) {
        for (std::size_t i = 0; i < point.size(); ++i)
            reference[i] = std::max(reference[i], point[i]);
    }
    for (double &worst : reference) {
        worst = std::max(1.1 * worst, 0.9 * worst);
        if (worst == 0)
            worst = 1e-12;
    }
    return reference;
}

/// Returns the places of the `count` points that add most, the largest gain first; among equal gains the smallest
/// point.
std::vector<std::size_t> greedyByVolume(const std::vector<Point> &points, std::size_t count)
{
    const Point reference = referenceOf(points);
    std::vector<std::size_t> chosen;
    std::vector<Point> taken;
    std::vector<std::size_t> left(points.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::ranges::stable_sort(left, {}, [&](std::size_t place) { return points[place]; });
    while (chosen.size() < count) {
        std::size_t best = left.front();
        double bestVolume = -std::numeric_limits<double>::infinity();
        for (const std::size_t i : left) {
            std::vector<Point> with = taken;
            with.push_back(points[i]);
            const double candidate = hypervolume(with, reference);
            if (candidate > bestVolume) {
                best = i;
                bestVolume = candidate;
            }
        }
        std::erase(left, best);
        taken.push_back(points[best]);
        chosen.push_back(best);
    }
    return chosen;
}

}  // namespace

std::vector<std::size_t> dominanceRanks(const std::vector<Point> &points)
{
    std::vector<std::size_t> ranks(points.size(), points.size());
    std::size_t ranked = 0;
    for (std::size_t rank = 0; ranked < points.size(); ++rank) {
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (ranks[i] < rank)
                continue;
            bool isBeaten = false;
            for (std::size_t j = 0; j < points.size() && !isBeaten; ++j)
                isBeaten = ranks[j] >= rank && dominates(points[j], points[i]);
            if (!isBeaten)
                members.push_back(i);
        }
        for (const std::size_t member : members)
            ranks[member] = rank;
        ranked += members.size();
    }
    return ranks;
}

double hypervolume(const std::vector<Point> &points, const Point &reference)
{
    return volumeOf(front(points), reference);
}

std::vector<std::size_t> bestByDominance(const std::vector<Point> &points, std::size_t count)
{
    const std::vector<std::size_t> ranks = dominanceRanks(points);
    std::vector<std::size_t> best;
    for (std::size_t rank = 0; best.size() < count; ++rank) {
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (ranks[i] == rank)
                members.push_back(i);
        }
        if (best.size() + members.size() <= count) {
            best.insert(best.end(), members.begin(), members.end());
            continue;
        }
        std::vector<Point> tied;
        for (const std::size_t member : members)
            tied.push_back(points[member]);
        for (const std::size_t index : greedyByVolume(tied, count - best.size()))
            best.push_back(members[index]);
    }
    return best;
}

}  // namespace sweepscope::search
