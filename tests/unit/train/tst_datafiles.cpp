#include "train/data/dataset.h"

#include "parsedsettings.h"
#include "temporaryfolder.h"
#include "train/data/sampleorder.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <torch/torch.h>
#include <utility>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

void write(const std::filesystem::path &path, const std::string &content)
{
    std::ofstream(path, std::ios::binary) << content;
}

std::string refusal(const std::vector<std::string> &assignments)
{
    const auto data = loadDataset(settings(assignments));
    REQUIRE_FALSE(data.has_value());
    return data.error().message;
}

bool has(const std::string &text, const std::string &part)
{
    CAPTURE(text);
    return text.find(part) != std::string::npos;
}

/// Returns a file in numpy.save's format 1.0.
std::string npy(const std::string &type, const std::string &shape, const std::string &values)
{
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize((10 + header.size() + 63) / 64 * 64 - 10 - 1, ' ');
    header += '\n';
    std::string bytes = "\x93NUMPY";
    bytes += '\1';
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xffU);
    bytes += static_cast<char>(header.size() >> 8U);
    return bytes + header + values;
}

template <typename Number>
std::string bytesOf(const std::vector<Number> &numbers)
{
    return {reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(Number)};
}

}  // namespace

TEST_CASE("csvWithStringTargetsIsAClassification")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "iris.csv";
    write(file, "length;kind;width\n1.5;setosa;2\n\n3;virginica;4e0\n\"5\";setosa;6\r\n");
    const auto data = loadDataset(settings({"dataset=csv", "data_file=" + file.string(), "target=kind"}));
    REQUIRE(data.has_value());
    CHECK(data->kind == SampleKind::Features);
    CHECK(data->task == Task::Classification);
    CHECK(data->outputs == 2);
    CHECK(data->samples.inputs.equal(torch::tensor({{1.5F, 2.0F}, {3.0F, 4.0F}, {5.0F, 6.0F}})));
    CHECK(data->samples.targets.equal(torch::tensor({0, 1, 0}, torch::kInt64)));
}

TEST_CASE("csvWithNumbersIsARegressionOfTheLastColumn")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "prices.csv";
    write(file, "rooms,price\n1,10.5\n2,20\n");
    const auto data = loadDataset(settings({"dataset=csv", "data_file=" + file.string()}));
    REQUIRE(data.has_value());
    CHECK(data->task == Task::Regression);
    CHECK(data->samples.targets.equal(torch::tensor({{10.5F}, {20.0F}})));
    CHECK(loadDataset(settings({"dataset=csv", "data_file=" + file.string(), "target=rooms"}))->task
          == Task::Classification);
}

TEST_CASE("csvErrorsNameLineAndColumn")
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "bad.csv").string();
    const auto refused = [&file](const std::string &content, const std::string &target = "") {
        write(file, content);
        return refusal({"dataset=csv", "data_file=" + file, "target=" + target});
    };
    CHECK(has(refused("a,b\n1,2\nx,4\n"), file + ":3: column a must be a number, found 'x'"));
    CHECK(has(refused("a,b\n1\n"), ":2: expected 2 fields, found 1"));
    CHECK(has(refused("a,b\n1,2\n", "c"), "has no column c; it has a, b"));
    CHECK(has(refused("a,b\n"), "no rows below the header"));
    CHECK(has(refused("a,b\n1,2\n\nnan,1\n"), ":4: column a must be a finite number, found 'nan'"));
    CHECK(has(refused("a,b\n1,2\n\"x\ny\",1\n"), ":3: column a must be a number, found 'x\ny'"));
    CHECK(has(refused("a,b\n1,0\n1,inf\n"), ":3: column b must be finite, found 'inf'"));
    CHECK(has(refused("a,b,a\n1,2,3\n"), ":1: the header contains column a twice"));
    CHECK(has(refusal({"dataset=csv"}), "data_file: dataset csv needs the file"));
}

