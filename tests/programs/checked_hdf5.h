// Calls of HDF5 that must work: the result, or the end of the program with the call's text.
#pragma once

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) checked((long long)(call), #call)
static hid_t checked(long long result, const char* call) {
  if (result < 0) {
    fprintf(stderr, "%s failed\n", call);
    exit(1);
  }
  return (hid_t)result;
}
