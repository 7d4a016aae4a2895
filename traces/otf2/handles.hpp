// SPDX-License-Identifier: BSD-3-Clause
// Handles of the OTF2 library that close themselves when something fails, but for archives. Where closing can fail and
// matters, the owner releases the handle and checks the code.
#pragma once

#include <otf2/otf2.h>

#include <cstdlib>
#include <memory>

namespace traces::otf2 {

template <auto close>
struct Closing {
    template <class Handle>
    void operator()(Handle* handle) const {
        close(handle);
    }
};

/// An archive that is written is closed by its owner, when all went well. Where something failed it is left as it is,
/// with its memory and open files: after a write that failed, as on a full disk, the library frees buffers twice when
/// it closes the archive, and ends the process (OTF2 3.0.2).
struct Leaving {
    void operator()(OTF2_Archive*) const {}
};
using Archive = std::unique_ptr<OTF2_Archive, Leaving>;
using Reader = std::unique_ptr<OTF2_Reader, Closing<OTF2_Reader_Close>>;
using Attributes = std::unique_ptr<OTF2_AttributeList, Closing<OTF2_AttributeList_Delete>>;
using EventCallbacks = std::unique_ptr<OTF2_EvtReaderCallbacks, Closing<OTF2_EvtReaderCallbacks_Delete>>;
using DefinitionCallbacks =
    std::unique_ptr<OTF2_GlobalDefReaderCallbacks, Closing<OTF2_GlobalDefReaderCallbacks_Delete>>;

/// Memory that the library hands over to be freed.
template <class T>
using Gift = std::unique_ptr<T, Closing<std::free>>;

}  // namespace traces::otf2
