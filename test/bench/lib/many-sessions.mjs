// A store with many sessions to search: recorded conversations, each with a long text in place of its short ones, in
// pieces as models write them. The words come in runs out of real prose in several languages, so that few are common and
// most are rare. The same numbers give the same store.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { saveTape } from './save-tape.mjs';

const root = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const TAPES = root('test/fixtures/tapes/');
const PROSE = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'DECISIONS.md', 'LICENSE'];
const FOREIGN = [
  '春天 的 早晨 , 程序员 打开 终端 , 记录 每 一个 会话 的 内容 。 文件 已经 修改 , 测试 全部 通过 , 错误 没有 再 出现 。 请 检查 配置 , 然后 重新 运行 命令 。',
  'Das Werkzeug zeichnet auf, was zwischen Programm und Agent gesprochen wird. Übungen für später größer wählen, schließen und prüfen.',
  'Запись каждой строки сохраняется на диске, и поиск находит слово в любом языке. Ошибка исправлена, тесты прошли успешно.',
  'ファイル を 保存 して から テスト を 実行 します 。 エラー が 出た 場合 は ログ を 確認 して ください 。',
  'Les fichiers modifiés sont vérifiés, puis les tests sont relancés jusqu’à ce que tout soit réussi; l’été dernier déjà.',
];

/** Each is in some twenty frames of a million, between spaces, whole. */
export const RARE = { latin: 'Quetzalcoatlus', chinese: '竹笛' };
const RARE_EVERY = 50_000;
/** One text of so many characters in every hundredth session. */
const HUGE = 1_200_000;
/** What an agent says piece by piece: everything before the text, and everything after. */
const PIECE = /^(.*(?:"ContentPart"|_chunk"|"text_delta").*"(?:text|think)":")[^"\\]*(".*)$/;

/** Writes so many sessions as they were recorded, short as most are. */
export async function smallSessions(bench, home, sessions) {
  const { readLineLog } = await bench.module('tape/import/line-log.js');
  const logs = logsIn(TAPES).map((path) => readLineLog(path));
  for (let i = 0; i < sessions; i++) await saveSession(bench, home, i, logs[i % logs.length]);
}

async function saveSession(bench, home, i, { command, frames }) {
  const started_at = new Date(Date.UTC(2026, 0, 1) + i * 600_000).toISOString();
  const session = `${started_at.replace(/[-:]/g, '').slice(0, 15)}-bbbb`;
  const dir = join(home, 'sessions', session);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  await saveTape(bench, join(dir, 'wire.jsonl'), { command, frames }, { session, started_at, command });
}

/** Writes `sessions` sessions with some `frames` frames together. */
export async function manySessions(bench, home, { sessions, frames }) {
  const { readLineLog } = await bench.module('tape/import/line-log.js');
  const logs = logsIn(TAPES).map((path) => readLineLog(path));
  const talk = new Talk();
  let left = frames;
  for (let i = 0; i < sessions; i++) {
    const log = logs[i % logs.length];
    const own = stretched(log.frames, Math.round(left / (sessions - i)), talk, i);
    left -= own.length;
    await saveSession(bench, home, i, { command: log.command, frames: own });
  }
}

/** The conversation with so many frames; people take their time in some. */
function stretched(frames, wanted, talk, i) {
  const pieces = frames.map(({ from, raw }) => (from === 'agent' ? PIECE.exec(Buffer.from(raw).toString()) : null));
  const room = pieces.filter((piece) => piece).length;
  const each = room === 0 ? 0 : Math.max(1, Math.round((wanted - frames.length) / room));
  const pace = [1, 1, 1, 30, 400][i % 5];
  const first = frames[0]?.t ?? 0;
  let huge = i % 100 === 0 ? HUGE : 0;
  return frames.flatMap((frame, at) => {
    const t = (frame.t - first) * pace + at * 1e-6;
    const piece = pieces[at];
    if (!piece) return [{ ...frame, t }];
    return Array.from({ length: each }, () => {
      const text = talk.more() + 'x'.repeat(huge);
      huge = 0;
      return { t, form: frame.form, from: frame.from, eol: frame.eol, raw: Buffer.from(piece[1] + text + piece[2]) };
    });
  });
}

/** Pieces of one to six words, in runs out of one text and another. */
class Talk {
  #texts = [...PROSE.map((name) => readFileSync(root(name), 'utf8')), ...FOREIGN].map((text) =>
    text.split(/\s+/).map((word) => `${JSON.stringify(word).slice(1, -1)} `),
  );
  #seed = 1;
  #text = this.#texts[0];
  #at = 0;
  #count = 0;

  more() {
    if (this.#below(40) === 0) {
      this.#text = this.#texts[this.#below(this.#texts.length)];
      this.#at = this.#below(this.#text.length);
    }
    let piece = '';
    for (let words = 1 + this.#below(6); words > 0; words--) piece += this.#text[this.#at++ % this.#text.length];
    const turn = ++this.#count % RARE_EVERY;
    if (turn === RARE_EVERY / 4) piece += `${RARE.latin} `;
    if (turn === RARE_EVERY / 2) piece += `${RARE.chinese} `;
    return piece;
  }

  #below(n) {
    this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#seed / 2 ** 32) * n);
  }
}

function logsIn(dir) {
  return readdirSync(dir, { recursive: true })
    .filter((name) => /(?<!\.meta)\.jsonl$/.test(basename(name)) && !name.startsWith('mcp'))
    .sort()
    .map((name) => join(dir, name));
}
