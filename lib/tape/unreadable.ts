/** A file that is no tape, or not one this version reads. Damage inside a tape is not this: readers go on past it. */
export class UnreadableTape extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.name = 'UnreadableTape';
    this.hint = hint;
  }
}
