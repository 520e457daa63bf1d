/// \file
/// \brief A headless browser that opens a page and does with keyboard and mouse what the page
/// asks for, so that tests written in JavaScript can press real keys. It speaks the DevTools
/// protocol of Chromium over a pipe; deliberately only the few messages that this takes.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace attn::book {

/// What a page said, and what went wrong meanwhile.
struct BrowserRun
{
    bool answered = false;           ///< whether the browser could be started at all
    bool done = false;               ///< whether the page said that it was through, in time
    std::vector<std::string> spoken; ///< what the page said, and every uncaught script error
};

/// Opens a page of this machine and waits until it is through. The page talks to the browser's
/// user by `bookHand(encodeURIComponent(words))`, where the words are
///
///     say ...                   a line of its report
///     key ArrowRight            press a key: an arrow, Home, End, Tab, Enter
///     type softmax              type a text
///     move 10 20, click 10 20   the mouse, in pixels from the window's corner
///     done                      all is said
///
/// After each but `done` the function `bookHandDone()` of the page is called.
/// \param chromium  the browser
/// \param page      the page, an absolute path
/// \param profile   an empty folder for the browser's own files
/// \param patience  how long to wait
/// \returns         what the page said
BrowserRun open_page(const std::filesystem::path& chromium, const std::filesystem::path& page,
                     const std::filesystem::path& profile, std::chrono::seconds patience);

} // namespace attn::book
