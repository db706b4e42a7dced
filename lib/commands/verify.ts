import { Failure } from '../model/failure.ts';
import { visible } from '../model/text/text.ts';
import { type Theme, themeFor } from '../output/terminal/theme.ts';
import { storeHome } from '../storage/store/home.ts';
import { type OpenSession, withPlace } from '../storage/store/open.ts';
import { otherTapeFailure, resealedTape } from '../storage/store/tape-owner.ts';
import { type Verification, verifyTape } from '../storage/tape/verify.ts';
import type { Define, Flags } from './index.ts';
import { selectedPlaces } from './shared/selection.ts';

const HELP = `
Without arguments, it verifies all tapes in the store.
  $ wiretape verify last
  $ wiretape verify ./run.jsonl --json
  $ wiretape verify
  $ wiretape verify --quiet

Intact means that the tape matches its own seals, and that its digest is the
one that its session in the store remembers. Whoever can write to the store can
replace both: to prove more, keep the printed digest in another place. Only
tapes are verified; wiretape doctor compares them with the index.
Exit codes: 0 intact or recovered after a kill, 1 altered or unfinished, 2
unreadable.`;

type VerifyOptions = Flags<'json' | 'quiet'>;

interface VerifyRow {
  session: string;
  verdict: Verification['verdict'] | 'unreadable';
  from_f: number | null;
  to_f: number | null;
  digest: string | null;
  ranges: Verification['ranges'];
  message: string | null;
}

export const define: Define = (command, { io, exit }) => {
  command
    .argument('[sessions...]', 'sessions or tapes')
    .option('--json', 'print one JSON object per tape')
    .option('--quiet', 'print only tapes that are not intact')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: VerifyOptions) => {
      const home = storeHome(io.env);
      const places = selectedPlaces(home, words, words.length === 0);
      const theme = themeFor(io.color);
      const verdicts: VerifyRow['verdict'][] = [];
      for (const place of places) {
        io.progress('verifying tapes', verdicts.length, places.length);
        let hint: string | null = null;
        const row = await withPlace(place, async (session) => verifySession(session)).catch((error) => {
          if (error instanceof Failure) hint = error.hint;
          return unreadable(place.id, error);
        });
        verdicts.push(row.verdict);
        if (options.quiet && EXIT_CODES[row.verdict] === 0) continue;
        if (!(options.json ? await io.json(row) : await io.write(verdictLine(row, theme)))) break;
        if (hint !== null && !options.json) io.say(`hint: ${hint}`);
      }
      io.progress('', 0, 0);
      // No totals if the reader closed the pipe.
      if (places.length > 1 && verdicts.length === places.length) io.say(`wiretape: ${summaryLine(verdicts)}`);
      exit(Math.max(...verdicts.map((verdict) => EXIT_CODES[verdict])));
    });
};

function summaryLine(verdicts: VerifyRow['verdict'][]): string {
  const count = (verdict: string) => verdicts.filter((one) => one === verdict).length;
  const parts = Object.keys(EXIT_CODES).flatMap((verdict) =>
    count(verdict) > 0 ? [`${count(verdict)} ${verdict}`] : [],
  );
  return `${verdicts.length} tapes: ${parts.join(', ')}`;
}

const EXIT_CODES = { intact: 0, recovered: 0, altered: 1, unfinished: 1, unreadable: 2 } as const;

function verifySession(session: OpenSession): VerifyRow {
  const { verdict, ranges, digest } = verifyTape(session.tape);
  const other = session.dir === null || session.borrowed ? null : resealedTape(session.dir, digest);
  if (other !== null && EXIT_CODES[verdict] === 0) throw otherTapeFailure(session.tape, session.id, other);
  const first = ranges[0];
  return {
    session: session.id,
    verdict,
    from_f: first?.from_f ?? null,
    to_f: first?.to_f ?? null,
    digest,
    ranges,
    message: session.running ? 'its recorder is still running' : null,
  };
}

function unreadable(session: string, error: Error): VerifyRow {
  return { session, verdict: 'unreadable', from_f: null, to_f: null, digest: null, ranges: [], message: error.message };
}

function verdictLine(row: VerifyRow, theme: Theme): string {
  const paint = EXIT_CODES[row.verdict] === 0 ? theme.good : theme.bad;
  const places = row.ranges.map(({ from_f, to_f }) => `${from_f === 0 ? 'the start' : `f${from_f}`} and f${to_f}`);
  const where =
    row.verdict === 'altered'
      ? ` between ${places.join(', between ')}`
      : row.verdict === 'unfinished'
        ? `: no seal after ${row.from_f === 0 ? 'the start' : `f${row.from_f}`}`
        : '';
  const how = row.verdict === 'recovered' ? ' (completed after its recorder was killed)' : '';
  const why = row.message ? ` (${visible(row.message)})` : '';
  return `${visible(row.session)}  ${paint(row.verdict)}${where}${how}${why}${row.digest ? `  ${theme.dim(row.digest)}` : ''}\n`;
}
