/** Files that cannot be read as a tape. */
import { FORMAT, type Metadata } from '../../model/frame.ts';

/** The file is not a tape, or has a format that this version cannot read. Readers skip damage inside a tape. */
export class UnreadableTape extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.name = 'UnreadableTape';
    this.hint = hint;
  }
}

/** Checks the format of a tape: there is one so far, and a newer one is refused with a hint. */
export function checkFormat(metadata: Metadata): Metadata {
  const { wiretape } = metadata;
  if (!Number.isInteger(wiretape) || wiretape < 1) {
    throw new UnreadableTape('the first line is not the metadata of a wiretape tape');
  }
  if (wiretape <= FORMAT) return metadata;
  const message = `the tape has format ${wiretape}; this version reads up to ${FORMAT}`;
  throw new UnreadableTape(message, 'update wiretape to read it');
}
