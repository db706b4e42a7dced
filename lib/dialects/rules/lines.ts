/** The lines themselves, whatever they mean: one JSON object each, UTF-8, ended by a line feed. */
import { type Frame, isCutOff, sizeOf } from '../../model/frame.ts';
import { describeJoinedLine } from '../../model/json/joined-messages.ts';
import { describeTooLarge, isTooLargeToRead } from '../../model/json/too-large.ts';
import type { Ledger } from '../../model/ledger/ledger.ts';
import { isObject, textIn, textOf } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { maskAndShorten } from '../../model/text/mask.ts';
import { isProgram } from '../common/command-line.ts';
import type { Traits } from '../traits.ts';
import { CutLines } from './cut-lines.ts';
import { FramingCheck } from './framing.ts';
import { GapTracker } from './gaps.ts';
import {
  type CheckedSession,
  defineRules,
  error,
  type GroupReader,
  info,
  NOTHING,
  type RuleDefinition,
  type RuleHit,
} from './rule.ts';

/** Dialects in which every line must be JSON. */
export const hasJsonLines = ({ linesAreJson }: Traits): boolean => linesAreJson;

const RULES = {
  'io-noise-first': error.agent(
    'the agent prints nothing to stdout before its first message',
    'MCP and ACP, transports, stdio; modelcontextprotocol/servers#3173, browser-tools-mcp#239',
  ),
  'io-noise': error.agent(
    'the agent prints only messages to stdout',
    'MCP and ACP, transports, stdio; mcp-jenkins#6, FalkorDB-MCP#27, agentic-qe#527',
  ),
  'io-bad-line': error.client(
    'every line from the client is one JSON object',
    'qwen-stream-json-acp-mcp 2.6: malformed lines end the agent; MCP and ACP, transports, stdio',
  ),
  'io-utf8': error.unknown('lines are UTF-8', 'RFC 8259 section 8.1; kimi-cli#2532, python-sdk#2456'),
  'io-bom': error.unknown('no line begins with a byte order mark', 'RFC 8259 section 8.1; copilot-cli#2490'),
  'io-cut': error.unknown('the last line is complete', 'NDJSON: each line ends with a line feed'),
  'io-framing': error.unknown(
    'a stream that begins with a Content-Length header has one before every message',
    'LSP 3.17, base protocol; DAP, base protocol',
  ),
  'io-crlf': info.unknown(
    'lines end with a line feed only (reported once per side)',
    'go-sdk#665, stackql#668: readers that choke on a carriage return',
  ),
  'io-separator': info.unknown(
    'U+2028 and U+2029 are escaped (reported once per side)',
    'codex#33617, claude-agent-sdk-typescript#137: readers that take them for line ends',
  ),
  'io-blank': info.unknown(
    'no line is blank (reported once per side)',
    'MCP transports, stdio: readers that take them for broken messages',
  ),
  'io-too-large': info.unknown(
    'lines are small enough for wiretape to read: others are not checked, and errors after them become warnings',
    'wiretape reads lines of up to 32 MB and a million values',
  ),
  'io-long-line': info.unknown(
    'lines are short enough for known programs (reported once per limit and side)',
    'claude-agent-sdk-python#58, claude-code#58648, openclaw#71793, background-agents#1968',
  ),
};

type LineRule = keyof typeof RULES;

const KIB = 1024;

/** Which reader takes lines of up to how many bytes, and from which side. `program`: only if that is the agent. */
const LIMITS: readonly { bytes: number; from: 'client' | 'agent' | null; who: string; program?: string }[] = [
  { bytes: 64 * KIB, from: null, who: "asyncio's readline (64 KiB by default)" },
  { bytes: 146_000, from: 'client', who: 'claude-code, about 146 kB (#58648)', program: 'claude' },
  { bytes: 256 * KIB, from: 'agent', who: 'openclaw, 256 KiB (#71793)' },
  { bytes: KIB * KIB, from: 'agent', who: 'claude-agent-sdk-python, 1 MiB (#58)' },
];
const SHORTEST_LIMIT = Math.min(...LIMITS.map(({ bytes }) => bytes));

class LineRules implements GroupReader<LineRule> {
  readonly #session: CheckedSession;
  readonly #holes: GapTracker;
  readonly #cuts = new CutLines();
  readonly #framing = new FramingCheck();
  readonly #reported = new Set<string>();
  readonly #stdinIsPrompt: boolean;
  #agentSpoke = false;

  constructor(session: CheckedSession) {
    this.#session = session;
    this.#stdinIsPrompt = session.traits.stdinIsPrompt;
    this.#holes = session.share(GapTracker);
  }

  take(read: ReadFrame): readonly RuleHit<LineRule>[] {
    // A prompt in plain text needs no line feed.
    const isPrompt = read.frame.from === 'client' && read.frame.form !== 'event' && this.#stdinIsPrompt;
    if (isPrompt) return NOTHING;
    // Text where a header was expected is reported once, and as nothing else.
    const hits = this.#framing.take(read);
    if (hits) return hits;
    const cut = this.#cuts.take(read);
    const line = this.#checkLine(read);
    return cut.length === 0 ? line : [...cut, ...line];
  }

  end(ledger: Ledger): RuleHit<LineRule>[] {
    return this.#cuts.end(ledger.process);
  }

