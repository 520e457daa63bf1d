#include "tests/book/browser.hpp"

#include "tests/book/html.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attn::book {

namespace {

using Clock = std::chrono::steady_clock;

/// A text as a string of JSON.
std::string json_string(const std::string& text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result + "\"";
}

/// The first string under a name in a message, with \n and \" taken back.
std::string field(const std::string& message, const std::string& name)
{
    const std::string beginning = json_string(name) + ":\"";
    std::size_t at = message.find(beginning);
    std::string value;
    if (at == std::string::npos) {
        return value;
    }
    for (at += beginning.size(); at < message.size() && message[at] != '"'; ++at) {
        if (message[at] == '\\' && at + 1 < message.size()) {
            ++at;
            value += message[at] == 'n' ? '\n' : message[at];
        } else {
            value += message[at];
        }
    }
    return value;
}

/// The browser's process and the two pipes to it, ended with the object.
class Browser
{
public:
    Browser(const std::filesystem::path& chromium, const std::filesystem::path& profile,
            Clock::time_point deadline)
        : deadline_(deadline)
    {
        std::array<int, 2> to{};
        std::array<int, 2> from{};
        if (pipe2(to.data(), O_CLOEXEC) != 0 || pipe2(from.data(), O_CLOEXEC) != 0) {
            throw std::system_error(errno, std::generic_category(), "pipe");
        }
        const std::vector<std::string> arguments = arguments_for(chromium, profile);
        std::vector<char*> argv;
        for (const std::string& argument : arguments) {
            argv.push_back(const_cast<char*>(argument.c_str()));
        }
        argv.push_back(nullptr);
        process_ = fork();
        if (process_ == 0) {
            become(to[0], from[1], argv);
        }
        close(to[0]);
        close(from[1]);
        write_ = to[1];
        read_ = from[0];
    }

    ~Browser()
    {
        close(write_);
        close(read_);
        if (process_ > 0) {
            kill(-process_, SIGKILL); // with all its helpers
            waitpid(process_, nullptr, 0);
        }
    }
    Browser(const Browser&) = delete;
    Browser& operator=(const Browser&) = delete;

    /// Sends a command and returns the number under which it will be answered.
    int send(const std::string& method, const std::string& parameters)
    {
        const std::string session =
            session_.empty() ? "" : ",\"sessionId\":" + json_string(session_);
        const std::string message = "{\"id\":" + std::to_string(++last_) +
                                    ",\"method\":" + json_string(method) + ",\"params\":{" +
                                    parameters + "}" + session + "}" + '\0';
        std::size_t at = 0;
        while (at < message.size()) {
            const ssize_t written = write(write_, message.data() + at, message.size() - at);
            if (written <= 0) {
                break; // it has gone; the next reading says so
            }
            at += static_cast<std::size_t>(written);
        }
        return last_;
    }

    /// The next message, or an empty one when the browser has gone or time is up.
    std::string next()
    {
        for (;;) {
            const std::size_t end = received_.find('\0');
            if (end != std::string::npos) {
                const std::string message = received_.substr(0, end);
                received_.erase(0, end + 1);
                return message;
            }
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
            pollfd waited{read_, POLLIN, 0};
            if (left.count() <= 0 || poll(&waited, 1, static_cast<int>(left.count())) <= 0) {
                return "";
            }
            std::array<char, 65536> buffer{};
            const ssize_t count = read(read_, buffer.data(), buffer.size());
            if (count <= 0) {
                return "";
            }
            received_.append(buffer.data(), static_cast<std::size_t>(count));
        }
    }

    /// Sends a command and waits for its answer; what else comes meanwhile is lost.
    std::string ask(const std::string& method, const std::string& parameters)
    {
        const std::string id = "{\"id\":" + std::to_string(send(method, parameters)) + ",";
        std::string message = next();
        while (!message.empty() && message.rfind(id, 0) != 0) {
            message = next();
        }
        return message;
    }

    void use_session(const std::string& session) { session_ = session; }

private:
    static std::vector<std::string> arguments_for(const std::filesystem::path& chromium,
                                                  const std::filesystem::path& profile)
    {
        return {chromium.string(),
                "--headless",
                "--remote-debugging-pipe",
                "--user-data-dir=" + profile.string(),
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--allow-file-access-from-files",
                "about:blank"};
    }

    /// In the child: the pipes become the descriptors 3 and 4, as the browser wants them.
    [[noreturn]] static void become(int from_us, int to_us, std::vector<char*>& argv)
    {
        setpgid(0, 0);
        const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
        const int in = fcntl(from_us, F_DUPFD, 10);
        const int out = fcntl(to_us, F_DUPFD, 10);
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        dup2(in, 3);
        dup2(out, 4);
        close(in);
        close(out);
        execvp(argv.front(), argv.data());
        _exit(127);
    }

