/** Programs in threads of their own, beside whatever else is done: they are asked, and answer in order. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, Worker } from 'node:worker_threads';
import { Failure } from '../../model/failure.ts';

export interface Thread<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  /** How many questions are not answered yet. */
  readonly unanswered: number;
  /** To be called in any case. */
  stop(): Promise<void>;
}

/** Null: the program is not compiled, as in a run from the sources. */
export function startThread<Question, Answer>(program: URL): Thread<Question, Answer> | null {
  const path = fileURLToPath(program);
  if (!existsSync(path)) return null;
  const worker = new Worker(path);
  const asked: { resolve(answer: Answer): void; reject(error: unknown): void }[] = [];
  let failure: unknown = null;
  worker.on('message', (reply: Reply<Answer>) => {
    const { resolve, reject } = asked.shift()!;
    if ('failure' in reply) reject(failureOf(reply.failure));
    else if ('error' in reply) reject(reply.error);
    else resolve(reply.answer);
  });
  worker.on('error', (error) => {
    failure = error;
    for (const { reject } of asked.splice(0)) reject(error);
  });
  return {
    ask: (question) => {
      const answer = new Promise<Answer>((resolve, reject) => {
        if (failure) reject(failure);
        else asked.push({ resolve, reject });
      });
      // Somebody will look at it later, or nobody.
      answer.catch(() => {});
      worker.postMessage(question);
      return answer;
    },
    get unanswered() {
      return asked.length;
    },
    stop: async () => {
      await worker.terminate();
    },
  };
}

/** A `Failure` has to be told by its parts: what crosses threads loses its class. */
interface Told {
  message: string;
  hint: string | null;
  exitCode: number;
  lines: readonly string[];
}
type Reply<Answer> = { answer: Answer } | { failure: Told } | { error: unknown };

const failureOf = ({ message, hint, exitCode, lines }: Told): Failure => new Failure(message, hint, exitCode, lines);

/** What such a program does. What cannot be answered is an error for whoever asked, and the next question is answered. */
export function answerWith<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  let before: Promise<void> = Promise.resolve();
  const replyTo = async (question: Question): Promise<Reply<Answer>> => {
    try {
      return { answer: await answer(question) };
    } catch (error) {
      if (!(error instanceof Failure)) return { error };
      const { message, hint, exitCode, lines } = error;
      return { failure: { message, hint, exitCode, lines } };
    }
  };
  parentPort?.on('message', (question: Question) => {
    before = before.then(async () => parentPort!.postMessage(await replyTo(question)));
  });
}
