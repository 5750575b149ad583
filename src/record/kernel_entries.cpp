// What a generated kernel tells the recorder, so that a recording of the kernel holds the calls it was made to
// repeat and nothing else. Kernels look the functions up weakly: one that isn't recorded finds none.
#include "record/real.hpp"
#include "record/recorder.hpp"

/// What this process has done so far is not the application's, as when libraries that it is linked with read
/// their settings before main(): recording starts afresh. Only while the process has one thread.
RF_HOOK void refrain_restart() { refrain::record::start_again(); }

/// What this thread does until it resumes is not the application's: setting up, tidying up, reporting.
RF_HOOK void refrain_pause() { refrain::record::pause_thread(true); }
RF_HOOK void refrain_resume() { refrain::record::pause_thread(false); }
