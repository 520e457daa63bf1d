/// \file
/// \brief The frame around every program: command line in, errors as sentences, exit code out.
#pragma once

#include "common/program/bad_input.hpp"
#include "common/program/command_line.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/output_folder.hpp"
#include "common/program/terminal.hpp"

#include <functional>

/// What every program does besides its subject: options, tables, files, figures, errors.
namespace attn::program {

/// What a program's body works with.
struct Frame
{
    const CommonOptions& options; ///< seed, quick, trace, threads
    Terminal& terminal;           ///< what the reader sees
    OutputFolder& files;          ///< what is kept
};

/// Runs a program: parses, calls the body, names the files written. Errors go to standard
/// error as one sentence behind the program's name.
/// \param command_line  with all options declared
/// \returns             0; 2 on BadInput, ContractError or a standard output that cannot be
///                      written; 130 on Interrupted; 1 on any other exception
int run(int argc, const char* const* argv, CommandLine& command_line,
        const std::function<void(Frame&)>& body);

} // namespace attn::program
