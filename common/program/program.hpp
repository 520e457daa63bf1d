/// \file
/// \brief Everything that a chapter's main.cpp needs, in one include. Deliberately for
/// programs only: a chapter's idea does not print.
#pragma once

#include "common/program/csv.hpp"
#include "common/program/heat_map.hpp"
#include "common/program/number.hpp"
#include "common/program/progress.hpp"
#include "common/program/run.hpp"
#include "common/program/table.hpp"
#include "common/program/terminal.hpp"
#include "common/program/trace.hpp"
#include "common/program/widget_data.hpp"
