#include "parsedsettings.h"
#include "temporaryfolder.h"
#include "train/data/dataset.h"
#include "train/data/moments.h"
#include "train/data/sampleorder.h"
#include "train/pickle.h"

#include <doctest/doctest.h>
#include <fstream>
#include <functional>
#include <string>
#include <torch/torch.h>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

constexpr int ranks = 3;

TrainSettings sampledSettings(std::vector<std::string> assignments, const char *sampling = "contiguous")
{
    assignments.push_back(std::string("sampling=") + sampling);
    return settings(assignments, 11);
}

TrialData load(const TrainSettings &wanted, const Share &share = {})
{
    const auto data = loadTrialData(wanted, share);
    INFO((data ? "" : data.error().message));
    REQUIRE(data.has_value());
    return *data;
}

bool same(const Samples &a, const Samples &b)
{
    return a.inputs.equal(b.inputs) && a.targets.equal(b.targets);
}

Samples every(const Samples &all, int rank)
{
    return all.select(torch::arange(rank, all.size(), ranks, torch::kInt64));
}

/// Requires that the ranks' parts together equal the data of a single rank that reads everything.
void compareParts(const std::vector<std::string> &assignments)
{
    CAPTURE(assignments[0]);
    const TrialData whole = load(sampledSettings(assignments, "shuffle"));
    std::vector<torch::Tensor> moments;
    TrialData part;
    for (int rank = 0; rank < ranks; ++rank) {
        part = load(sampledSettings(assignments), {rank, ranks});
        CHECK(part.isPart);
        const Partition mine = contiguousPartition(whole.train.size(), ranks, rank);
        CHECK(same(part.train, {whole.train.inputs.narrow(0, mine.start, mine.size),
                                whole.train.targets.narrow(0, mine.start, mine.size)}));
        CHECK(same(part.validation, every(whole.validation, rank)));
        CHECK(same(part.test, every(whole.test, rank)));
        CHECK(part.sizes.train == whole.train.size());
        CHECK(part.sizes.validation == whole.validation.size());
        CHECK(part.sizes.test == whole.test.size());
        CHECK(part.split.train.equal(whole.split.train));
        CHECK(part.outputs == whole.outputs);
        CHECK(part.vocabulary == whole.vocabulary);
        CHECK(part.task == whole.task);
        moments.push_back(part.moments);
    }
    if (whole.kind == SampleKind::Tokens)
        return;
    const Normalisation merged = mergeMoments(moments, part.train.inputs, part.kind);
    CHECK(merged.mean.sizes() == whole.normalisation.mean.sizes());
    CHECK(merged.mean.allclose(whole.normalisation.mean));
    CHECK(merged.deviation.allclose(whole.normalisation.deviation, 1e-4));
}

std::string pickled(const c10::IValue &value)
{
    std::string archive;
    pickleForPython(value, [&archive](const void *data, std::size_t size) {
        archive.append(static_cast<const char *>(data), size);
    });
    return archive;
}

std::string bytesOf(const torch::Tensor &tensor)
{
    return {static_cast<const char *>(tensor.data_ptr()), tensor.nbytes()};
}

/// Writes a file in numpy.save's format 1.0.
std::filesystem::path writeNpy(const TemporaryFolder &folder, const char *name, const std::string &type,
                               const torch::Tensor &tensor)
{
    std::string shape;
    for (const std::int64_t extent : tensor.sizes())
        shape += std::to_string(extent) + ",";
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.resize((10 + header.size() + 63) / 64 * 64 - 11, ' ');
    header += '\n';
    const std::string start{"\x93NUMPY\1\0", 8};
    const char length[2] = {static_cast<char>(header.size() & 0xffU), static_cast<char>(header.size() >> 8U)};
    return folder.writeText(name, start + std::string(length, 2) + header + bytesOf(tensor));
}

torch::Tensor randomImages(std::int64_t count, std::int64_t channels, std::int64_t side)
{
    return torch::randint(0, 256, {count, channels, side, side}, torch::kUInt8);
}

