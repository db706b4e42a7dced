/** What changed in the tasks since the agent listed them before. */
import { describeArguments } from '../../../model/timeline/arguments.ts';
import { KIND } from '../../page/page.ts';
import type { App } from '../app.ts';
import { h } from '../h.ts';
import { linked } from '../parts/marks.ts';
import type { FrameSource } from '../source.ts';
import { type Body, bodyOf } from './body.ts';
import { type Task, taskChange } from './todo-change.ts';
import { CONTENT_WORDS } from './words.ts';

export interface Tasks {
  f: number;
  items: readonly Task[];
}

/** The tasks that a row shows: what the agent wants displayed, or else what it was called with. */
export function tasksIn({ displays, blocks, arguments: args }: Body): readonly Task[] | null {
  const spoken = typeof args === 'string' ? describeArguments(args, []).blocks : [];
  const found = [...displays, ...blocks, ...spoken].find((block) => block.type === 'todo');
  return found?.type === 'todo' ? found.items : null;
}

/** How many rows are looked at. */
const MAX_ROWS_SEARCHED = 2000;

/** Those of the row before of the same tool; null if there is none, or if the row has no tasks. */
export async function previousTasks(source: FrameSource, row: number, body: Body): Promise<Tasks | null> {
  if (tasksIn(body) === null) return null;
  const { rows, frames } = source;
  const tools = await frames.column('tool');
  const toolAt = (at: number) => (tools.is === 'coded' ? tools.codes[frames.indexOf(rows.f[at]!)] : null);
  const tool = toolAt(row);
  for (let at = row - 1; at >= Math.max(0, row - MAX_ROWS_SEARCHED); at--) {
    const kind = rows.kind[at];
    if (kind !== rows.kind[row] || (kind !== KIND['tool-call'] && kind !== KIND.plan) || toolAt(at) !== tool) continue;
    const items = tasksIn(bodyOf(await source.body(at)));
    if (items) return { f: rows.f[at]!, items };
  }
  return null;
}

export function taskNote(app: App, before: Tasks, body: Body): HTMLElement {
  const words = app.words(CONTENT_WORDS);
  const change = taskChange(before.items, tasksIn(body) ?? []);
  if (!change) return h('p', { class: 'block-note' }, linked(app, words.todoSame(before.f)));
  const parts = [
    ...change.now.map(({ state, count }) => words.todoNow(count, words.todoStates[state ?? ''] ?? '?')),
    ...(change.added > 0 ? [words.todoNew(change.added)] : []),
    ...(change.gone > 0 ? [words.todoGone(change.gone)] : []),
  ];
  return h('p', { class: 'block-note' }, linked(app, words.todoChanged(before.f, parts.join(', '))));
}