TEST_CASE("csvAsSpreadsheetsWriteIt")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "sheet.csv";
    write(file, "\xef\xbb\xbf\"width, cm\",kind\r\n+1.5,\"a \"\"big\"\" one, red\"\r\n1e-400, b \r\n-2,b");
    const auto data = loadDataset(settings({"dataset=csv", "data_file=" + file.string()}));
    REQUIRE(data.has_value());
    CHECK(data->outputs == 2);
    CHECK(data->samples.inputs.equal(torch::tensor({{1.5F}, {0.0F}, {-2.0F}})));
    CHECK(data->samples.targets.equal(torch::tensor({0, 1, 1}, torch::kInt64)));
}

TEST_CASE("csvTargetThatIsMissingOrAmbiguousIsRefused")
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "prices.csv").string();
    const auto refused = [&file](const std::string &content, const std::string &task) {
        write(file, content);
        return refusal({"dataset=csv", "data_file=" + file, "task=" + task});
    };
    for (const char *task : {"auto", "classification", "regression"}) {
        CHECK(has(refused("a,price\n1,3.5\n2,\n", task), file + ":3: column price, the target, is empty"));
        CHECK(has(refused("a,price\n1,3.5\n2,\"\"\n", task), ":3: column price, the target, is empty"));
    }
    CHECK(has(refused("a,price\n1,3.5\n2,n/a\n3,x\n", "regression"), ":3: column price contains 'n/a', but task"));
    CHECK(has(refused("a,price\n1,3.5\n2,n/a\n", "auto"), ":3: column price contains 'n/a' among numbers"));
    CHECK(has(refused("a,price\nx,y\n", "auto"), ":2: column a must be a number"));

    std::string counts = "a,count\n";
    for (int i = 0; i < 150; ++i)
        counts += std::to_string(i) + "," + std::to_string(100 * (i + 1)) + "\n";
    CHECK(has(refused(counts, "auto"), "the 150 targets are integers up to 15000, which may be classes or numbers"));
    CHECK(has(refused("a,price\n1,100000\n", "classification"), "set task = \"regression\""));
    write(file, counts);
    const auto numbers = loadDataset(settings({"dataset=csv", "data_file=" + file, "task=regression"}));
    REQUIRE(numbers.has_value());
    CHECK(numbers->task == Task::Regression);
}

TEST_CASE("npyFilesAreReadInPairs")
{
    const TemporaryFolder folder;
    const std::string inputs = (folder.path() / "x.npy").string();
    const std::string targets = (folder.path() / "y.npy").string();
    write(inputs, npy("<f8", "(3, 2)", bytesOf<double>({1, 2, 3, 4, 5, 6})));
    write(targets, npy("<i8", "(3,)", bytesOf<std::int64_t>({2, 0, 1})));
    const auto data = loadDataset(settings({"dataset=npy", "data_file=" + inputs, "target_file=" + targets}));
    REQUIRE(data.has_value());
    CHECK(data->outputs == 3);
    CHECK(data->samples.inputs[2][1].item<float>() == 6);
    CHECK(data->samples.targets[0].item<std::int64_t>() == 2);
    CHECK(has(refusal({"dataset=npy", "data_file=" + inputs}), "target_file: dataset npy needs"));

    write(inputs, npy("<f8", "(3, 2)", bytesOf<double>({1, 2, 3})));
    CHECK(
        has(refusal({"dataset=npy", "data_file=" + inputs, "target_file=" + targets}), "expected 48 bytes of values"));
    write(inputs, npy("|O", "(3, 2)", ""));
    CHECK(has(refusal({"dataset=npy", "data_file=" + inputs, "target_file=" + targets}), "contains values of type |O"));
    write(inputs, npy("<f4", "(99999999999, 99999999999)", ""));
    CHECK(has(refusal({"dataset=npy", "data_file=" + inputs, "target_file=" + targets}), "declares too many values"));
    write(inputs, npy("<f4", "(3, 0)", ""));
    CHECK(has(refusal({"dataset=npy", "data_file=" + inputs, "target_file=" + targets}), "found 3 x 0 and 3"));
    write(inputs, "\x93NUMPY");
    CHECK(has(refusal({"dataset=npy", "data_file=" + inputs, "target_file=" + targets}), "written by numpy.save"));
}

