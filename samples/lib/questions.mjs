// Questions to the user (AskUserQuestion) and the approval of a plan (ExitPlanMode), which is a question too.
// Only a client that said it supports questions is asked; any invalid answer counts as "dismissed".

import { randomUUID } from 'node:crypto';
import { brief, questionItem, returnValue, toolError } from './payloads.mjs';
import { pythonJson } from './python-text.mjs';
import { announce } from './tools.mjs';

/** The `ask` directive: one question, or { questions: [...] }. */
export async function askQuestions(run, spec, step) {
  const questions = spec.questions ?? [spec];
  await announce(run, step, { name: 'AskUserQuestion', id: spec.id }, { questions }, async (id) => {
    const answers = await ask(run, id, questions);
    if (answers === null) {
      return {
        value: toolError(
          'The connected client does not support interactive questions. Do NOT call this tool again. Ask the user directly in your text response instead.',
          'Client unsupported',
        ),
      };
    }
    return { value: Object.keys(answers).length > 0 ? answered(answers) : dismissed() };
  });
}

/** The `plan` directive: shows a plan and asks for its approval. */
export async function askPlan(run, { content, file_path, id: givenId }, step) {
  const { session } = run;
  session.planMode = true;
  await announce(run, step, { name: 'ExitPlanMode', id: givenId }, {}, async (id) => {
    run.voice.say('PlanDisplay', { content, file_path });
    const answers = await ask(run, id, [PLAN_QUESTION]);
    if (answers === null) {
      const advice = 'The connected client does not support plan mode. Do NOT call this tool again.';
      return { value: toolError(advice, 'Client unsupported') };
    }
    const [choice] = Object.values(answers);
    if (choice === 'Approve' || choice === 'Reject and Exit') session.planMode = false;
    return planOutcome(choice, content, file_path);
  });
}

/** @returns {Promise<Record<string, string> | null>} null when this client cannot be asked */
async function ask(run, toolCallId, questions) {
  if (!run.session.supportsQuestion) return null;
  const id = randomUUID();
  const payload = { id, tool_call_id: toolCallId, questions: questions.map(questionItem) };
  run.voice.recordRequest('QuestionRequest', payload);
  const { result } = await run.session.requests.ask(run.turn, id, 'QuestionRequest', payload);
  const { request_id, answers } = result ?? {};
  const valid =
    typeof request_id === 'string' &&
    answers !== null &&
    typeof answers === 'object' &&
    Object.values(answers).every((answer) => typeof answer === 'string');
  return valid ? answers : {};
}

function answered(answers) {
  return returnValue({
    output: pythonJson({ answers }),
    message: 'User has answered.',
    display: [brief('User answered')],
  });
}

function dismissed() {
  const note = 'User dismissed the question without answering.';
  return returnValue({ output: pythonJson({ answers: {}, note }), message: note, display: [brief('User dismissed')] });
}

const PLAN_QUESTION = {
  question: 'Approve this plan',
  header: 'Plan',
  options: [
    { label: 'Approve', description: 'Exit plan mode and start execution' },
    { label: 'Reject', description: 'Reject and stay in plan mode' },
    { label: 'Reject and Exit', description: 'Reject and exit plan mode' },
  ],
  other_label: 'Revise',
  other_description: 'Stay in plan mode and provide feedback',
};

function planOutcome(choice, content, file) {
  const said = (output, short) => ({ value: returnValue({ output, message: short, display: [brief(short)] }) });
  switch (choice) {
    case undefined:
      return said(
        'User dismissed without choosing. Plan mode remains active. Continue working on your plan or call ExitPlanMode again when ready.',
        'Dismissed',
      );
    case 'Approve':
      return said(
        `Plan approved by user. Plan mode deactivated. All tools are now available.\nPlan saved to: ${file}\n\n## Approved Plan:\n${content}`,
        'Plan approved',
      );
    case 'Reject':
      return {
        value: toolError(
          "Plan rejected by user. Stay in plan mode. The user will provide feedback via conversation. Wait for the user's next message before revising.",
          'Plan rejected',
        ),
        rejected: true,
      };
    case 'Reject and Exit':
      return {
        value: toolError(
          "Plan rejected by user. Plan mode deactivated. All tools are now available. Wait for the user's next message.",
          'Plan rejected, exited plan mode',
        ),
        rejected: true,
      };
    default:
      return said(
        `User wants to revise the plan. Stay in plan mode. Revise based on the feedback below.\n\nUser feedback: ${choice}`,
        'Plan revision requested',
      );
  }
}
