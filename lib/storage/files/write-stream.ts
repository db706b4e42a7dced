/** Writes to a device, a pipe or an open descriptor. */
import { closeSync, constants, createReadStream, fstatSync, openSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../model/failure.ts';
import { DescriptorWriter } from './descriptor-writer.ts';
import type { StreamDestination } from './destination.ts';
import { codeOf, writeFailure } from './write-failure.ts';

/** Seconds for the reader of a pipe to open it. It may start at the same time as we do. */
const READER_TIMEOUT_SECONDS = 10;
const POLL_MS = 20;

/** Writes what is in the file. A reader that has seen enough is no error. */
export async function copyToStream(file: string, place: StreamDestination): Promise<void> {
  const fd = place.fd ?? (await openStream(place));
  try {
    await pipeline(createReadStream(file), new DescriptorWriter(fd));
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw writeFailure(place.name, error);
  } finally {
    if (place.fd === null) closeSync(fd);
  }
}

async function openStream(place: StreamDestination): Promise<number> {
  const { name, path, kind } = place;
  const { O_WRONLY, O_NONBLOCK, O_NOFOLLOW = 0, O_NOCTTY = 0 } = constants;
  for (let tries = (READER_TIMEOUT_SECONDS * 1000) / POLL_MS; ; tries--) {
    try {
      // Nothing is created and nothing emptied, whatever is there by now.
      const fd = openSync(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
      if (!fstatSync(fd).isFile()) return fd;
      closeSync(fd);
      throw new Failure(`${name} has become a file`, 'choose another name');
    } catch (error) {
      if (codeOf(error) !== 'ENXIO' || kind !== 'pipe') throw writeFailure(name, error);
      if (tries <= 0)
        throw new Failure(
          `cannot write ${name}: nobody reads this pipe`,
          `start its reader first, such as: cat ${name}`,
        );
      await sleep(POLL_MS);
    }
  }
}
