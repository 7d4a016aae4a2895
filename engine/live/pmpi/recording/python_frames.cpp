// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/recording/python_frames.hpp"

#include "engine/live/records/collective_records.hpp"

#include <dlfcn.h>

#include <algorithm>

namespace engine::mpi::pmpi {
namespace {

template <class Function>
void load(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// What is used of the interface. Objects are known by their addresses alone.
struct Python {
    int (*isInitialized)() = nullptr;
    void* (*threadState)() = nullptr;
    int (*ensure)() = nullptr;
    void (*release)(int) = nullptr;
    void* (*frameOf)(void* thread) = nullptr;
    void* (*back)(void* frame) = nullptr;
    void* (*codeOf)(void* frame) = nullptr;
    int (*instructionOf)(void* frame) = nullptr;
    int (*lineOf)(void* frame) = nullptr;
    int (*lineAt)(void* code, int instruction) = nullptr;
    void (*keep)(void* object) = nullptr;
    void (*drop)(void* object) = nullptr;
    void* (*attribute)(void* object, const char* name) = nullptr;
    const char* (*words)(void* object) = nullptr;
    void (*forgetError)() = nullptr;

    Python() {
        load(isInitialized, "Py_IsInitialized");
        load(threadState, "PyGILState_GetThisThreadState");
        load(ensure, "PyGILState_Ensure");
        load(release, "PyGILState_Release");
        load(frameOf, "PyThreadState_GetFrame");
        load(back, "PyFrame_GetBack");
        load(codeOf, "PyFrame_GetCode");
        load(instructionOf, "PyFrame_GetLasti");
        load(lineOf, "PyFrame_GetLineNumber");
        load(lineAt, "PyCode_Addr2Line");
        load(keep, "Py_IncRef");
        load(drop, "Py_DecRef");
        load(attribute, "PyObject_GetAttrString");
        load(words, "PyUnicode_AsUTF8");
        load(forgetError, "PyErr_Clear");
    }
    [[nodiscard]] bool isWhole() const {
        return isInitialized != nullptr && threadState != nullptr && ensure != nullptr && release != nullptr &&
               frameOf != nullptr && back != nullptr && codeOf != nullptr && lineOf != nullptr && lineAt != nullptr &&
               keep != nullptr && drop != nullptr && attribute != nullptr && words != nullptr && forgetError != nullptr;
    }
    /// Of an attribute that is a string, without what would end a word or a line.
    [[nodiscard]] std::string wordsOf(void* object, const char* name) const {
        std::string found;
        void* const value = attribute(object, name);
        const char* const its = value != nullptr ? words(value) : nullptr;
        if (its != nullptr) found = its;
        else forgetError();
        if (value != nullptr) drop(value);
        std::replace_if(
            found.begin(), found.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
        return found;
    }
};

const Python& python() {
    static const Python loaded;
    return loaded;
}

}  // namespace

PythonLock::PythonLock() : state_{python().ensure()} {}

PythonLock::~PythonLock() { python().release(state_); }

bool PythonPath::isPossible() { return python().isWhole(); }

void PythonPath::look() {
    count_ = 0;
    const Python& its = python();
    // While the interpreter ends, nobody may wait for its lock.
    if (its.isInitialized() == 0) return;
    void* const thread = its.threadState();
    if (thread == nullptr) return;
    const PythonLock lock;
    for (void* frame = its.frameOf(thread); frame != nullptr;) {
        void* const code = its.codeOf(frame);
        if (count_ < mostFrames)
            frames_[count_++] = {reinterpret_cast<std::uintptr_t>(code),
                                 its.instructionOf != nullptr ? its.instructionOf(frame) : its.lineOf(frame)};
        its.drop(code);
        void* const next = count_ < mostFrames ? its.back(frame) : nullptr;
        its.drop(frame);
        frame = next;
    }
}

std::uint64_t PythonPath::hash() const noexcept {
    std::uint64_t mixed = count_;
    for (std::size_t i = 0; i < count_; ++i)
        mixed = (mixed ^ frames_[i].code ^ static_cast<std::uint64_t>(frames_[i].instruction) << 48U) *
                0x9E3779B97F4A7C15ULL;
    return mixed;
}

std::string PythonPath::describe(std::size_t i, std::uint16_t number) const {
    const Python& its = python();
    void* const code = reinterpret_cast<void*>(frames_[i].code);
    its.keep(code);
    live::Site site{.file = its.wordsOf(code, "co_filename")};
    site.function = its.wordsOf(code, "co_name");
    site.object = site.file;
    site.line = its.instructionOf != nullptr ? its.lineAt(code, frames_[i].instruction) : frames_[i].instruction;
    return live::siteLine(number, site) + live::lineLine(number, site);
}

bool operator==(const PythonPath& a, const PythonPath& b) noexcept {
    return a.count_ == b.count_ && std::equal(a.frames_.begin(), a.frames_.begin() + a.count_, b.frames_.begin());
}

}  // namespace engine::mpi::pmpi