TEST_CASE("savedTensorsAreReadAsADictionaryOrAPair")
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "data.pt").string();
    const torch::Tensor inputs = torch::arange(24, torch::kUInt8).view({2, 3, 2, 2});
    const torch::Tensor targets = torch::tensor({1, 4}, torch::kInt64);
    c10::Dict<std::string, torch::Tensor> dictionary;
    dictionary.insert("targets", targets);
    dictionary.insert("inputs", inputs);
    for (const c10::IValue &value : {c10::IValue(dictionary), c10::IValue(std::make_tuple(inputs, targets))}) {
        const std::vector<char> bytes = torch::pickle_save(value);
        write(file, {bytes.begin(), bytes.end()});
        const auto data = loadDataset(settings({"dataset=tensors", "data_file=" + file}));
        REQUIRE(data.has_value());
        CHECK(data->kind == SampleKind::Image);
        CHECK(data->outputs == 5);
        CHECK(data->samples.inputs.equal(inputs));
    }
    write(file, "no tensors");
    CHECK(has(refusal({"dataset=tensors", "data_file=" + file}), "expected a file written by torch.save"));
}

TEST_CASE("savedTensorsBeyondTheirStorageAreRefused")
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "data.pt").string();
    c10::Dict<std::string, torch::Tensor> dictionary;
    dictionary.insert("inputs", torch::rand({40, 3}));
    dictionary.insert("targets", torch::zeros({40}, torch::kInt64));
    const std::vector<char> saved = torch::pickle_save(dictionary);
    const std::string whole(saved.begin(), saved.end());
    const auto replaced = [](std::string text, const std::string &before, const std::string &after) {
        const std::size_t at = text.find(before);
        REQUIRE(at != std::string::npos);
        return text.replace(at, before.size(), after);
    };
    // The shapes as they are pickled: bytes, and the end of a tuple. One row more, 200 rows, and a stride of 9.
    const std::vector<std::pair<std::string, std::string>> changes{
        {"K\x28K\x03t", "K\x29K\x03t"}, {"K\x28K\x03t", "K\xc8K\x03t"}, {"K\x03K\x01t", "K\x09K\x01t"}};
    for (const auto &[before, after] : changes) {
        const std::string rows = after.substr(0, 2);
        std::string forged = replaced(whole, before, after);
        if (before == changes.front().first)
            forged = replaced(forged, "(K\x28t", "(" + rows + "t");
        write(file, forged);
        for (const char *sampling : {"sampling=shuffle", "sampling=contiguous"}) {
            const auto data =
                loadTrialData(settings({"dataset=tensors", "data_file=" + file, sampling}), {.rank = 0, .ranks = 2});
            REQUIRE_FALSE(data.has_value());
            const bool isRead = std::string(sampling) == "sampling=shuffle";
            CHECK(has(data.error().message, isRead ? file + " is damaged in "
                                                   : file + ": expected a file written by torch.save; it is damaged"));
        }
    }
}

TEST_CASE("savedTensorsOfOtherKindsAreRefused")
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "data.pt").string();
    const auto save = [&file](const torch::Tensor &inputs) {
        c10::Dict<std::string, torch::Tensor> dictionary;
        dictionary.insert("inputs", inputs);
        dictionary.insert("targets", torch::tensor({0, 1}, torch::kInt64));
        const std::vector<char> bytes = torch::pickle_save(dictionary);
        write(file, {bytes.begin(), bytes.end()});
        return std::vector<std::string>{"dataset=tensors", "data_file=" + file};
    };
    CHECK(has(refusal(save(torch::ones({2, 2}, torch::kComplexFloat))), "found complex ones"));
    CHECK(has(refusal(save(torch::quantize_per_tensor(torch::ones({2, 2}), 0.1, 0, torch::kQInt8))),
              "found a quantized tensor"));
    CHECK(has(refusal(save(torch::ones({2, 0}))), "found 2 x 0 and 2"));
    const auto trained = loadDataset(settings(save(torch::ones({2, 2}).requires_grad_())));
    REQUIRE(trained.has_value());
    CHECK_FALSE(trained->samples.inputs.requires_grad());
}

