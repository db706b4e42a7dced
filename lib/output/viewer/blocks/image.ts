/** Draws a picture that was checked. It is the only thing in a page with a source, which is made of its bytes. */
import type { Picture } from './image-check.ts';

export function drawn({ mime, bytes, width, height }: Picture, alt: string): HTMLImageElement {
  const image = new Image(width, height);
  const source = URL.createObjectURL(new Blob([bytes as BlobPart], { type: mime }));
  image.alt = alt;
  image.addEventListener('load', () => URL.revokeObjectURL(source));
  image.src = source;
  return image;
}
