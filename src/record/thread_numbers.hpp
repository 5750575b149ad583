// Thread numbers of a process: the main thread is 0, a new thread gets the lowest number that is free.
// Numbers are given where threads are started and come back where they are joined, not when a thread happens
// to begin or end, so that they don't depend on which of two threads is quicker.
#pragma once

#include <cstdint>

namespace refrain::record {

constexpr int max_threads = 4096;
constexpr int no_number = -1;

/// The lowest free number, now taken, or no_number. Numbers of threads that ended but were never joined are
/// used when no others are left.
int reserve_number();
/// The thread was joined, or never started: its number is free.
void release_number(int number);
/// Nobody will join the thread: its number is free when it has ended.
void detach_number(int number);
/// All numbers are free but 0, which the calling thread gets: a new process begins.
void restart_numbers();

/// Whether a thread has the number and has not ended.
bool number_runs(int number);

/// Whether the calling thread has a number from before all were given back: it isn't its own any more.
bool number_is_of_before();
/// The calling thread's number, or no_number.
int own_number();
/// When it got it: how often all numbers had been given back.
unsigned own_round();
/// How often all numbers were given back.
unsigned numbers_round();
/// Gives the calling thread a number, of this round or of that in which it was reserved.
void adopt_number(int number);
void adopt_number(int number, unsigned of_round);
/// The calling thread goes on without its number, which nobody gets again.
void forget_number();

/// What to call when a thread that has a number ends; must be set before numbers are adopted.
void on_thread_end(void (*action)());

}  // namespace refrain::record