/// The peak growth of this process while `work` ran, and the bytes that it asked the kernel to read.
struct Cost {
    std::uint64_t peak = 0;
    std::uint64_t read = 0;
};

std::uint64_t procValue(const char *file, const std::string &wanted)
{
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(wanted))
            return std::stoull(line.substr(wanted.size()));
    }
    return 0;
}

Cost costOf(const std::function<void()> &work)
{
    std::ofstream("/proc/self/clear_refs") << "5";  // resets the peak
    const std::uint64_t before = procValue("/proc/self/status", "VmRSS:");
    const std::uint64_t readBefore = procValue("/proc/self/io", "rchar:");
    work();
    return {(procValue("/proc/self/status", "VmHWM:") - before) * 1024,
            procValue("/proc/self/io", "rchar:") - readBefore};
}

}  // namespace

TEST_CASE("partsOfDigitsAreThoseOfTheWhole")
{
    compareParts({"dataset=digits"});
}

TEST_CASE("partsOfACsvFileAreThoseOfTheWhole")
{
    const TemporaryFolder folder;
    std::string table = "a;kind;b\n";
    for (int i = 0; i < 100; ++i)
        table += std::to_string(i % 13) + ";"
                 + (i % 3 == 0 ? "iris"
                    : i == 50  ? "rose"
                               : "aster")
                 + ";" + std::to_string(i * 0.25) + (i % 7 == 0 ? "\r\n\n" : "\n");
    const std::string file = folder.writeText("table.csv", table).string();
    const std::string packed = folder.writeGzipped("table.csv.gz", {table.begin(), table.end()}).string();
    for (const std::string &path : {file, packed})
        compareParts({"dataset=csv", "target=kind", "data_file=" + path});
    std::string numbers = "x,y\n";
    for (int i = 0; i < 50; ++i)
        numbers += std::to_string(i) + "," + std::to_string(i * 0.5) + "\n";
    compareParts({"dataset=csv", "data_file=" + folder.writeText("numbers.csv", numbers).string()});
}

TEST_CASE("partsOfNpyFilesAreThoseOfTheWhole")
{
    const TemporaryFolder folder;
    torch::manual_seed(1);
    const auto images = writeNpy(folder, "images.npy", "|u1", randomImages(90, 3, 5));
    const auto halves = writeNpy(folder, "halves.npy", "<f2", torch::randn({90, 7}).to(torch::kFloat16));
    const auto classes = writeNpy(folder, "classes.npy", "<i8", torch::arange(90, torch::kInt64).remainder(4));
    const auto wholeHalves =
        writeNpy(folder, "wholehalves.npy", "<f2", torch::arange(90).remainder(4).to(torch::kFloat16));
    const auto numbers = writeNpy(folder, "numbers.npy", "<f4", torch::randn({90, 2}));
    for (const auto &inputs : {images, halves}) {
        for (const auto &targets : {classes, wholeHalves, numbers})
            compareParts({"dataset=npy", "data_file=" + inputs.string(), "target_file=" + targets.string()});
    }
    CHECK(load(sampledSettings({"dataset=npy", "data_file=" + halves.string(), "target_file=" + wholeHalves.string()}))
              .task
          == Task::Classification);
}

TEST_CASE("partsOfSavedTensorsAreThoseOfTheWhole")
{
    const TemporaryFolder folder;
    torch::manual_seed(2);
    const torch::Tensor inputs = randomImages(80, 1, 6);
    const torch::Tensor targets = torch::arange(80, torch::kInt64).remainder(5);
    const auto save = [&](const char *name, const torch::Tensor &values) {
        c10::Dict<std::string, torch::Tensor> dictionary;
        dictionary.insert("inputs", values);
        dictionary.insert("targets", targets);
        return folder.writeText(name, pickled(dictionary)).string();
    };
    compareParts({"dataset=tensors", "data_file=" + save("data.pt", inputs)});
    const std::string turned = save("turned.pt", inputs.permute({3, 1, 2, 0}).contiguous().permute({3, 1, 2, 0}));
    load(sampledSettings({"dataset=tensors", "data_file=" + turned}, "shuffle"));
    const auto refused = loadTrialData(sampledSettings({"dataset=tensors", "data_file=" + turned}), {0, ranks});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find("save tensor.contiguous()") != std::string::npos);

    const std::string cut = folder.path() / "cut.pt";
    std::filesystem::copy_file(folder.path() / "data.pt", cut);
    std::filesystem::resize_file(cut, 1000);
    CHECK_FALSE(loadTrialData(sampledSettings({"dataset=tensors", "data_file=" + cut}), {0, ranks}).has_value());
}