TEST_CASE("textBecomesWindowsOfTokensAndTheirSuccessors")
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "text").string();
    write(file, "abcabcabcabca");
    const auto data = loadDataset(settings({"dataset=text", "data_file=" + file, "context=4"}));
    REQUIRE(data.has_value());
    CHECK(data->vocabulary == 3);
    CHECK(data->samples.inputs.equal(torch::tensor({{0, 1, 2, 0}, {1, 2, 0, 1}, {2, 0, 1, 2}}, torch::kInt64)));
    CHECK(data->samples.targets.equal(torch::tensor({{1, 2, 0, 1}, {2, 0, 1, 2}, {0, 1, 2, 0}}, torch::kInt64)));
    CHECK(has(refusal({"dataset=text", "data_file=" + file, "context=5"}), "13 bytes are too few"));
}

TEST_CASE("cifarRecordsBecomeColourImages")
{
    const TemporaryFolder folder;
    const auto record = [](char label, char first) {
        std::string bytes(3073, '\0');
        bytes[0] = label;
        bytes[1] = first;
        bytes[1 + 1024] = '\2';
        return bytes;
    };
    for (int i = 1; i <= 5; ++i)
        write(folder.path() / ("data_batch_" + std::to_string(i) + ".bin"), record(static_cast<char>(i), '\7'));
    write(folder.path() / "test_batch.bin", record('\3', '\1') + record('\4', '\1'));
    const auto data = loadDataset(settings({"dataset=cifar10", "data_folder=" + folder.path().string()}));
    REQUIRE(data.has_value());
    CHECK(data->samples.inputs.sizes() == std::vector<std::int64_t>{5, 3, 32, 32});
    CHECK(data->samples.inputs[0][0][0][0].item<int>() == 7);
    CHECK(data->samples.inputs[0][1][0][0].item<int>() == 2);
    CHECK(data->samples.targets.equal(torch::arange(1, 6)));
    CHECK(data->test.size() == 2);

    write(folder.path() / "test_batch.bin", record('\12', '\1'));
    CHECK(has(refusal({"dataset=cifar10", "data_folder=" + folder.path().string()}), "found 10 in record 0"));
    write(folder.path() / "test_batch.bin", record('\1', '\1').substr(1));
    CHECK(has(refusal({"dataset=cifar10", "data_folder=" + folder.path().string()}), "expected records of 3073 bytes"));
}

TEST_CASE("columnsAreStandardisedByTheTrainingSet")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "table.csv";
    std::string table = "a,b,y\n";
    for (int i = 0; i < 40; ++i)
        table += std::to_string(i) + ",5," + std::to_string(i % 2) + "\n";
    write(file, table);
    const auto data = loadTrialData(settings({"dataset=csv", "data_file=" + file.string()}));
    REQUIRE(data.has_value());
    CHECK(data->normalisation.mean.equal(data->train.inputs.mean(0)));
    CHECK(data->normalisation.deviation[1].item<float>() == 1);  // constant, so it is not scaled
    const auto raw = loadTrialData(settings({"dataset=csv", "data_file=" + file.string(), "standardize=false"}));
    CHECK(raw->normalisation.deviation.item<float>() == 1);
}

TEST_CASE("contiguousPartsOfAllRanksCoverTheWholeAndAreEquallyLong")
{
    const TrainSettings wanted = settings({"sampling=contiguous"});
    std::vector<std::int64_t> seen;
    for (int rank = 0; rank < 3; ++rank) {
        const SampleOrder order(wanted, 11, 3, rank, {});
        const torch::Tensor indices = order.epoch(2);
        CHECK(indices.size(0) == 4);
        seen.insert(seen.end(), indices.data_ptr<std::int64_t>(), indices.data_ptr<std::int64_t>() + 4);
    }
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    CHECK(seen.size() == 11);
    CHECK_THROWS_AS(SampleOrder(wanted, 2, 3, 0, {}), c10::Error);
}