    Clock::time_point deadline_;
    pid_t process_ = -1;
    int write_ = -1;
    int read_ = -1;
    int last_ = 0;
    std::string session_;
    std::string received_;
};

void press(Browser& browser, const std::string& key)
{
    static const std::map<std::string, int> codes = {
        {"ArrowLeft", 37}, {"ArrowUp", 38}, {"ArrowRight", 39}, {"ArrowDown", 40},
        {"Home", 36},      {"End", 35},     {"Tab", 9},         {"Enter", 13}};
    const auto code = codes.find(key);
    const std::string number = std::to_string(code == codes.end() ? 0 : code->second);
    for (const char* type : {"rawKeyDown", "keyUp"}) {
        browser.send("Input.dispatchKeyEvent", "\"type\":" + json_string(type) +
                                                   ",\"key\":" + json_string(key) +
                                                   ",\"code\":" + json_string(key) +
                                                   ",\"windowsVirtualKeyCode\":" + number);
    }
}

void mouse(Browser& browser, const std::string& type, const std::string& where)
{
    const std::string button = type == "mouseMoved" ? "none" : "left";
    browser.send("Input.dispatchMouseEvent", "\"type\":" + json_string(type) + "," + where +
                                                 ",\"button\":" + json_string(button) +
                                                 ",\"clickCount\":1");
}

/// Does what the page asks for.
void obey(Browser& browser, const std::string& verb, const std::string& words)
{
    if (verb == "key") {
        press(browser, words);
    } else if (verb == "type") {
        browser.send("Input.insertText", "\"text\":" + json_string(words));
    } else if (verb == "move" || verb == "click") {
        std::istringstream place(words);
        std::string x;
        std::string y;
        place >> x >> y;
        const std::string where = "\"x\":" + x + ",\"y\":" + y;
        mouse(browser, "mouseMoved", where);
        if (verb == "click") {
            mouse(browser, "mousePressed", where);
            mouse(browser, "mouseReleased", where);
        }
    }
    browser.send("Runtime.evaluate", "\"expression\":\"bookHandDone()\"");
}

/// Attaches to the browser's one page; whether there is one.
bool attach(Browser& browser)
{
    const std::string target =
        field(browser.ask("Target.createTarget", "\"url\":\"about:blank\""), "targetId");
    const std::string session =
        field(browser.ask("Target.attachToTarget",
                          "\"targetId\":" + json_string(target) + ",\"flatten\":true"),
              "sessionId");
    browser.use_session(session);
    return !session.empty();
}

} // namespace

BrowserRun open_page(const std::filesystem::path& chromium, const std::filesystem::path& page,
                     const std::filesystem::path& profile, std::chrono::seconds patience)
{
    std::signal(SIGPIPE, SIG_IGN); // a browser that has gone is no reason to go
    Browser browser(chromium, profile, Clock::now() + patience);
    BrowserRun run;
    run.answered = attach(browser);
    if (!run.answered) {
        return run;
    }
    // One after the other: a page that is not there yet would be lost in what comes at once.
    browser.ask("Emulation.setDeviceMetricsOverride",
                "\"width\":1200,\"height\":900,\"deviceScaleFactor\":1,\"mobile\":false");
    browser.ask("Emulation.setFocusEmulationEnabled", "\"enabled\":true");
    browser.ask("Runtime.enable", "");
    browser.ask("Runtime.addBinding", "\"name\":\"bookHand\"");
    browser.send("Page.navigate", "\"url\":" + json_string("file://" + page.string()));
    for (std::string message = browser.next(); !message.empty(); message = browser.next()) {
        const std::string method =
            message.rfind("{\"method\"", 0) == 0 ? field(message, "method") : std::string();
        if (method == "Runtime.exceptionThrown") {
            const std::string description = field(message, "description");
            run.spoken.push_back("script error: " +
                                 description.substr(0, description.find('\n')));
        } else if (method == "Runtime.bindingCalled") {
            const std::string words = without_escapes(field(message, "payload"));
            const std::string verb = words.substr(0, words.find(' '));
            const std::string rest = words.substr(std::min(words.size(), verb.size() + 1));
            if (verb == "done") {
                run.done = true;
                return run;
            }
            if (verb == "say") {
                run.spoken.push_back(rest);
            }
            obey(browser, verb, rest);
        }
    }
    return run;
}

} // namespace attn::book
