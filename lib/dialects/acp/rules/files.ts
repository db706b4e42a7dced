/** ACP: paths are absolute, and terminals live from their creation to their release. */

import { LimitedMap } from '../../../model/limited-map.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import type { RpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, quoted, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';
import { shownTerminal } from '../terminals.ts';
import { AcpLines } from './lines.ts';

const RULES = {
  'acp-path': error.unknown('paths are absolute', 'ACP v1, Overview, Argument Requirements'),
  'acp-line-number': error.agent('lines are counted from 1', 'ACP v1, Overview, Argument Requirements'),
  'acp-terminal-unknown': error.agent(
    'a terminal is used only after it was created, and before it is released',
    'ACP v1, Terminals',
  ),
  'acp-terminal-kept': warning.agent('every terminal is released', 'ACP v1, Terminals, Releasing: the agent must'),
};

type AcpFileRule = keyof typeof RULES;

class AcpFileRules {
  readonly #lines = new AcpLines(1);
  /** The frame that created it, or null since it was released. */
  readonly #terminals = new Map<string, number | null>();
  /** Those that the agent runs itself, for display only. */
  readonly #shown = new LimitedMap<string, true>();

  take(read: ReadFrame): RuleHit<AcpFileRule>[] {
    const line = this.#lines.read(read);
    if (!line) return [];
    if (line.is === 'answer') {
      if (line.method === 'terminal/create' && line.ok) this.#addTerminal(line);
      return [];
    }
    return [...checkPaths(line), ...this.#checkTerminal(line)];
  }

  end(): RuleHit<AcpFileRule>[] {
    return [...this.#terminals].flatMap(([id, f]): RuleHit<AcpFileRule>[] =>
      f === null
        ? []
        : [{ rule: 'acp-terminal-kept', f, message: `the terminal ${textOrJson(id)} was never released` }],
    );
  }

  #addTerminal({ f, result }: RpcLine): void {
    const id = stringOf(result.terminalId);
    if (id !== null) this.#terminals.set(id, f);
  }

  #checkTerminal({ f, from, method, params }: RpcLine): RuleHit<AcpFileRule>[] {
    if (from !== 'agent') return [];
    if (method === 'session/update') {
      const update = objectOf(params.update);
      const announced = shownTerminal(update);
      if (announced !== null) this.#shown.set(announced, true);
      const shown = listOf(update.content)
        .map(objectOf)
        .filter(({ type }) => type === 'terminal');
      // One that was released stays on display.
      return shown.flatMap(({ terminalId }) => {
        return typeof terminalId === 'string' && (this.#terminals.has(terminalId) || this.#shown.has(terminalId))
          ? []
          : makeUnknownHit(f, 'content', terminalId, 'which was never created');
      });
    }
    if (!method.startsWith('terminal/') || method === 'terminal/create') return [];
    const id = stringOf(params.terminalId);
    if (id === null) return [];
    const created = this.#terminals.get(id);
    if (method === 'terminal/release' && created) this.#terminals.set(id, null);
    if (created === undefined) return makeUnknownHit(f, method, id, 'which was never created');
    return created === null ? makeUnknownHit(f, method, id, 'which was released') : [];
  }
}

function makeUnknownHit(f: number, what: string, id: unknown, why: string): RuleHit<AcpFileRule>[] {
  return [{ rule: 'acp-terminal-unknown', f, message: `${what} for the terminal ${quoted(id)}, ${why}` }];
}

function checkPaths({ f, from, method, params, replayed }: RpcLine): RuleHit<AcpFileRule>[] {
  const hits: RuleHit<AcpFileRule>[] = [];
  const checkPath = (path: unknown, where: string, severity: 'error' | 'info' = 'error') => {
    if (typeof path !== 'string' || isAbsolute(path)) return;
    hits.push({
      rule: 'acp-path',
      f,
      fault: from,
      severity,
      message: `${where} is ${quoted(path)}, which is not absolute`,
    });
  };
  if (from === 'client') {
    if (method === 'session/new' || method === 'session/load') checkPath(params.cwd, `cwd of ${method}`);
    return hits;
  }
  if (method.startsWith('fs/')) checkPath(params.path, `path of ${method}`);
  if (method === 'terminal/create') checkPath(params.cwd, `cwd of ${method}`);
  const shown =
    method === 'session/update' ? params.update : method === 'session/request_permission' ? params.toolCall : null;
  // What an agent only shows does less harm than what it wants done.
  if (shown !== null && !replayed) for (const [path, where] of shownIn(objectOf(shown))) checkPath(path, where, 'info');
  if (method === 'fs/read_text_file' && typeof params.line === 'number' && params.line < 1) {
    hits.push({ rule: 'acp-line-number', f, message: `the line is ${params.line}, but lines are counted from 1` });
  }
  return hits;
}

function shownIn({ locations, content }: JsonObject): [unknown, string][] {
  return [
    ...listOf(locations).map((one): [unknown, string] => [objectOf(one).path, 'a location']),
    ...listOf(content)
      .map(objectOf)
      .filter(({ type }) => type === 'diff')
      .map(({ path }): [unknown, string] => [path, 'the path of a diff']),
  ];
}

/** On any system: which one it is, the tape does not tell. */
function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path.startsWith('\\\\') || /^[A-Za-z]:[\\/]/.test(path);
}

export const ACP_FILE_RULES = defineRules(['acp'], RULES, () => new AcpFileRules());
