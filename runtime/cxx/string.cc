/* SPDX-License-Identifier: ISC */
/* string.cc - the members of std::string, which libstdc++'s header declares to be in the library:
 * from the header, instrumented. */
#include <string>

template class std::basic_string<char>;
