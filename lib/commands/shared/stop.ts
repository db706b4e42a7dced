/** Signals that end something that is watched. It is ended in order, so that the terminal is given back. */
const STOPS = { SIGINT: 130, SIGQUIT: 131, SIGTERM: 143, SIGHUP: 129 } as const;

/** Calls `stop` with the exit code for the signal, until the function that it returns is called. */
export function onStop(stop: (code: number) => void): () => void {
  const listeners = Object.entries(STOPS).map(([name, code]): [string, () => void] => [name, () => stop(code)]);
  for (const [name, listener] of listeners) process.on(name, listener);
  return () => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
}

/** The exit code after Ctrl-C. */
export const INTERRUPTED = STOPS.SIGINT;
