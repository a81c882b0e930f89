#include "train/batch.h"

#include "sweep/splitmix.h"
#include "train/data/augment.h"

#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

torch::Tensor augmented(const torch::Tensor &images, const torch::Tensor &indices, const Augmentation &augmentation,
                        bool isPinned)
{
    torch::Tensor changed = torch::empty(images.sizes(), images.options().pinned_memory(isPinned));
    const ImageSize size{images.size(1), images.size(2), images.size(3)};
    const torch::Tensor places = indices.contiguous();
    for (std::int64_t i = 0; i < images.size(0); ++i) {
        const ImageChange change =
            drawChange(augmentation, size, static_cast<std::uint64_t>(places.data_ptr<std::int64_t>()[i]));
        changeImage(images.data_ptr<std::uint8_t>() + i * size.pixels(),
                    changed.data_ptr<std::uint8_t>() + i * size.pixels(), size, change);
    }
    return changed;
}

torch::Tensor selectPinned(const torch::Tensor &rows, const torch::Tensor &indices)
{
    std::vector<std::int64_t> shape = rows.sizes().vec();
    shape.front() = indices.numel();
    torch::Tensor selected = torch::empty(shape, rows.options().pinned_memory(true));
    return torch::index_select_out(selected, rows, 0, indices);
}

}  // namespace

void Batch::awaitCopy() const
{
    if (!copy)
        return;
    made.precedeCurrentStream();
    const c10::impl::VirtualGuardImpl guard(inputs.device().type());
    // Their memory belongs to the stream that made them: it must not be used again before this one is through.
    for (const torch::Tensor &tensor : {inputs, targets})
        tensor.record_stream(guard.getStream(tensor.device()));
}

BatchMaker::BatchMaker(SampleKind kind, const Normalisation &normalisation, torch::Device device, bool channelsLast)
    : m_kind(kind), m_normalisation(normalisation), m_device(device), m_channelsLast(channelsLast)
{
    if (m_kind != SampleKind::Tokens) {
        m_normalisation.mean = m_normalisation.mean.to(device);
        m_normalisation.deviation = m_normalisation.deviation.to(device);
    }
    if (m_device.is_cuda() && Moment::followsGpus())
        m_copying = c10::impl::VirtualGuardImpl(m_device.type()).getStreamFromGlobalPool(m_device);
}

Batch BatchMaker::make(const Samples &from, const torch::Tensor &indices,
                       const std::optional<Augmentation> &augmentation) const
{
    const bool isCopied = m_copying && from.inputs.is_cpu();
    const bool isAugmented = augmentation && m_kind == SampleKind::Image;
    Samples rows;
    if (isCopied && !isAugmented)
        rows = {selectPinned(from.inputs, from.rowsOf(indices)), selectPinned(from.targets, indices)};
    else if (isCopied)
        rows = {from.inputs.index_select(0, from.rowsOf(indices)), selectPinned(from.targets, indices)};
    else
        rows = from.select(indices);
    if (isAugmented)
        rows.inputs = augmented(rows.inputs, indices, *augmentation, isCopied);
    if (isCopied)
        return copied(rows);
    Batch batch{rows.inputs.to(m_device), rows.targets.to(m_device)};
    normalise(batch);
    return batch;
}

Batch BatchMaker::copied(const Samples &rows) const
{
    const c10::StreamGuard copying(*m_copying);
    const Moment begin = Moment::on(m_device);
    Batch batch{rows.inputs.to(m_device, /*non_blocking=*/true), rows.targets.to(m_device, /*non_blocking=*/true)};
    batch.copy = {begin, Moment::on(m_device)};
    normalise(batch);
    batch.made = Moment::on(m_device);
    return batch;
}

void BatchMaker::normalise(Batch &batch) const
{
    if (m_kind == SampleKind::Image)
        batch.inputs =
            batch.inputs.to(torch::kFloat32, /*non_blocking=*/false, /*copy=*/false,
                            m_channelsLast ? torch::MemoryFormat::ChannelsLast : torch::MemoryFormat::Preserve);
    if (m_kind != SampleKind::Tokens)
        batch.inputs.sub_(m_normalisation.mean).div_(m_normalisation.deviation);
}

}  // namespace sweepscope::train
