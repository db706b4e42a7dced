/** The file is not a tape, or has a format that this version cannot read. Readers skip damage inside a tape. */
export class UnreadableTape extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.name = 'UnreadableTape';
    this.hint = hint;
  }
}
