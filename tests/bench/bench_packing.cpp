// The compressed size of a real training run's curves: softmax regression on MNIST, trained here by SGD, which reports
// what a training script does. The figures depend on the curves; noise packs worse, constants pack better.
//     bytes_per_point   the size of the compressed log divided by its points
//     plain_per_point   the same uncompressed: 24, plus a little for names and events
//     pack_mb_per_s     of the plain log
// SWEEPSCOPE_MNIST names the folder with the four files; without it nothing is measured.
#include "base/clock.h"
#include "data/idxfile.h"
#include "data/mnistfiles.h"
#include "feed/feedwriter.h"
#include "feed/logpacking.h"
#include "feed/ring.h"

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace sweepscope;

constexpr std::size_t classes = 10;
constexpr std::size_t batch = 64;

/// A linear layer and softmax, in floats.
class Softmax {
public:
    explicit Softmax(std::size_t inputs) : m_inputs(inputs), m_weights(inputs * classes) {}

    struct Figures {
        double loss = 0;
        double accuracy = 0;
        double gradNorm = 0;
    };
    Figures step(const data::IdxArray &images, const data::IdxArray &labels, const std::size_t *rows, float rate)
    {
        Figures figures;
        std::vector<float> gradient(m_weights.size());
        for (std::size_t row = 0; row < batch; ++row) {
            const std::uint8_t *image = images.values.data() + rows[row] * m_inputs;
            const std::size_t label = labels.values[rows[row]];
            std::array<float, classes> scores{};
            for (std::size_t i = 0; i < m_inputs; ++i) {
                for (std::size_t c = 0; image[i] != 0 && c < classes; ++c)
                    scores[c] += static_cast<float>(image[i]) / 255 * m_weights[i * classes + c];
            }
            const auto best = std::max_element(scores.begin(), scores.end());
            figures.accuracy += best - scores.begin() == static_cast<std::ptrdiff_t>(label) ? 1.0 / batch : 0;
            float sum = 0;
            const float highest = *best;
            for (float &score : scores)
                sum += score = std::exp(score - highest);
            figures.loss -= std::log(static_cast<double>(scores[label] / sum)) / batch;
            for (std::size_t c = 0; c < classes; ++c)
                scores[c] = (scores[c] / sum - (c == label ? 1.0F : 0.0F)) / batch;
            for (std::size_t i = 0; i < m_inputs; ++i) {
                for (std::size_t c = 0; image[i] != 0 && c < classes; ++c)
                    gradient[i * classes + c] += static_cast<float>(image[i]) / 255 * scores[c];
            }
        }
        for (std::size_t i = 0; i < m_weights.size(); ++i) {
            figures.gradNorm += static_cast<double>(gradient[i]) * static_cast<double>(gradient[i]);
            m_weights[i] -= rate * gradient[i];
        }
        figures.gradNorm = std::sqrt(figures.gradNorm);
        return figures;
    }

private:
    std::size_t m_inputs;
    std::vector<float> m_weights;
};

/// Reports 5 series a step to `ring`; returns the points.
std::uint64_t train(const data::IdxArray &images, const data::IdxArray &labels, int epochs, feed::RingDrain &drain,
                    const std::filesystem::path &ring)
{
    auto writer = feed::FeedWriter::open(ring).value();
    const auto loss = writer.declare("loss");
    const auto accuracy = writer.declare("accuracy");
    const auto gradNorm = writer.declare("grad_norm");
    const auto learningRate = writer.declare("lr");
    const auto stepTime = writer.declare("step_time", "s");
    const auto rows = static_cast<std::size_t>(images.shape[0]);
    Softmax model(images.values.size() / rows);
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 random(1);
    const std::size_t stepsPerEpoch = rows / batch;
    const auto steps = static_cast<double>(stepsPerEpoch) * epochs;
    std::int64_t step = 0;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        std::shuffle(order.begin(), order.end(), random);
        for (std::size_t i = 0; i < stepsPerEpoch; ++i, ++step) {
            const auto begin = std::chrono::steady_clock::now();
            const double rate = 0.05 * (1 + std::cos(3.14159265 * static_cast<double>(step) / steps));
            const Softmax::Figures figures = model.step(images, labels, &order[i * batch], static_cast<float>(rate));
            writer.write(loss, step, figures.loss);
            writer.write(accuracy, step, figures.accuracy);
            writer.write(gradNorm, step, figures.gradNorm);
            writer.write(learningRate, step, rate);
            writer.write(stepTime, step,
                         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
            if (step % 1000 == 999)
                (void)drain.drain().value();
        }
        writer.event(feed::EventKind::Epoch, step, "epoch " + std::to_string(epoch + 1));
    }
    return static_cast<std::uint64_t>(step) * 5 - writer.dropped();
}

void packRealCurves(benchmark::State &state)
{
    const char *const folder = std::getenv("SWEEPSCOPE_MNIST");
    const auto files = folder ? data::findMnist(folder) : makeError(ErrorCode::NotFound, "SWEEPSCOPE_MNIST is not set");
    const auto images = files.and_then([](const auto &found) { return data::readIdxFile(found.train.images, 3); });
    const auto labels = files.and_then([](const auto &found) { return data::readIdxFile(found.train.labels, 1); });
    if (!images || !labels) {
        state.SkipWithError((images ? labels : images).error().message.c_str());
        return;
    }
    std::string name = feed::ringFolder() / "sweepscope-bench-XXXXXX";
    const std::filesystem::path place = ::mkdtemp(name.data());
    const std::filesystem::path log = place / "rank-0.feed";
    auto drain = feed::RingDrain::create(place / "ring", log, {0, 1, wallNow(), "bench"}).value();
    const auto points = static_cast<double>(train(*images, *labels, 10, drain, place / "ring"));
    drain.unlink();
    for (auto _ : state) {
        const auto begin = std::chrono::steady_clock::now();
        const feed::PackedSizes sizes = feed::packLog(log).value();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        state.SetIterationTime(seconds);
        state.counters["points"] = points;
        state.counters["bytes_per_point"] = static_cast<double>(sizes.after) / points;
        state.counters["plain_per_point"] = static_cast<double>(sizes.before) / points;
        state.counters["pack_mb_per_s"] = static_cast<double>(sizes.before) / 1e6 / seconds;
    }
    std::filesystem::remove_all(place);
}
BENCHMARK(packRealCurves)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
