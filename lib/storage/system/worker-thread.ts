/** Programs in their own threads: they take questions and answer in order. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, Worker } from 'node:worker_threads';
import { Failure } from '../../model/failure.ts';

export interface WorkerThread<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  /** How many questions are not answered yet. */
  readonly unanswered: number;
  /** To be called in any case. */
  stop(): Promise<void>;
}

/** Null: the program is not compiled, as in a run from the sources. */
export function startWorkerThread<Question, Answer>(program: URL): WorkerThread<Question, Answer> | null {
  const path = fileURLToPath(program);
  if (!existsSync(path)) return null;
  const worker = new Worker(path);
  const pending: { resolve(answer: Answer): void; reject(error: unknown): void }[] = [];
  let failure: unknown = null;
  worker.on('message', (reply: ThreadReply<Answer>) => {
    const { resolve, reject } = pending.shift()!;
    if ('failure' in reply) reject(failureOf(reply.failure));
    else if ('error' in reply) reject(reply.error);
    else resolve(reply.answer);
  });
  worker.on('error', (error) => {
    failure = error;
    for (const { reject } of pending.splice(0)) reject(error);
  });
  return {
    ask: (question) => {
      const answer = new Promise<Answer>((resolve, reject) => {
        if (failure) reject(failure);
        else pending.push({ resolve, reject });
      });
      // The caller may look at it later, or never.
      answer.catch(() => {});
      worker.postMessage(question);
      return answer;
    },
    get unanswered() {
      return pending.length;
    },
    stop: async () => {
      await worker.terminate();
    },
  };
}

/** The fields of a `Failure`: objects that cross threads lose their class. */
interface FailureParts {
  message: string;
  hint: string | null;
  exitCode: number;
  lines: readonly string[];
}
type ThreadReply<Answer> = { answer: Answer } | { failure: FailureParts } | { error: unknown };

const failureOf = ({ message, hint, exitCode, lines }: FailureParts): Failure =>
  new Failure(message, hint, exitCode, lines);

/** Runs such a program. If an answer fails, the caller gets the error, and the next question is answered. */
export function answerWith<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  let before: Promise<void> = Promise.resolve();
  const replyTo = async (question: Question): Promise<ThreadReply<Answer>> => {
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
