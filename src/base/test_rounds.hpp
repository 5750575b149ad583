// How much tests try.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define REFRAIN_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define REFRAIN_SANITIZED 1
#endif

namespace refrain {

#ifdef REFRAIN_SANITIZED
constexpr bool tests_are_slow = true;
#else
constexpr bool tests_are_slow = false;
#endif

/// Under sanitizers, where a round takes several times as long, a third of `rounds`.
template <class Count>
constexpr Count test_rounds(Count rounds) {
  return tests_are_slow ? (rounds + 2) / 3 : rounds;
}

}  // namespace refrain
