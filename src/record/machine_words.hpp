// A function's arguments as machine words. A hook that only looks on needs no prototype: integers and
// pointers are passed alike on the machines we run on, in registers and on the stack. RF_WORDS(n) declares n
// of them, RF_WORD_NAMES(n) names them.
#pragma once

#include <cstdint>

#define RF_WORDS(n) RF_WORDS_##n
#define RF_WORD_NAMES(n) RF_WORD_NAMES_##n

#define RF_WORDS_1 uint64_t a
#define RF_WORDS_2 RF_WORDS_1, uint64_t b
#define RF_WORDS_3 RF_WORDS_2, uint64_t c
#define RF_WORDS_4 RF_WORDS_3, uint64_t d
#define RF_WORDS_5 RF_WORDS_4, uint64_t e
#define RF_WORDS_6 RF_WORDS_5, uint64_t f
#define RF_WORDS_7 RF_WORDS_6, uint64_t g
#define RF_WORDS_8 RF_WORDS_7, uint64_t h
#define RF_WORDS_9 RF_WORDS_8, uint64_t i
#define RF_WORDS_10 RF_WORDS_9, uint64_t j
#define RF_WORDS_11 RF_WORDS_10, uint64_t k
#define RF_WORDS_12 RF_WORDS_11, uint64_t l
#define RF_WORDS_13 RF_WORDS_12, uint64_t m
#define RF_WORD_NAMES_1 a
#define RF_WORD_NAMES_2 RF_WORD_NAMES_1, b
#define RF_WORD_NAMES_3 RF_WORD_NAMES_2, c
#define RF_WORD_NAMES_4 RF_WORD_NAMES_3, d
#define RF_WORD_NAMES_5 RF_WORD_NAMES_4, e
#define RF_WORD_NAMES_6 RF_WORD_NAMES_5, f
#define RF_WORD_NAMES_7 RF_WORD_NAMES_6, g
#define RF_WORD_NAMES_8 RF_WORD_NAMES_7, h
#define RF_WORD_NAMES_9 RF_WORD_NAMES_8, i
#define RF_WORD_NAMES_10 RF_WORD_NAMES_9, j
#define RF_WORD_NAMES_11 RF_WORD_NAMES_10, k
#define RF_WORD_NAMES_12 RF_WORD_NAMES_11, l
#define RF_WORD_NAMES_13 RF_WORD_NAMES_12, m
