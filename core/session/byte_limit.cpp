// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/byte_limit.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/work_budget.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <atomic>
#include <cstring>

namespace fx {

namespace {

/// In front of each block: as much as keeps its alignment.
constexpr size_t kHeader = 64;

struct CountingAllocator : c10::Allocator {
    CountingAllocator(c10::Allocator* inner, uint64_t limit) : inner(inner), limit(limit) {}

    // The data is its own context, as oneDNN wants it.
    c10::DataPtr allocate(size_t size) override {
        if (size == 0)
            return {nullptr, nullptr, &release, c10::Device(c10::DeviceType::CPU)};
        const uint64_t before = living.fetch_add(size);
        if (size > limit || before > limit - size) {
            living -= size;
            throw Error("", "evaluation was stopped: its tensors would take " + byteText(before + size) +
                                ", more than the " + byteText(limit) + " that opening may take")
                .hint("make smaller tensors, make them on the meta device, or raise --memory-limit")
                .kind(kLimitKind);
        }
        auto* block = static_cast<std::byte*>(inner->raw_allocate(size + kHeader));
        std::memcpy(block, &size, sizeof size);
        std::byte* data = block + kHeader;
        return {data, data, &release, c10::Device(c10::DeviceType::CPU)};
    }

    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* to, const void* from, size_t size) const override { std::memcpy(to, from, size); }

    static void release(void* data) {
        if (!data)
            return;
        std::byte* block = static_cast<std::byte*>(data) - kHeader;
        size_t size = 0;
        std::memcpy(&size, block, sizeof size);
        instance->living -= size;
        instance->inner->raw_deallocate(block);
    }

    c10::Allocator* const inner;
    const uint64_t limit;
    std::atomic<uint64_t> living{0};
    static CountingAllocator* instance;
};

CountingAllocator* CountingAllocator::instance = nullptr;

} // namespace

void limitTensorBytes(uint64_t bytes) {
    // Never destroyed: blocks outlive everything else.
    CountingAllocator::instance = new CountingAllocator(c10::GetCPUAllocator(), bytes);
    c10::SetCPUAllocator(CountingAllocator::instance, /*priority=*/100);
}

} // namespace fx
