/** The pointer on the waterfall: the wheel zooms and moves, dragging selects a window, resting shows exact times. */
import { h } from '../h.ts';
import { MARGIN, type TimelineModel } from './model.ts';
import { moved, windowOf, zoomed } from './scale.ts';
import type { Tip } from './tip.ts';

const MIN_DRAG = 5;
const PER_NOTCH = 1.0025;

/** Zooms around the pointer with Ctrl, and moves with Shift or sideways; other turns of the wheel scroll the rows. */
export function wheelOn(element: HTMLElement, model: TimelineModel, leftOf: () => number): void {
  element.addEventListener(
    'wheel',
    (event) => {
      const { whole, scale, zoom, app } = model;
      const x = event.clientX - leftOf() - MARGIN;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const factor = PER_NOTCH ** Math.max(-300, Math.min(event.deltaY, 300));
        return app.state.set({ zoom: zoomed(whole, zoom, factor, scale.t(x)) });
      }
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (!zoom || sideways === 0 || Math.abs(sideways) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
      event.preventDefault();
      app.state.set({ zoom: moved(whole, zoom, sideways / scale.width) });
    },
    { passive: false },
  );
}

/** Dragging over `element` selects a window. True while a drag goes on, so that its end is not taken for a click. */
export function dragOn(
  element: HTMLElement,
  model: TimelineModel,
  leftOf: () => number,
  begun: () => void,
): () => boolean {
  const band = h('div', { class: 'tl-band', hidden: true });
  let isDragging = false;
  element.append(band);
  element.addEventListener('pointerdown', (start) => {
    const { scale, app, whole } = model;
    const from = start.clientX - leftOf() - MARGIN;
    isDragging = false;
    if (start.button !== 0 || start.pointerType === 'touch' || from < -MARGIN || from > scale.width + MARGIN) return;
    let to = from;
    const move = (event: PointerEvent): void => {
      to = event.clientX - leftOf() - MARGIN;
      if (!isDragging && Math.abs(to - from) < MIN_DRAG) return;
      if (!isDragging) begun();
      isDragging = true;
      const left = leftOf() - element.getBoundingClientRect().left + MARGIN;
      band.hidden = false;
      band.style.transform = `translate(${left + Math.min(from, to)}px, ${element.scrollTop}px)`;
      band.style.width = `${Math.abs(to - from)}px`;
      band.style.height = `${element.clientHeight}px`;
    };
    const end = (event: PointerEvent): void => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      band.hidden = true;
      if (isDragging && event.type === 'pointerup')
        app.state.set({ zoom: windowOf(whole, scale.t(from), scale.t(to)) });
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  });
  return () => isDragging;
}

/** Shows the times of the row at the pointer, and hides them when it leaves. */
export function tipOn(
  element: HTMLElement,
  tip: Tip,
  model: TimelineModel,
  rowAt: (event: PointerEvent) => number,
): void {
  element.addEventListener('pointermove', (event) => {
    const row = event.buttons === 0 ? rowAt(event) : -1;
    if (row >= 0) tip.show(model, row, event.clientX, event.clientY);
    else tip.hide();
  });
  element.addEventListener('pointerleave', () => tip.hide());
}
