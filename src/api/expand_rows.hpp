// The preprocessor part of declaring a function once: applies a macro to each tuple of a row.
// Only the files that expand the tables include this.
#pragma once

#define RF_PARENS ()
#define RF_EXPAND(...) RF_EXPAND3(RF_EXPAND3(RF_EXPAND3(__VA_ARGS__)))
#define RF_EXPAND3(...) RF_EXPAND2(RF_EXPAND2(RF_EXPAND2(__VA_ARGS__)))
#define RF_EXPAND2(...) RF_EXPAND1(RF_EXPAND1(RF_EXPAND1(__VA_ARGS__)))
#define RF_EXPAND1(...) __VA_ARGS__

// RF_LIST(M, a, b, c)  ->  M a , M b , M c      (each of a, b, c is a tuple)
#define RF_LIST(macro, ...) __VA_OPT__(RF_EXPAND(RF_LIST_STEP(macro, __VA_ARGS__)))
#define RF_LIST_STEP(macro, tuple, ...) macro tuple __VA_OPT__(, RF_LIST_AGAIN RF_PARENS(macro, __VA_ARGS__))
#define RF_LIST_AGAIN() RF_LIST_STEP

// Pieces of an argument tuple (type, name, kind) and of a result tuple (type, kind).
#define RF_ARG_DECLARATION(type, name, kind) type name
#define RF_ARG_TYPE(type, name, kind) type
#define RF_ARG_NAME(type, name, kind) name
#define RF_ARG_KIND(type, name, kind) ::refrain::api::Kind::kind
#define RF_RESULT_TYPE(type, kind) type
#define RF_RESULT_KIND(type, kind) ::refrain::api::Kind::kind
