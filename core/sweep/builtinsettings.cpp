#include "sweep/builtinsettings.h"

#include <algorithm>
#include <utility>

namespace sweepscope::sweep {

namespace {

Key setting(const char *name, KeyType type, ParameterValue standard, const char *description)
{
    static const std::vector<std::string> usual{"dataset", "model", "epochs", "batch_size", "optimizer", "lr"};
    Key key;
    key.section = "run";
    key.name = name;
    key.type = type;
    key.defaultValue = std::move(standard);
    key.description = description;
    key.isUsual = std::ranges::find(usual, name) != usual.end();
    return key;
}

Key choice(const char *name, const char *standard, std::vector<std::string> choices, const char *description)
{
    Key key = setting(name, KeyType::Choice, std::string(standard), description);
    key.choices = std::move(choices);
    return key;
}

Key text(const char *name, const char *absent, const char *description)
{
    Key key = setting(name, KeyType::String, std::string(), description);
    key.absent = absent;
    return key;
}

Key within(Key key, double minimum, double maximum)
{
    key.minimum = minimum;
    key.maximum = maximum;
    return key;
}

Key whole(const char *name, std::int64_t standard, double minimum, double maximum, const char *description)
{
    return within(setting(name, KeyType::Integer, standard, description), minimum, maximum);
}

Key number(const char *name, double standard, double minimum, double maximum, const char *description)
{
    return within(setting(name, KeyType::Float, standard, description), minimum, maximum);
}

Key yesNo(const char *name, bool standard, const char *description)
{
    return setting(name, KeyType::Boolean, standard, description);
}

std::vector<Key> dataSettings()
{
    return {
        choice("dataset", "digits", {"digits", "mnist", "fashion_mnist", "cifar10", "csv", "npy", "tensors", "text"},
               "what to learn: 1,797 handwritten digits of 8x8 pixels that come along, or files of yours"),
        text("data_folder",
             "the environment variable `SWEEPSCOPE_MNIST`, `SWEEPSCOPE_FASHION_MNIST` or `SWEEPSCOPE_CIFAR10`",
             "folder with the files of mnist, fashion_mnist or cifar10"),
        text("data_file", "", "file of csv, npy (inputs), tensors (torch.save) or text"),
        text("target_file", "", "npy file with the targets of npy"),
        text("target", "the last column", "csv column to predict; empty = the last one"),
        choice("task", "auto", {"auto", "classification", "regression"},
               "what csv, npy and tensors are for; auto: classification when targets are whole numbers or words"),
        yesNo("standardize", true, "subtract the training data's mean and divide by its deviation"),
        choice("augment", "none", {"none", "flip", "crop", "crop_flip"},
               "change training images at random: mirrored, shifted within a padded frame, or both"),
        whole("context", 64, 1, 65'536, "characters that the transformer sees at once"),
        choice("sampling", "shuffle", {"shuffle", "sequential", "weighted", "contiguous"},
               "order of samples: DistributedSampler, the same without shuffling, drawn so that classes are equally "
               "frequent, or one fixed part of the data per rank"),
        yesNo("drop_last", false, "leave out samples that do not divide evenly among ranks, instead of repeating some"),
        number("validation_fraction", 0.15, 0.01, 0.9, "share of the training data kept for validation"),
        number("test_fraction", 0.15, 0.01, 0.9,
               "share of the data kept for the test; MNIST and CIFAR-10 have a test set of their own"),
        whole("train_samples", 0, 0, 1'000'000'000, "use only so many training samples; 0 = all"),
        whole("loader_threads", 0, 0, 64, "threads per rank that prepare batches ahead; 0 = prepared when needed"),
    };
}

std::vector<Key> modelSettings()
{
    return {
        choice("model", "mlp", {"linear", "mlp", "cnn", "resnet", "transformer", "torchscript"},
               "network: softmax regression, fully connected, small convolutional, residual, transformer on "
               "characters, or your own TorchScript file"),
        text("model_file", "", "TorchScript file of model torchscript, as torch.jit.save writes it"),
        whole("hidden", 64, 1, 65'536, "width of hidden layers (mlp, cnn) or of the transformer"),
        whole("layers", 1, 1, 64, "hidden layers of mlp, blocks per stage of resnet, blocks of the transformer"),
        whole("heads", 4, 1, 64, "attention heads of the transformer; divides hidden"),
        number("dropout", 0.0, 0, 0.99, "share of activations dropped while training"),
    };
}

std::vector<Key> trainingSettings()
{
    return {
        whole("epochs", 10, 1, 100'000, "passes over the training data"),
        whole("batch_size", 32, 1, 1'000'000, "samples per batch and rank"),
        whole("accumulate", 1, 1, 10'000, "batches whose gradients are added up for one step"),
        choice("optimizer", "sgd", {"sgd", "adam", "adamw", "rmsprop", "adagrad"}, "update rule"),
        number("lr", 0.01, 0, 1000, "learning rate"),
        number("momentum", 0.0, 0, 1, "momentum of sgd and rmsprop; the others do not use it"),
        number("weight_decay", 0.0, 0, 10, "weight decay (L2; decoupled for adamw)"),
        choice("schedule", "constant", {"constant", "step", "cosine", "one_cycle"},
               "how the learning rate changes over the steps of a trial"),
        whole("warmup_steps", 0, 0, 1'000'000'000, "steps over which the learning rate grows to its value"),
        whole("decay_epochs", 10, 1, 100'000, "epochs between two decays of schedule step"),
        number("decay_factor", 0.1, 0, 1, "what schedule step multiplies the learning rate by"),
        number("clip_norm", 0.0, 0, 1e9, "largest norm of all gradients together; 0 = not clipped"),
        number("label_smoothing", 0.0, 0, 0.99, "share of the target spread over all classes"),
        whole("early_stop", 0, 0, 100'000, "end after so many epochs without a better val_loss; 0 = never"),
        choice("precision", "float32", {"float32", "bf16"}, "arithmetic of forward and backward; bf16: autocast"),
        choice("nan_policy", "fail", {"fail", "skip", "stop"},
               "when loss or gradients are not finite: fail the trial, leave the step out, or end after a checkpoint"),
    };
}

std::vector<Key> executionSettings()
{
    return {
        choice("parallel", "ddp", {"ddp", "data_parallel", "model", "hybrid"},
               "how work is shared: a replica per rank, one rank with a replica per device, stages of the model on a "
               "rank's devices, or ddp over such stages"),
        whole("stages", 0, 0, 64, "devices per rank for data_parallel, model and hybrid; 0 = all that the rank has"),
        whole("micro_batches", 1, 1, 1024, "parts of a batch that follow each other through the stages"),
        number("bucket_mb", 25, 0.01, 4096, "MiB of gradients that travel together"),
        yesNo("find_unused", false, "allow steps in which some parameters get no gradient"),
        whole("check_every", 0, 0, 1'000'000'000, "steps between comparisons of the ranks' weights; 0 = each epoch"),
        number("peer_timeout", 10, 0, 86'400, "seconds after which a silent rank counts as lost; 0 = never"),
        yesNo("checkpoints", true, "keep the last and the best state in the attempt's folder"),
        whole("checkpoint_every", 0, 0, 1'000'000'000, "steps between checkpoints; 0 = each epoch"),
        yesNo("resume", true, "a retried trial goes on from the last checkpoint of its earlier attempts"),
        whole("threads", 0, 0, 1024, "compute threads per rank; 0 = from OMP_NUM_THREADS"),
    };
}

}  // namespace

std::vector<Key> builtinSettingKeys()
{
    std::vector<Key> all;
    for (auto &&part : {dataSettings(), modelSettings(), trainingSettings(), executionSettings()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

bool isPathSetting(std::string_view name)
{
    return name == "data_folder" || name == "data_file" || name == "target_file" || name == "model_file";
}

const std::vector<std::string> &builtinObjectives()
{
    static const std::vector<std::string> names{"val_loss",  "val_accuracy", "test_loss", "test_accuracy",
                                                "loss",      "accuracy",     "grad_norm", "step_time",
                                                "data_wait", "compute_time", "comm_wait", "samples_per_second"};
    return names;
}

}  // namespace sweepscope::sweep
