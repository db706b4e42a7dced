/** Whether the query of the page found a frame. */
import type { Hits } from '../app.ts';
import type { FrameSource } from '../source.ts';

export function found({ frames }: FrameSource, { bytes }: Hits): (f: number) => boolean {
  return (f) => {
    const at = frames.indexOf(f);
    return at >= 0 && bytes[at] === 1;
  };
}
