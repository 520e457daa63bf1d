#include "chapters/01_first/first.hpp"
