#include "chapters/01_first/main.cpp"
