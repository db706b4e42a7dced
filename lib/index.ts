/** The library: what a program needs to read tapes. The command line is in `cli.ts`. */
export { type Exchange, Exchanges } from './core/exchange.ts';
export type { Eol, Form, Frame, From, Metadata, Seal, Stream } from './core/frame.ts';
export { type Envelope, type Message, readMessage, textOf } from './core/message.ts';
export { type FrameJson, frameJson } from './facts/frame-json.ts';
export { readMetadata, readTape, type TapeLine } from './tape/read.ts';
export { UnreadableTape } from './tape/unreadable.ts';
export { type Range, type Verification, verifyTape } from './tape/verify.ts';
