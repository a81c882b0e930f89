#include "data/mnistfiles.h"

#include "data/idxfile.h"

#include <optional>

namespace sweepscope::data {

namespace {

using Shape = std::vector<std::int64_t>;

/// Names those that it does not find.
class Finder {
public:
    explicit Finder(const std::filesystem::path &folder) : m_folder(folder) {}

    std::filesystem::path find(const std::string &name)
    {
        for (const char *ending : {"", ".gz"}) {
            std::filesystem::path path = m_folder / (name + ending);
            std::error_code error;
            if (std::filesystem::is_regular_file(path, error))
                return path;
        }
        m_missing += (m_missing.empty() ? "" : ", ") + name;
        return {};
    }
    const std::string &missing() const { return m_missing; }

private:
    const std::filesystem::path &m_folder;
    std::string m_missing;
};

std::optional<Shape> shapeOf(const std::filesystem::path &file, std::size_t dimensions,
                             std::vector<std::string> &problems)
{
    Expected<Shape> shape = checkIdxFile(file, dimensions);
    if (shape)
        return std::move(*shape);
    problems.push_back(shape.error().message);
    return std::nullopt;
}

/// The shape of the part's images, when nothing is wrong with it.
std::optional<Shape> checkPart(const MnistPart &part, std::vector<std::string> &problems)
{
    const std::optional<Shape> images = shapeOf(part.images, 3, problems);
    const std::optional<Shape> labels = shapeOf(part.labels, 1, problems);
    if (!images || !labels)
        return std::nullopt;
    if (const Expected<void> fit = checkMnistShapes(part, *images, *labels); !fit) {
        problems.push_back(fit.error().message);
        return std::nullopt;
    }
    return images;
}

}  // namespace

Expected<MnistFiles> findMnist(const std::filesystem::path &folder)
{
    Finder finder(folder);
    MnistFiles files{{finder.find("train-images-idx3-ubyte"), finder.find("train-labels-idx1-ubyte")},
                     {finder.find("t10k-images-idx3-ubyte"), finder.find("t10k-labels-idx1-ubyte")}};
    if (!finder.missing().empty())
        return makeError(ErrorCode::NotFound, folder.lexically_normal().string() + " lacks " + finder.missing()
                                                  + " (plain, or with .gz): put the four files of MNIST there; "
                                                    "docs/training.md says where to get them");
    return files;
}

Expected<void> checkMnistShapes(const MnistPart &part, const Shape &images, const Shape &labels)
{
    if (images[0] != labels[0])
        return makeError(ErrorCode::BadInput, part.images.string() + " has " + std::to_string(images[0])
                                                  + " images, but " + part.labels.string() + " has "
                                                  + std::to_string(labels[0])
                                                  + " labels; they must be of the same set");
    if (images[0] == 0 || images[1] < 4 || images[2] < 4)
        return makeError(ErrorCode::BadInput, part.images.string()
                                                  + ": expected images of at least 4 x 4 pixels, found "
                                                  + std::to_string(images[0]) + " images of "
                                                  + std::to_string(images[1]) + " x " + std::to_string(images[2]));
    return {};
}

std::vector<std::string> mnistProblems(const std::filesystem::path &folder)
{
    const Expected<MnistFiles> files = findMnist(folder);
    if (!files)
        return {files.error().message};
    std::vector<std::string> problems;
    const std::optional<Shape> train = checkPart(files->train, problems);
    const std::optional<Shape> test = checkPart(files->test, problems);
    if (train && test && ((*train)[1] != (*test)[1] || (*train)[2] != (*test)[2]))
        problems.push_back(folder.lexically_normal().string()
                           + ": the images of train-* and t10k-* differ in size; they must be of the same set");
    return problems;
}

}  // namespace sweepscope::data
