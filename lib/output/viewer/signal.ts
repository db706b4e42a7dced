/** A value that others watch, key by key. */
export interface Signal<T extends object> {
  readonly value: Readonly<T>;
  /** Sets some keys; whoever watches one that changed is told once, after all are set. */
  set(patch: Partial<T>): void;
  /** Calls `tell` when one of these keys has changed. Returns how to stop that. */
  watch(keys: readonly (keyof T)[], tell: (now: Readonly<T>, before: Readonly<T>) => void): () => void;
}

export function signal<T extends object>(first: T): Signal<T> {
  let value: Readonly<T> = first;
  const watchers = new Set<{ keys: readonly (keyof T)[]; tell: (now: Readonly<T>, before: Readonly<T>) => void }>();
  return {
    get value() {
      return value;
    },
    set(patch) {
      const before = value;
      value = { ...before, ...patch };
      for (const { keys, tell } of [...watchers])
        if (keys.some((key) => !Object.is(before[key], value[key]))) tell(value, before);
    },
    watch(keys, tell) {
      const one = { keys, tell };
      watchers.add(one);
      return () => watchers.delete(one);
    },
  };
}
