/** A value that others watch, key by key. */
export interface Signal<T extends object> {
  readonly value: Readonly<T>;
  /** Sets some keys; a watcher of one that changed is called once, after all are set. */
  set(patch: Partial<T>): void;
  /** Calls `onChange` when one of these keys has changed. Returns how to stop that. */
  watch(keys: readonly (keyof T)[], onChange: (now: Readonly<T>, before: Readonly<T>) => void): () => void;
}

export function signal<T extends object>(first: T): Signal<T> {
  let value: Readonly<T> = first;
  const watchers = new Set<{ keys: readonly (keyof T)[]; onChange: (now: Readonly<T>, before: Readonly<T>) => void }>();
  return {
    get value() {
      return value;
    },
    set(patch) {
      const before = value;
      value = { ...before, ...patch };
      for (const { keys, onChange } of [...watchers])
        if (keys.some((key) => !Object.is(before[key], value[key]))) onChange(value, before);
    },
    watch(keys, onChange) {
      const one = { keys, onChange };
      watchers.add(one);
      return () => watchers.delete(one);
    },
  };
}
