/** What a test closes at its end: closing waits, and throws if the other side did not do what was recorded. */

export abstract class Closing<T> implements AsyncDisposable {
  #closed: Promise<T> | null = null;
  /** The caller of `close` has got the outcome. */
  #hasReported = false;

  /** Ends it and returns the result. A second call has the same outcome. */
  protected abstract end(): Promise<T>;

  /** Ends it, waits for its report, and throws if the report has differences. */
  close(): Promise<T> {
    this.#closed ??= this.end().finally(() => {
      this.#hasReported = true;
    });
    return this.#closed;
  }

  /** Does nothing if the caller has waited for `close`. A caller that did not wait gets the outcome here. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#hasReported) await this.close();
  }

  /**
   * Runs a test and closes it, like `await using`. If both the test and closing fail, a `SuppressedError` has both:
   * `error` is that of closing, `suppressed` that of the test. Where the runtime has none, an `Error` of that name has
   * the same members.
   */
  async use<R>(test: (it: this) => R | Promise<R>): Promise<R> {
    const failed = (error: unknown) => ({ error });
    const outcome = await (async () => ({ result: await test(this) }))().catch(failed);
    const closed = await this[Symbol.asyncDispose]().then(() => null, failed);
    if ('result' in outcome && closed === null) return outcome.result;
    if ('result' in outcome) throw closed!.error;
    throw closed === null ? outcome.error : bothErrors(closed.error, outcome.error);
  }
}

type NewSuppressedError = new (error: unknown, suppressed: unknown, message: string) => Error;

/** Runners show the message and the cause, if nothing else. */
function bothErrors(error: unknown, suppressed: unknown): Error {
  const message = `${messageOf(error)}\n\nthe test failed, too: ${messageOf(suppressed)}`;
  const Native = Reflect.get(globalThis, 'SuppressedError') as NewSuppressedError | undefined;
  const both = Native ? new Native(error, suppressed, message) : new Error(message);
  if (!Native) Object.assign(both, { name: 'SuppressedError', error, suppressed });
  return Object.defineProperty(both, 'cause', { value: suppressed, configurable: true, writable: true });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
