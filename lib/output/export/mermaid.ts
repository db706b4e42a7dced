/** A sequence diagram for Mermaid: messages between client and agent, calls, approvals, and how each turn ended. */

import { Failure } from '../../model/failure.ts';
import type { Ask } from '../../model/ledger/records.ts';
import { clip, humanSeconds, visible } from '../../model/text/text.ts';
import type { Item } from '../../model/timeline/entries.ts';
import { spansOf, type TraceSpan } from '../../model/timeline/trace-spans.ts';
import { Pass } from '../../session/pass.ts';
import { FrameMeter } from '../../session/stats.ts';
import type { ExportFormat } from './index.ts';

export const mermaid: ExportFormat = {
  name: 'mermaid',
  ending: 'mmd',
  summary: 'a sequence diagram for Markdown pages',
  *write(session, { note }) {
    const meter = new FrameMeter();
    const { timeline } = new Pass(session, { tree: true }).run(meter);
    const { client, agent } = timeline.handshake;
    const diagram = new SequenceDiagram();
    for (const span of spansOf(timeline, meter.seconds)) {
      diagram.take(span);
      if (diagram.lines.length >= MAX_LINES) break;
    }
    if (diagram.lines.length === 0)
      throw new Failure('there is nothing to draw', 'the session has no turns and no requests');
    yield 'sequenceDiagram\n';
    yield `  participant C as ${label(client?.name ?? 'client')}\n`;
    yield `  participant A as ${label(agent?.name ?? session.metadata.command[0] ?? 'agent')}\n`;
    for (const { name } of diagram.tools.values()) yield `  participant ${name}\n`;
    yield* diagram.lines;
    yield* diagram.closing();
    if (diagram.lines.length < MAX_LINES) return;
    note(
      `the diagram ends after ${MAX_LINES} lines: Mermaid draws no more in a reasonable time; choose a turn with -q turn:N`,
    );
    yield `  Note over C,A: cut off after ${MAX_LINES} lines\n`;
  },
};

/** Mermaid refuses diagrams of more than 50,000 characters; a reader gives up sooner. */
const MAX_LINES = 300;
const LABEL_WIDTH = 60;

class SequenceDiagram {
  readonly lines: string[] = [];
  readonly tools = new Map<string, { name: string }>();
  /** Spans whose box is open, and what closes them. */
  #turn: (TraceSpan & { is: 'turn' }) | null = null;

  take(span: TraceSpan): void {
    if (span.is === 'turn') this.#begin(span);
    else if (span.is === 'tool') this.#call(span);
    // Those of a call are drawn with it.
    else if (span.is === 'wait' && !span.ask.bound) this.#wait(span.ask);
    else if (span.is === 'text') this.#addLine(`A->>C: ${label(span.item.text)}`);
    else if (span.is === 'thinking') this.#addLine(`Note over A: thinks${tookWords(span)}`);
    else if (span.is === 'request') this.#request(span);
    else if (span.is === 'mark') this.#addLine(`Note over A: ${label(`${span.name} ${span.item.text}`)}`);
  }

  #begin(span: TraceSpan & { is: 'turn' }): void {
    this.lines.push(...this.closing());
    this.#turn = span;
    const { prompt, n } = span.turn;
    this.lines.push(`  rect rgba(128, 128, 128, 0.1)\n`);
    this.#addLine(`C->>A: ${label(`turn ${n}: ${prompt?.text ?? ''}`)}`);
  }

  /** The end of the turn that is open. */
  closing(): string[] {
    const span = this.#turn;
    if (!span) return [];
    this.#turn = null;
    const { status } = span.turn;
    const endLine = span.open ? 'A--xC: no answer' : `A-->>C: ${label(`${status}${tookWords(span)}`)}`;
    return [`  ${endLine}\n`, '  end\n'];
  }

  #call(span: TraceSpan & { item: Item }): void {
    const { tool, args, asks, result } = span.item.call!;
    const key = tool ?? 'tool';
    const { name } = this.tools.get(key) ?? { name: `T${this.tools.size + 1} as ${label(key)}` };
    this.tools.set(key, { name });
    const id = name.slice(0, name.indexOf(' '));
    this.#addLine(`A->>${id}: ${label(args ?? '')}`);
    for (const ask of asks) this.#wait(ask);
    if (!result) this.#addLine(`${id}--xA: ${span.open ? 'no result' : 'cut off'}`);
    else this.#addLine(`${id}-->>A: ${label(`${result.ok ? 'ok' : 'error'}${tookWords(span)} ${result.text}`)}`);
  }

  #wait(ask: Ask): void {
    const about = [ask.kind, ask.tool ?? ask.target ?? '', ask.description ?? ask.text ?? ''].join(' ');
    this.#addLine(`A->>C: ${label(about)}`);
    const answer = ask.decision ?? (ask.answers === null || ask.answers === undefined ? 'answered' : 'answers');
    const waited = ask.wait === null ? null : ` after ${humanSeconds(ask.wait)}`;
    this.#addLine(waited === null ? 'C--xA: no answer' : `C-->>A: ${label(answer + waited)}`);
  }

  #request({ item, name }: TraceSpan & { item: Item }): void {
    this.#addLine(`C->>A: ${label(name)}`);
    this.#addLine(`A-->>C: ${label(item.answer!.ok ? 'ok' : `error ${item.answer!.code ?? ''} ${item.answer!.text}`)}`);
  }

  #addLine(line: string): void {
    this.lines.push(`  ${line}\n`);
  }
}

const tookWords = ({ t, t_end }: TraceSpan): string => (t_end > t ? ` (${humanSeconds(t_end - t)})` : '');

/**
 * One line that Mermaid takes as text: everything that means something to it is written as a character reference, also
 * `end`, which closes a box.
 */
function label(text: string): string {
  const line = clip(
    visible(text.slice(0, 4 * LABEL_WIDTH))
      .replace(/\s+/g, ' ')
      .trim(),
    LABEL_WIDTH,
  );
  const safe = line.replace(/[#;:<>"&{}()[\]|%*_`~\\@+-]/g, (char) => `#${char.codePointAt(0)};`);
  return safe.replace(/\bend\b/gi, (word) => `#${word.charCodeAt(0)};${word.slice(1)}`) || '…';
}
