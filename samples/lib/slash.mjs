// Slash commands: a turn with text and no step. They take no turn out of the scenario.

import { SLASH_COMMANDS } from './kimi.mjs';
import { plainText } from './params.mjs';
import { statusUpdate, text } from './payloads.mjs';

/** The command's name, or null for an ordinary prompt. */
export function slashCommand(userInput) {
  return (
    plainText(userInput)
      .trim()
      .match(/^\/([\w-]+(?::[\w-]+)*)(?:\s|$)/)?.[1] ?? null
  );
}

/**
 * @param {import('./player.mjs').Run} run
 * @returns {boolean} whether the prompt was a slash command
 */
export function playSlashCommand(run) {
  const name = slashCommand(run.userInput);
  if (name === null) return false;
  const known = SLASH_COMMANDS.find((command) => command.name === name || command.aliases.includes(name));
  const say = (words) => run.voice.say('ContentPart', text(words));
  if (!known) say(`Unknown slash command "/${name}".`);
  else if (COMMANDS[known.name]) COMMANDS[known.name](run, say);
  else say(`The sample agent does nothing on /${known.name}.`);
  return true;
}

const COMMANDS = {
  yolo({ session }, say) {
    session.yolo = !session.yolo;
    say(
      session.yolo
        ? 'You only live once! All actions will be auto-approved.'
        : 'You only die once! Actions will require approval.',
    );
  },
  clear(run, say) {
    run.meter.compact();
    say('The context has been cleared.');
    run.voice.say('StatusUpdate', statusUpdate(run.meter.context()));
  },
  compact(run, say) {
    run.voice.say('CompactionBegin', {});
    run.meter.compact();
    run.voice.say('CompactionEnd', {});
    say('The context has been compacted.');
    run.voice.say('StatusUpdate', statusUpdate(run.meter.context()));
  },
  plan({ session, userInput, voice }, say) {
    const wish = plainText(userInput).trim().split(/\s+/)[1];
    session.planMode = wish === 'on' || (wish !== 'off' && !session.planMode);
    say(session.planMode ? 'Plan mode ON.' : 'Plan mode OFF. All tools are now available.');
    voice.say('StatusUpdate', statusUpdate({ plan_mode: session.planMode }));
  },
};
