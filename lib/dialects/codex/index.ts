/**
 * codex: `codex app-server`, which editors and codex-acp use. JSON-RPC by line without `jsonrpc`. A process has threads,
 * threads have turns, and turns have items. `turn/start` is answered at once; its turn ends with `turn/completed`.
 */
import { readJsonRpc } from '../../model/message.ts';
import { isProgram } from '../common/command-line.ts';
import { objectOf } from '../common/fields.ts';
import { type Dialect, envelopeWith, type FirstLines, type JsonObject } from '../dialect.ts';
import { CodexReader } from './reader.ts';
import { CODEX_ENTRIES } from './rules/entries.ts';
import { CODEX_RULES } from './rules/index.ts';
import { codexSchemas } from './rules/shapes.ts';
import { codexTraits } from './traits.ts';

export const codex: Dialect = {
  name: 'codex',
  traits: codexTraits,
  recognise,
  envelope: envelopeWith(({ item, msg }) => objectOf(item ?? msg).type),
  open: () => new CodexReader(),
  conformance: {
    prefix: 'codex',
    title: "Codex's app-server",
    rules: CODEX_RULES,
    shapes: codexSchemas,
    entries: CODEX_ENTRIES,
  },
};

/** Names of both versions that no other protocol has. */
const OWN =
  /^(?:(?:thread|turn|item)\/|serverRequest\/resolved$|codex\/event\/|newConversation$|sendUser(?:Turn|Message)$|execCommandApproval$|applyPatchApproval$)/;

function recognise({ command, lines }: FirstLines): number {
  const isNamed = command.includes('app-server') && isProgram(command, 'codex');
  if (lines.length === 0) return command.includes('app-server') ? 0.8 : 0;
  const shaped = lines.filter(({ value }) => readJsonRpc(value).envelope !== 'none');
  if (shaped.length * 2 < lines.length) return 0;
  const bare = shaped.filter(({ value }) => value.jsonrpc === undefined);
  if (bare.some(({ value }) => isOwn(value))) return 0.97;
  if (bare.length === 0) return 0;
  const isGreeting = bare.some(({ value }) => value.method === 'initialize' && isGreeted(objectOf(value.params)));
  return isNamed ? 0.8 : isGreeting ? 0.4 : 0;
}

function isOwn({ method, result }: JsonObject): boolean {
  if (typeof method === 'string') return OWN.test(method);
  const { userAgent, codexHome, platformOs } = objectOf(result);
  return typeof userAgent === 'string' && (codexHome !== undefined || platformOs !== undefined);
}

/** MCP, ACP and Wire name a version of the protocol. */
function isGreeted(params: JsonObject): boolean {
  return params.clientInfo !== undefined && params.protocolVersion === undefined;
}
