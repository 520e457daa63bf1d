#include "common/storage/npy.hpp"
