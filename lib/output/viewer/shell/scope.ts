/** A signal whose watchers can all be ended at once, so that the page can be built again in another language. */
import type { Signal } from '../signal.ts';

export interface Scope<T extends object> extends Signal<T> {
  end(): void;
}

export function scopeOf<T extends object>(inner: Signal<T>): Scope<T> {
  const stops: (() => void)[] = [];
  return {
    get value() {
      return inner.value;
    },
    set: (patch) => inner.set(patch),
    watch(keys, onChange) {
      const stop = inner.watch(keys, onChange);
      stops.push(stop);
      return stop;
    },
    end() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}
