/** Signals that end a command that watches. It ends in an orderly way, so that the terminal is restored. */
const STOP_SIGNALS = { SIGINT: 130, SIGQUIT: 131, SIGTERM: 143, SIGHUP: 129 } as const;

/** Calls `stop` with the exit code for the signal, until the function that it returns is called. */
export function onStop(stop: (code: number) => void): () => void {
  const listeners = Object.entries(STOP_SIGNALS).map(([name, code]): [string, () => void] => [name, () => stop(code)]);
  for (const [name, listener] of listeners) process.on(name, listener);
  return () => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
}

/** The exit code after Ctrl-C. */
export const INTERRUPTED = STOP_SIGNALS.SIGINT;
