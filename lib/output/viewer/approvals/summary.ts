/** What stands above the table of approvals: what ran although it was denied, what is open, totals, and standing grants. */
import type { StandingGrant } from '../../../analysis/audit/sum.ts';
import { humanSeconds, visible } from '../../../model/text/text.ts';
import type { App } from '../app.ts';
import { count } from '../format.ts';
import { h } from '../h.ts';
import { badge, button, frameButton, linked, recordedText } from '../parts/marks.ts';
import type { StatsJson } from '../stats/model.ts';
import { type AuditRow, type AuditSum, alarms, type Covered, coveredBy, longestWait, waitOf } from './model.ts';
import type { ApprovalWords } from './words.ts';

export interface SummaryOptions {
  app: App;
  words: ApprovalWords;
  rows: readonly AuditRow[];
  audit: AuditSum;
  /** Narrows the page to what a query finds. */
  ask(query: string): void;
}

export function summaryElement(options: SummaryOptions): HTMLElement {
  return h(
    'div',
    { class: 'approvals-top' },
    ranAnyway(options),
    unanswered(options),
    totals(options),
    grantList(options),
    notes(options),
  );
}

/** So many are named above the table, which has them all. */
const MAX_NAMED = 6;
/** So many calls are listed below a grant at once. */
const CALLS_AT_ONCE = 100;

/** The first of them, and a button for the rest. */
function firstOf(
  most: number,
  all: readonly number[],
  lineOf: (i: number) => HTMLElement,
  words: ApprovalWords,
  rest: () => void,
) {
  const lines = all.slice(0, most).map(lineOf);
  if (all.length > most) lines.push(h('li', {}, button(words.andMore(all.length - most), rest)));
  return lines;
}

function ranAnyway({ app, words, rows, ask }: SummaryOptions): HTMLElement | null {
  const alarming = alarms(rows).ran;
  if (alarming.length === 0) return null;
  const lineOf = (i: number) => {
    const { f, ran, tool, deny_f } = rows[i]!;
    const why = deny_f === null ? [words.notAllowed] : [`${words.deniedBefore} `, frameButton(app, deny_f)];
    return h(
      'li',
      {},
      frameButton(app, f),
      ' ',
      h('b', {}, visible(tool ?? '')),
      ' ',
      recordedText(ran),
      h('span', { class: 'is-quiet' }, ' — ', ...why),
    );
  };
  const lines = firstOf(MAX_NAMED, alarming, lineOf, words, () => ask('flag:ran-although-denied,ran-after-deny'));
  return h(
    'section',
    { class: 'approvals-alarm is-bad' },
    h('h2', {}, `⚠ ${words.alarmTitle(alarming.length)}`),
    h('ul', {}, ...lines),
  );
}

function unanswered({ app, words, rows, ask }: SummaryOptions): HTMLElement | null {
  const { open } = alarms(rows);
  if (open.length === 0) return null;
  const lineOf = (i: number) => {
    const row = rows[i]!;
    const waited = humanSeconds(waitOf(row, app.source.head.duration) ?? 0);
    return h(
      'li',
      {},
      frameButton(app, row.f),
      ' ',
      h('b', {}, visible(row.tool ?? '')),
      ' ',
      recordedText(row.asked),
      ' ',
      badge('warn', '◌', words.open(waited)),
    );
  };
  const lines = firstOf(MAX_NAMED, open, lineOf, words, () => ask('approval:none by:nobody'));
  return h(
    'section',
    { class: 'approvals-alarm is-warn' },
    h('h2', {}, words.openTitle(open.length)),
    h('ul', {}, ...lines),
  );
}

