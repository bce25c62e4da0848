// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/lasting_thread.h"

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace fx {

namespace {

class LastingThread {
public:
    LastingThread() {
        std::thread([this] { work(); }).detach();
    }
    int result(const std::function<int()>& work) {
        std::packaged_task<int()> task(work);
        std::future<int> result = task.get_future();
        {
            const std::lock_guard lock(m_mutex);
            m_tasks.push_back(std::move(task));
        }
        m_wake.notify_one();
        return result.get();
    }

private:
    void work() {
        for (std::unique_lock lock(m_mutex);;) {
            m_wake.wait(lock, [this] { return !m_tasks.empty(); });
            std::packaged_task<int()> task = std::move(m_tasks.front());
            m_tasks.pop_front();
            lock.unlock();
            task();
            lock.lock();
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::packaged_task<int()>> m_tasks;
};

} // namespace

int onLastingThread(const std::function<int()>& work) {
    static std::mutex mutex;
    static LastingThread* thread = nullptr; // never deleted: it ends with the process
    static pid_t process = 0;
    {
        const std::lock_guard lock(mutex);
        if (process != ::getpid()) { // a child has none of its parent's threads
            thread = new LastingThread;
            process = ::getpid();
        }
    }
    return thread->result(work);
}

} // namespace fx