  #checkLine(read: ReadFrame): readonly RuleHit<LineRule>[] {
    const { frame, value } = read;
    const { from, form } = frame;
    if (form === 'event' || (from !== 'client' && from !== 'agent')) return NOTHING;
    if (!isObject(value) || !isPlain(frame)) return this.#checkUnusual(read, from);
    if (from === 'agent') this.#agentSpoke = true;
    return NOTHING;
  }

  #checkUnusual({ frame, value, events }: ReadFrame, from: 'client' | 'agent'): RuleHit<LineRule>[] {
    if (isTooLargeToRead(events)) {
      const message = `${describeTooLarge(frame, textIn(frame))}, so it is not checked`;
      return [
        { rule: 'io-too-large', f: frame.f, fault: from, message },
        ...(frame.head ? [] : this.#checkLength(frame, from)),
      ];
    }
    const hits = this.#holes.isFragment ? [] : this.#checkEncoding(frame, from);
    // Some dialects have messages of other forms.
    const isMessage = isObject(value) || (events.length > 0 && !events.some(({ kind }) => kind === 'noise'));
    const isJudged = !this.#holes.isFragment && !isCutOff(frame);
    if (!isMessage && isJudged && hits.length === 0) hits.push(...this.#checkMessage(frame, from, value));
    if (isMessage && from === 'agent') this.#agentSpoke = true;
    // Readers of bodies know their length: what disturbs readers of lines does not matter to them.
    if (frame.head) return hits;
    for (const one of this.#checkStyle(frame, from)) hits.push(one);
    for (const one of this.#checkLength(frame, from)) hits.push(one);
    return hits;
  }

  /** What no reader can read. */
  #checkEncoding(frame: Frame, from: 'client' | 'agent'): RuleHit<LineRule>[] {
    const { f, raw } = frame;
    if (raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf) {
      return [{ rule: 'io-bom', f, fault: from, message: 'the line begins with a byte order mark' }];
    }
    // A line may be cut off inside a character.
    if (isCutOff(frame) || textIn(frame) !== null) return [];
    return [{ rule: 'io-utf8', f, fault: from, message: 'the line is not UTF-8' }];
  }

  #checkMessage(frame: Frame, from: 'client' | 'agent', value: unknown): RuleHit<LineRule>[] {
    const { f, raw } = frame;
    if (isBlank(raw)) return [];
    // A batch: the rules of the dialect decide whether it is allowed.
    if (Array.isArray(value) && value.some(isObject)) return [];
    const message =
      value === undefined
        ? `not valid JSON: ${describeJoinedLine(frame) ?? excerpt(raw)}`
        : `JSON, but not an object: ${excerpt(raw)}`;
    if (from === 'client') return [{ rule: 'io-bad-line', f, message }];
    return [{ rule: this.#agentSpoke ? 'io-noise' : 'io-noise-first', f, message }];
  }

  #checkStyle({ f, raw, eol }: Frame, fault: 'client' | 'agent'): RuleHit<LineRule>[] {
    const hits: RuleHit<LineRule>[] = [];
    const report = (rule: LineRule, message: string) => {
      if (this.#isFirst(`${rule} ${fault}`)) hits.push({ rule, f, fault, message });
    };
    if (eol === '\r\n') report('io-crlf', 'the line ends with a carriage return and a line feed');
    if (isBlank(raw) && eol !== '') report('io-blank', 'the line is blank');
    const separator = separatorIn(raw);
    if (separator) report('io-separator', `${separator} is not escaped`);
    return hits;
  }

  #checkLength(frame: Frame, fault: 'client' | 'agent'): RuleHit<LineRule>[] {
    const { f } = frame;
    const size = sizeOf(frame);
    if (size <= SHORTEST_LIMIT) return [];
    const exceeded = LIMITS.filter(({ bytes, from, program }) => {
      if (size <= bytes || (from !== null && from !== fault)) return false;
      return program === undefined || isProgram(this.#session.command, program);
    });
    const unreported = exceeded.filter(({ bytes }) => this.#isFirst(`${bytes} ${fault}`));
    const limit = unreported.at(-1);
    if (!limit) return [];
    const message = `${size} bytes, over the limit of ${limit.who}`;
    // A limit of this session's own program matters more than one of other programs.
    return [{ rule: 'io-long-line', f, fault, severity: limit.program === undefined ? 'info' : 'warning', message }];
  }

  #isFirst(what: string): boolean {
    if (this.#reported.has(what)) return false;
    this.#reported.add(what);
    return true;
  }
}

/** Almost every line is: if it is a message too, there is nothing to report. */
function isPlain(frame: Frame): boolean {
  const size = sizeOf(frame);
  if (frame.eol !== '\n' || size > SHORTEST_LIMIT) return false;
  const text = textIn(frame) ?? '';
  // As many characters as bytes: ASCII.
  return text.length === size || (!text.includes('\u2028') && !text.includes('\u2029'));
}

function isBlank(raw: Uint8Array): boolean {
  for (const byte of raw) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}

/** The characters are `E2 80 A8` and `E2 80 A9`. */
function separatorIn(raw: Uint8Array): string | null {
  for (let at = raw.indexOf(0xe2); at >= 0; at = raw.indexOf(0xe2, at + 1)) {
    if (raw[at + 1] !== 0x80) continue;
    if (raw[at + 2] === 0xa8) return 'U+2028';
    if (raw[at + 2] === 0xa9) return 'U+2029';
  }
  return null;
}

export function excerpt(raw: Uint8Array): string {
  return maskAndShorten(textOf(raw) ?? '', 80);
}

export const LINE_RULES: readonly RuleDefinition[] = defineRules(
  hasJsonLines,
  RULES,
  (session) => new LineRules(session),
);