function totals({ app, words, rows, audit, ask }: SummaryOptions): HTMLElement {
  const { sum } = audit;
  const cell = (n: number, name: string, query: string | null, tone = '') => {
    if (n === 0) return null;
    const inner = [h('b', {}, count(n, app.state.value.language)), ` ${name}`];
    if (query === null) return h('span', { class: `approvals-total ${tone}` }, ...inner);
    const made = h(
      'button',
      { type: 'button', class: `approvals-total ${tone}`, title: words.filterBy(name) },
      ...inner,
    );
    made.addEventListener('click', () => ask(query));
    return made;
  };
  const { stats, duration } = app.source.head;
  const waited = (stats as unknown as StatsJson).waits.approval.total;
  const longest = longestWait(rows, duration);
  const { totals: names, instead } = words;
  const replaced = (Object.keys(instead) as (keyof typeof instead)[]).map((by) =>
    cell(sum.instead[by], instead[by], `approval:none by:${by}`, 'is-warn'),
  );
  const none = h('span', { class: 'approvals-total' }, h('b', {}, '0'), ` ${names.asked}`);
  return h(
    'div',
    { class: 'approvals-totals' },
    cell(sum.asked, names.asked, null) ?? (audit.read?.enough === false ? null : none),
    cell(sum.allowed, names.allowed, 'approval:allow,allow-always', 'is-good'),
    cell(sum.denied, names.denied, 'approval:deny', 'is-bad'),
    cell(sum.cancelled, names.cancelled, 'approval:cancelled', 'is-bad'),
    ...replaced,
    cell(
      sum.unasked - sum.refused - sum.by_hook,
      names.unasked,
      'approval:unasked -by:grant,mode,hook -ran:no',
      'is-warn',
    ),
    cell(sum.by_hook, names.byHook, 'approval:unasked by:hook -ran:no', 'is-warn'),
    cell(sum.refused, names.refused, 'approval:unasked ran:no'),
    cell(sum.covered, names.covered, 'approval:unasked by:grant'),
    ...Object.entries(sum.by_mode).map(([mode, n]) =>
      cell(n, words.unaskedIn(visible(mode)), `approval:unasked by:mode mode:${JSON.stringify(mode)}`, 'is-warn'),
    ),
    cell(sum.partly, names.partly, 'ran:partly', 'is-warn'),
    cell(sum.unsure, names.unsure, 'approval:unasked ran:unknown', 'is-warn'),
    cell(sum.unknown, names.unknown, 'approval:unknown'),
    waited > 0
      ? h(
          'span',
          { class: 'approvals-total', title: words.waitedTitle },
          h('b', {}, humanSeconds(waited)),
          ` ${names.waited}`,
          longest
            ? h(
                'span',
                { class: 'is-quiet' },
                ` · ${words.longest(humanSeconds(longest.wait))} `,
                frameButton(app, longest.f),
              )
            : null,
        )
      : null,
  );
}

function grantList(options: SummaryOptions): HTMLElement | null {
  const { words, rows, audit } = options;
  if (audit.grants.length === 0) return null;
  const known = coveredBy(rows);
  const items = audit.grants.map((grant) => grantOf(grant, known.get(grant.f), options));
  return h('section', { class: 'approvals-grants', 'aria-label': words.grants(audit.grants.length) }, ...items);
}

function grantOf(
  grant: StandingGrant,
  covered: Covered | undefined,
  { app, words, rows, ask }: SummaryOptions,
): HTMLElement {
  const { f, tool, given_for, covers, ran } = grant;
  const lineOf = (i: number) => {
    const { f: at, tool: used, asked, ran: what, executed } = rows[i]!;
    return h(
      'li',
      {},
      frameButton(app, at),
      ' ',
      h('b', {}, visible(used ?? '')),
      ' ',
      recordedText(what || asked),
      executed === 'yes' ? null : h('span', { class: 'is-quiet' }, ` — ${words.howItRan[executed]}`),
    );
  };
  const inside = firstOf(CALLS_AT_ONCE, covered?.rows ?? [], lineOf, words, () => ask('by:grant'));
  // A summary is a button itself, and has none inside.
  const head = (place: HTMLElement | string) => [
    h('span', { class: 'mark-glyph', 'aria-hidden': 'true' }, '∞'),
    h('b', {}, `${words.grantHead} `),
    place,
    ` ${words.given} `,
    recordedText(given_for ?? tool ?? '', { class: 'approvals-code' }),
    h('span', { class: 'is-quiet' }, ` ${words.covers} `),
    recordedText(covers),
    ' · ',
    h(
      'span',
      { class: ran.length > 0 ? 'approvals-used' : 'is-quiet' },
      ran.length > 0 ? words.ranUnder(ran.length) : words.nothingUnder,
    ),
  ];
  if (inside.length === 0) return h('div', { class: 'approvals-grant' }, ...head(frameButton(app, f)));
  const given = h('li', {}, frameButton(app, f), ` ${words.given} `, recordedText(given_for ?? tool ?? ''));
  return h('details', { class: 'approvals-grant' }, h('summary', {}, ...head(`f${f}`)), h('ul', {}, given, ...inside));
}

/** Modes in which nothing had to be asked, and what the tape cannot tell. */
function notes({ app, words, audit }: SummaryOptions): HTMLElement | null {
  const modes = audit.bypass.map(({ from, to, mode, frees }) =>
    h('li', {}, badge('warn', '»', visible(mode)), ' ', linked(app, words.bypass(frees, from, to))),
  );
  const unknown = audit.unknowns.map((note) =>
    h('li', { class: 'is-quiet' }, `${words.unknowns}: `, recordedText(note)),
  );
  if (modes.length + unknown.length === 0) return null;
  return h('ul', { class: 'approvals-notes' }, ...modes, ...unknown);
}

export function copyButtons(words: ApprovalWords, copy: (form: 'csv' | 'markdown') => void): HTMLElement[] {
  return [button(words.copyCsv, () => copy('csv')), button(words.copyMarkdown, () => copy('markdown'))];
}
