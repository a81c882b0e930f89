#pragma once

#include <Eigen/Dense>

#include <cstdint>
#include <vector>

namespace sweepscope::search {

/// The normal distribution from which CMA-ES draws points, and which it moves, scales and turns towards good ones (Hansen
/// 2016, arXiv:1604.00772). Discrete parameters keep a margin of probability for the values beside the most likely one
/// (Hamano et al. 2022, arXiv:2205.13482).
///
/// Each parameter lies in [0, 1]. One with k values has k cells of the same width.
class Evolution {
public:
    /// `cells` has the number of values of each parameter, at least 2; 0 if it is continuous.
    Evolution(Eigen::VectorXd mean, double deviation, std::vector<std::uint64_t> cells);

    /// How many points make a generation of a distribution over `parameters`.
    static Eigen::Index populationFor(Eigen::Index parameters);
    std::size_t populationSize() const { return static_cast<std::size_t>(m_weights.size()); }
    int generation() const { return m_generation; }

    /// Moves the distribution by a generation of points, best first, one in each row. Points that the distribution would
    /// hardly have drawn count as if they were closer (Hansen 2011, "Injecting external solutions into CMA-ES"); pass
    /// false if it has drawn all of them.
    void update(const Eigen::MatrixXd &bestFirst, bool mayBeForeign = true);

    /// The point that standard normal numbers stand for. It may lie outside [0, 1].
    Eigen::VectorXd point(const Eigen::VectorXd &normals) const;
    /// The same with discrete parameters at the centres of their cells.
    Eigen::VectorXd rounded(const Eigen::VectorXd &point) const;

    const Eigen::VectorXd &mean() const { return m_mean; }
    double deviation() const { return m_deviation; }
    const Eigen::MatrixXd &covariance() const { return m_covariance; }
    /// By how much draws of discrete parameters are stretched before they are rounded.
    const Eigen::VectorXd &stretch() const { return m_stretch; }

private:
    void decompose();
    void keepMargin();

    std::vector<std::uint64_t> m_cells;
    Eigen::VectorXd m_weights;
    Eigen::Index m_parents = 0;
    double m_effectiveParents = 0;
    double m_rankOneRate = 0;
    double m_rankMuRate = 0;
    double m_pathRate = 0;  ///< of the covariance's path
    double m_deviationRate = 0;
    double m_deviationDamping = 0;
    double m_expectedLength = 0;  ///< of a vector of standard normal numbers

    int m_generation = 0;
    double m_deviation;
    Eigen::VectorXd m_mean;
    Eigen::MatrixXd m_covariance;
    Eigen::MatrixXd m_axes;     ///< eigenvectors of the covariance
    Eigen::VectorXd m_lengths;  ///< roots of its eigenvalues
    Eigen::VectorXd m_path;
    Eigen::VectorXd m_deviationPath;
    Eigen::VectorXd m_stretch;
};

}  // namespace sweepscope::search
