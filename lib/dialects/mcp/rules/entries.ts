/** Explanations of these rules: Model Context Protocol. */
import type { RuleExplanation } from '../../rules/entry.ts';

export const MCP_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'mcp-initialize-first': {
    means: 'Something else was sent before initialize was answered. Servers refuse it.',
    fix: 'Client: send initialize, wait for the answer, send notifications/initialized, then everything else.',
  },
  'mcp-initialize-again': {
    means: 'initialize was sent a second time in one connection.',
    fix: 'Send it once per process.',
  },
  'mcp-initialized': {
    means:
      'The client did not send notifications/initialized between the answer to initialize and its next request. Some servers wait for it.',
    fix: 'Client: send it right after the answer to initialize.',
  },
  'mcp-server-early': {
    means: 'The server asked for something before the client had sent notifications/initialized.',
    fix: 'Server: wait for notifications/initialized; ping is allowed.',
  },
  'mcp-version': {
    means: 'The server answered with a newer version than the client asked for, which the client may not know.',
    fix: 'Server: answer with the version asked for, or an older one.',
  },
  'mcp-batch': {
    means:
      'A batch was sent although this version of MCP has no batches. Only 2025-03-26 has batches, and never for initialize.',
    fix: 'Send one message per line.',
  },
  'mcp-id-reused': {
    means: 'The id was used before in this connection. MCP requires a new id for every request.',
    fix: 'Count ids up.',
  },
  'mcp-client-capability': {
    means: 'The server asked for sampling, roots or elicitation, which the client did not offer.',
    fix: "Server: look at the client's capabilities. Client: declare what you have.",
  },
  'mcp-server-capability': {
    means: 'The client asked for tools, prompts, resources or logging, which the server did not offer.',
    fix: "Client: look at the server's capabilities. Server: declare what you have.",
  },
  'mcp-undeclared-notification': {
    means: 'A side sent a notification of a change that it did not declare, so the other side may ignore it.',
    fix: 'Declare listChanged (or subscribe) in initialize.',
  },
  'mcp-progress-unknown': {
    means: 'No open request has this progress token. The report is dropped.',
    fix: 'Use the progressToken of the request, with its JSON type, and stop when it is answered.',
  },
  'mcp-progress-order': {
    means: 'Progress did not increase.',
    fix: 'Report larger values each time, even if the total is unknown.',
  },
  'mcp-progress-token': {
    means: 'Two open requests have the same progress token, so their reports cannot be told apart.',
    fix: 'Use a new token per request; the request id will do.',
  },
  'mcp-cancel-unknown': {
    means: 'A side cancelled a request that it never made.',
    fix: "Send your own request's id, with its JSON type, as requestId.",
  },
  'mcp-cancel-initialize': {
    means: 'initialize was cancelled, which MCP forbids.',
    fix: 'Close the connection instead.',
  },
  'mcp-tool-unknown': {
    means: 'The server did not list this tool, and refuses the call.',
    fix: 'Client: list the tools again after list_changed; check the name and its prefix.',
  },
  'mcp-cursor': {
    means: 'The server did not return this cursor for this list.',
    fix: 'Client: send nextCursor of the same list back unchanged, and do not store it.',
  },
  'mcp-structured-content': {
    means: 'The tool has an output schema, but its result has no structuredContent. Strict clients refuse it.',
    fix: 'Server: send structuredContent that fits the schema, or isError.',
  },
};