TEST_CASE("partsOfATextAreThoseOfTheWhole")
{
    const TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += std::to_string(i * i) + " sheep, ";
    const auto plain = folder.writeText("text", text);
    const auto packed = folder.writeGzipped("text.gz", {text.begin(), text.end()});
    for (const auto &path : {plain, packed})
        compareParts({"dataset=text", "context=16", "data_file=" + path.string()});
}

TEST_CASE("partsOfImageFilesAreThoseOfTheWhole")
{
    const TemporaryFolder folder;
    torch::manual_seed(3);
    const auto idx = [&](const char *name, const torch::Tensor &values, bool packed) {
        std::vector<std::uint8_t> bytes{0, 0, 8, static_cast<std::uint8_t>(values.dim())};
        for (const std::int64_t extent : values.sizes())
            bytes.insert(bytes.end(), {0, 0, 0, static_cast<std::uint8_t>(extent)});
        const std::string content = bytesOf(values);
        bytes.insert(bytes.end(), content.begin(), content.end());
        packed ? folder.writeGzipped(std::string(name) + ".gz", bytes) : folder.write(name, bytes);
    };
    idx("train-images-idx3-ubyte", torch::randint(0, 256, {70, 6, 6}, torch::kUInt8), false);
    idx("train-labels-idx1-ubyte", torch::randint(0, 10, {70}, torch::kUInt8), true);
    idx("t10k-images-idx3-ubyte", torch::randint(0, 256, {20, 6, 6}, torch::kUInt8), true);
    idx("t10k-labels-idx1-ubyte", torch::randint(0, 10, {20}, torch::kUInt8), false);
    for (const char *name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                             "data_batch_5.bin", "test_batch.bin"}) {
        torch::Tensor records = torch::randint(0, 256, {11, 3073}, torch::kUInt8);
        records.select(1, 0).remainder_(10);
        const std::string content = bytesOf(records);
        if (name[11] == '3')
            folder.writeGzipped(std::string(name) + ".gz", {content.begin(), content.end()});
        else
            folder.writeText(name, content);
    }
    for (const char *dataset : {"dataset=mnist", "dataset=cifar10"})
        compareParts({dataset, "data_folder=" + folder.path().string()});
}

TEST_CASE("rankReadsAndHoldsOnlyItsPart")
{
    const TemporaryFolder folder;
    constexpr std::uint64_t size = 96U << 20U;
    constexpr std::int64_t rows = size / 4096;
    const torch::Tensor inputs = torch::ones({rows, 1024});
    const torch::Tensor targets = torch::arange(rows, torch::kInt64).remainder(7);
    const auto values = writeNpy(folder, "values.npy", "<f4", inputs);
    const auto classes = writeNpy(folder, "classes.npy", "<i8", targets);
    const auto saved = folder.writeText("both.pt", pickled(c10::ivalue::Tuple::create({inputs, targets}))).string();
    for (const std::vector<std::string> &assignments :
         {std::vector<std::string>{"dataset=npy", "data_file=" + values.string(), "target_file=" + classes.string()},
          std::vector<std::string>{"dataset=tensors", "data_file=" + saved}}) {
        CAPTURE(assignments[0]);
        const Cost whole = costOf([&] { load(sampledSettings(assignments, "shuffle")); });
        CHECK(whole.peak > size);
        CHECK(whole.read > size);
        load(sampledSettings(assignments), {2, 8});  // initializes LibTorch's caches
        const Cost part = costOf([&] { load(sampledSettings(assignments), {2, 8}); });
        CHECK(part.peak < size / 8 * 3 / 2);
        CHECK(part.read < size / 8 * 9 / 8);
    }
}
