# Writes OUTPUT, a header with the text of FILES as an array of string literals.
set(text "#pragma once\n\n#include <string_view>\n\nnamespace refrain::generate {\n\n")
string(APPEND text "inline constexpr std::string_view runtime_sections[] = {\n")
foreach(file ${FILES})
  file(READ ${file} content)
  string(APPEND text "    R\"section(${content})section\",\n")
endforeach()
string(APPEND text "};\n\n}  // namespace refrain::generate\n")
file(WRITE ${OUTPUT} "${text}")
