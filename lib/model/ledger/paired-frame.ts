/** A decoded frame: its envelope, its role in an exchange, and what it means. */
import type { Event } from '../event.ts';
import type { Pairing } from '../exchange.ts';
import type { Frame } from '../frame.ts';
import type { Message } from '../message.ts';

export interface PairedFrame {
  frame: Frame;
  message: Message;
  pairing: Pairing | null;
  events: Event[];
}
