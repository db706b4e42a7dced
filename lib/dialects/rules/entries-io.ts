/** Explanations of these rules: the pipe, the process at its end, and the recording. */
import type { RuleExplanation } from './entry.ts';

export const IO_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'io-noise-first': {
    means:
      'The agent printed something that is not a message before its first message. Many clients give up on the connection there.',
    fix: 'Write banners, progress and logs to stderr. Check the scripts that start the agent, and libraries that print when they load.',
  },
  'io-noise': {
    means:
      'The agent printed something that is not a message, or two messages without a line feed between them. Clients skip the line at best; some close the connection.',
    fix: 'Write logs to stderr, and a line feed after each message. Look for a print, a console.log or a subprocess that inherits stdout.',
  },
  'io-bad-line': {
    means:
      'The client sent a line that is not a JSON object. The agent cannot read it, and some agents exit. If a line feed is missing between two messages, both are lost.',
    fix: 'Send one object per line: serialise it without line breaks, escape line feeds inside strings, and end it with a line feed.',
  },
  'io-utf8': {
    means: 'The line contains bytes that are not UTF-8, so JSON parsers reject it.',
    fix: 'Encode as UTF-8 on both sides. Set PYTHONIOENCODING=utf-8 for Python on Windows, and do not cut a string inside a character.',
  },
  'io-bom': {
    means: 'The line begins with a byte order mark, which JSON does not allow. The first message is lost.',
    fix: 'Write UTF-8 without a BOM (in .NET: new UTF8Encoding(false)).',
  },
  'io-cut': {
    means:
      'The last line has no line feed, or the last body is shorter than its header says. A reader that waits for its end never sees it. If a signal, a closed pipe or the end of the recording may have cut it, the finding blames neither side.',
    fix: 'End every message with a line feed, and flush before the process ends.',
  },
  'io-framing': {
    means:
      'A stream of messages with Content-Length headers has something else where a header should be. Many readers give up there; some skip to the next header. Often the length of the previous message was counted in characters instead of bytes, or something was printed between two messages.',
    fix: 'Count the bytes of the UTF-8 body (not its characters), and write logs to stderr.',
  },
  'io-crlf': {
    means: 'The line ends with a carriage return and a line feed. Most readers accept that; some do not.',
    fix: 'Open the stream in binary mode, or set its newline to a line feed alone.',
  },
  'io-separator': {
    means:
      'U+2028 and U+2029 are allowed inside JSON strings, but some readers take them for line ends and see two broken lines.',
    fix: 'Escape them in the writer; split lines on byte 0x0A only in the reader.',
  },
  'io-blank': {
    means: 'A blank line is not a message. Most readers skip it; some report a broken message.',
    fix: 'Write exactly one line feed after each message.',
  },
  'io-too-large': {
    means:
      'wiretape does not interpret lines of this size. Later messages may depend on them, so errors after them are reported as warnings.',
    fix: 'This is not necessarily a mistake. To send less, pass files by path instead of by content.',
  },
  'io-long-line': {
    means: 'The line is longer than known programs can read: they stop, or cut it.',
    fix: "Raise the reader's limit (asyncio: limit= of the stream reader), or send less in one message.",
  },
  'io-not-started': {
    means:
      'The agent printed something that is not a message and exited. The client waits for an answer that never comes, and its user never sees the text.',
    fix: 'Read the text: it often says that the program is outdated, not logged in, or was given a wrong option. kimi-cli 1.52.0 does nothing but print such a text: install 1.51.0, or use kimi-code. Agent: write it to stderr, and exit with an error code.',
  },
  'io-early-eof': {
    means: 'The client closed stdin while the agent waited for its answer. The agent ends its turn, or hangs.',
    fix: 'Answer what is open, or cancel the turn and wait for its end, before you close stdin.',
  },
  'io-exit-success': {
    means: 'The only turn failed, but the exit code says success, so scripts carry on.',
    fix: 'Agent: exit with an error code if the turn failed. Client: read the result, not only the exit code.',
  },
  'io-exit-failure': {
    means: 'The agent answered its last prompt successfully, and then exited with an error code.',
    fix: 'Agent: find out what fails after the answer, often the clean-up. Look at the last lines of stderr.',
  },
  'io-crash': {
    means: 'The agent was killed by a signal that a program causes itself, such as SIGSEGV or SIGABRT.',
    fix: 'Agent: this is a bug, often in native code, or a lack of memory. Keep the core dump and stderr.',
  },
  'io-after-exit': {
    means:
      'Lines arrived on stdout more than a second after the agent itself ended, while the client was reading: a process that it started still has its stdout open.',
    fix: 'Agent: wait for its children, or give them their own stdout. Client: signal the process group, not only the process.',
  },
  'io-gap': {
    means:
      'Some bytes could not be recorded, because the disk was full or too slow. The traffic itself was not affected.',
    fix: 'Free disk space, or put the store on a faster disk.',
  },
  'io-lost': {
    means:
      "The recording stops before the session does: the recorder was killed, another process kept the agent's pipe open, or the client had stopped reading. The message says which of them.",
    fix: "Send SIGTERM, not SIGKILL, to the recorder. Read the agent's stdout to its end.",
  },
  'io-undelivered': {
    means: 'Bytes that one side wrote were received by wiretape, but the other side did not read them.',
    fix: 'Read until the end of the stream before you exit. If the process that should have read was killed, this is not necessarily a mistake.',
  },
  'io-incomplete': {
    means:
      'The tape does not contain everything that crossed the pipe. This rule is applied only with `--fail-on incomplete` or by its name.',
    fix: 'Record again; see io-gap and io-lost for the reason. `wiretape verify` tells an altered tape from an unfinished one.',
  },
};
