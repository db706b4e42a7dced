/** Language Server Protocol: JSON-RPC in Content-Length frames. There are no turns, and nothing is approved. */
import { readJsonRpc } from '../../model/message.ts';
import { objectOf } from '../common/fields.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { LspReader } from './reader.ts';
import { LSP_ENTRIES } from './rules/entries.ts';
import { LSP_RULES } from './rules/index.ts';
import { lspTraits } from './traits.ts';

export const lsp: Dialect = {
  name: 'lsp',
  traits: lspTraits,
  recognise,
  envelope: readJsonRpc,
  open: () => new LspReader(),
  conformance: { prefix: 'lsp', title: 'Language Server Protocol', rules: LSP_RULES, entries: LSP_ENTRIES },
};

/** Methods that no other protocol has. */
const OWN = /^(?:textDocument|notebookDocument|callHierarchy|typeHierarchy|completionItem|codeLens|inlayHint)\//;
const SHARED =
  /^(?:window\/(?:log|show)Message|window\/workDoneProgress\/|workspace\/(?:configuration|applyEdit|symbol|executeCommand|workspaceFolders|did[A-Z])|client\/(?:un)?registerCapability$)/;

function recognise({ lines, command }: FirstLines): number {
  let sure = 0;
  for (const { value } of lines) {
    const { method } = value;
    if (typeof method !== 'string') {
      if (isServer(objectOf(value.result))) sure = Math.max(sure, 0.9);
    } else if (OWN.test(method)) return 0.95;
    else if (SHARED.test(method) || (method === 'initialize' && isClient(objectOf(value.params)))) sure = 0.9;
  }
  if (lines.length > 0) return sure;
  return command.some((word) => /language-?server|\blsp\b/i.test(word)) ? 0.5 : 0;
}

/** MCP and ACP name a version of their protocol; language servers do not. */
function isClient({
  capabilities,
  protocolVersion,
  rootUri,
  rootPath,
  processId,
  workspaceFolders,
}: JsonObject): boolean {
  if (typeof capabilities !== 'object' || protocolVersion !== undefined) return false;
  return [rootUri, rootPath, processId, workspaceFolders].some((value) => value !== undefined);
}

function isServer({ capabilities, protocolVersion }: JsonObject): boolean {
  const can = objectOf(capabilities);
  return protocolVersion === undefined && ('textDocumentSync' in can || 'hoverProvider' in can);
}
