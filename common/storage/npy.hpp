/// \file
/// \brief Arrays in NumPy's file format, .npy. Deliberately one array a file.
#pragma once

#include "common/tensor/array.hpp"
