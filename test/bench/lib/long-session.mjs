// One session of any length: a recorded conversation whose turns go on, each with ids of its own, and with its text in as
// many pieces as are wanted. The same numbers give the same frames.
import { fileURLToPath } from 'node:url';

const TAPES = fileURLToPath(new URL('../../fixtures/tapes/', import.meta.url));
/** Where each conversation comes from, and the line with which its first turn begins. */
const CONVERSATIONS = {
  wire: ['wire-1.49.0/approval_session_sweeps.jsonl', '"method":"prompt"'],
  mcp: ['mcp/everything-progress.jsonl', '"method":"tools/call"'],
  acp: ['acp/kimi-allow.jsonl', '"method":"session/prompt"'],
  'stream-json': ['qwen-stream-json-0.24.4/partial.jsonl', '"type":"user","session_id"'],
};
/** What agents say piece by piece: before its text, its text, and after. */
const PIECE = /^(.*(?:"ContentPart"|_chunk"|"text_delta").*"text":")([^"\\]*)(".*)$/;
const STRING_ID = /"(?:id|uuid|request_id|tool_call_id|tool_use_id|toolCallId)":"([^"]+)"/g;
const NUMBER_ID = /"(id|progressToken)":(\d+)/g;
/** More than any conversation has of its own. */
const IDS_A_TURN = 100;

/** The command of a conversation, and at least `frames` frames of it. Each piece of text becomes `pieces` pieces. */
export async function longSession(bench, dialect, { frames, pieces = 1 }) {
  const [name, begins] = CONVERSATIONS[dialect];
  const { readLineLog } = await bench.module('tape/import/line-log.js');
  const log = readLineLog(TAPES + name);
  return { command: log.command, frames: conversation(log.frames, begins, frames, pieces) };
}

function* conversation(recorded, begins, wanted, pieces) {
  const lines = recorded.filter(({ form, from }) => form !== 'event' && from !== 'stderr');
  const texts = lines.map(({ raw }) => Buffer.from(raw).toString());
  const first = texts.findIndex((text) => text.includes(begins));
  const opening = texts.slice(0, first).join('\n');
  const own = texts.slice(first).flatMap((text) => [...text.matchAll(STRING_ID)].map(([, id]) => id));
  const ids = [...new Set(own)].filter((id) => !opening.includes(id)).sort((a, b) => b.length - a.length);
  let count = 0;
  const frame = (at, raw) => ({ ...lines[at], t: ++count / 1e4, raw: Buffer.from(raw) });
  for (let at = 0; at < first; at++) yield frame(at, texts[at]);
  for (let turn = 0; count < wanted; turn++) {
    for (let at = first; at < texts.length; at++) {
      const text = renamed(texts[at], ids, turn);
      const piece = PIECE.exec(text);
      if (!piece) yield frame(at, text);
      else for (let i = 0; i < pieces; i++) yield frame(at, `${piece[1]}${piece[2]} ${turn} ${i}${piece[3]}`);
    }
  }
}

/** The line with the ids of this turn. */
function renamed(line, ids, turn) {
  const named = ids.reduce((text, id) => text.replaceAll(id, `${id}-${turn}`), line);
  return named.replace(NUMBER_ID, (_, key, id) => `"${key}":${Number(id) + turn * IDS_A_TURN}`);
}
