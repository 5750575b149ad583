// Lists that are too long to be joined number by number while ranks are merged stay alternatives, one for
// each rank that has its own:
//
//     ranks 0: [680, 2048..63488 step 4096, 1400][t]; ranks 1: [680, 67584..129024 step 4096, 1400][t]; …
//
// In the end, when all ranks are there, those that have a rule become one list of expressions:
//
//     [680, rank*65536 + 2048, rank*65536 + 6144, …, 1400][t]
//
// Where only one element has no rule, alternatives are shorter than a list of tables, and stay.
#pragma once

#include "trace/value.hpp"

namespace refrain::merge {

/// Of a value with alternatives. Numbers are still tables, not expressions.
void unite_long_lists(trace::Value& value);

}  // namespace refrain::merge
