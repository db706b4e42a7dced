/** The parts of the page that are not views: made elsewhere, put together by the shell. */
import type { QueryError } from '../../analysis/query/error.ts';
import type { App, Hits, MakeView } from './app.ts';
import { makeDetail } from './detail/pane.ts';
import { preparePrint } from './print.ts';
import { PageSearch } from './search/search.ts';
import type { FrameSource } from './source.ts';

export interface Searcher {
  /** `onHits` is called with what was found so far, if it takes long. Rejects when `signal` aborts. */
  run(query: string, onHits: (hits: Hits) => void, signal: AbortSignal): Promise<Hits | QueryError>;
}

export const PARTS: {
  /** The pane beside the timeline, the frames and the approvals. */
  detail: MakeView;
  search: (source: FrameSource) => Searcher;
  /** Prepares the document that is printed; called once. */
  print: (app: App) => void;
} = {
  detail: makeDetail,
  search: (source) => new PageSearch(source),
  print: preparePrint,
};
