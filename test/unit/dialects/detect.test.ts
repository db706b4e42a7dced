/** Which dialect a session speaks, before anything is said, after a line, and for good. */
import { describe, expect, it } from 'vitest';
import { DialectDetector, detect } from '../../../lib/dialects/detect.ts';
import { DIALECTS, dialectNamed } from '../../../lib/dialects/index.ts';
import { answer, ask, framesOf, type Said, tell } from '../../support/reading.ts';

const guess = (command: string[], ...said: Said[]) => {
  const lines = said.map(([from, value]) => ({ from, value: value as Record<string, unknown> }));
  return detect({ command, lines }).dialect.name;
};

describe('detect', () => {
  it.each([
    [['kimi', 'acp'], 'acp'],
    [['node', '/opt/qwen/cli.js', '--acp'], 'acp'],
    [['gemini', '--experimental-acp'], 'acp'],
    [['/usr/bin/claude-code-acp'], 'acp'],
    [['npx', '-y', '@modelcontextprotocol/server-everything'], 'mcp'],
    [['uvx', 'mcp-server-git'], 'mcp'],
    [['codex', 'app-server'], 'codex'],
    [['/opt/codex', '-c', 'a=b', 'app-server'], 'codex'],
    [['cat'], 'lines'],
    [['grep', 'acpi', 'dmesg'], 'lines'],
  ])('by the command alone: %j', (command, name) => {
    expect(guess(command)).toBe(name);
  });

  const acpHello = ask(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
  const mcpHello = { params: { protocolVersion: '2025-11-25', capabilities: {} }, method: 'initialize', id: 0 };

  it.each<[string, Said[], string]>([
    ['hello of an ACP client', [['client', acpHello]], 'acp'],
    ['hello of an ACP agent', [['agent', answer(0, { protocolVersion: 1, agentCapabilities: {} })]], 'acp'],
    ['no hello', [['client', ask(1, 'session/new', {})]], 'acp'],
    ['hello of an MCP client', [['client', mcpHello]], 'mcp'],
    ['hello of an MCP server', [['agent', answer(0, { protocolVersion: '2024-11-05', serverInfo: {} })]], 'mcp'],
    ['no hello', [['client', ask(1, 'tools/list')]], 'mcp'],
    ['hello of a language client', [['client', ask(1, 'initialize', { processId: 1, rootUri: null })]], 'jsonrpc'],
    ['no version', [['client', { id: 1, method: 'play/start', params: {} }]], 'jsonrpc'],
    ['a request of a Codex client', [['client', { id: 1, method: 'turn/start', params: {} }]], 'codex'],
    ['hello of Codex', [['agent', { id: 0, result: { userAgent: 'x/1', codexHome: '/h' } }]], 'codex'],
    ['hello of a client of Codex', [['client', { id: 0, method: 'initialize', params: { clientInfo: {} } }]], 'codex'],
    ['objects of another sort', [['agent', { level: 'info', msg: 'up' }]], 'lines'],
    [
      'mostly objects of another sort',
      [
        ['agent', tell('x')],
        ['agent', { a: 1 }],
        ['agent', { b: 1 }],
      ],
      'lines',
    ],
  ])('by what is said: %s', (_, said, name) => {
    expect(guess([], ...said)).toBe(name);
  });

  it('what is said outweighs the command', () => {
    expect(guess(['kimi', 'acp'], ['client', mcpHello])).toBe('mcp');
    expect(guess(['x-acp'], ['client', ask(1, 'turn/start', {})])).toBe('jsonrpc');
    expect(guess(['codex', 'app-server'], ['client', acpHello])).toBe('acp');
  });

  it('the last in the list takes anything', () => {
    expect(DIALECTS.at(-1)!.recognise({ command: [], lines: [] })).toBeGreaterThan(0);
  });
});

describe('Detector', () => {
  const noise: Said = ['agent', 'warming up'];

  it('has a guess at any time', () => {
    const detector = new DialectDetector(['agent']);
    expect(detector.best.dialect.name).toBe('lines');
    const said: Said[] = [noise, ['client', ask(0, 'initialize', {})], ['client', ask(1, 'session/new', {})]];
    const guesses = framesOf(said).map((frame) => {
      detector.take(frame);
      return detector.best.dialect.name;
    });
    expect(guesses).toEqual(['lines', 'jsonrpc', 'acp']);
    expect(detector.decided).toBe(false);
  });

  it('is decided by twenty JSON lines, whatever comes after', () => {
    const detector = new DialectDetector([]);
    const said: Said[] = [noise, ...Array.from({ length: 20 }, (_, i): Said => ['client', ask(i, 'x')])];
    for (const frame of framesOf(said)) {
      expect(detector.decided).toBe(false);
      detector.take(frame);
    }
    expect(detector.decided).toBe(true);
    for (const frame of framesOf([['client', ask(1, 'session/new', {})]])) detector.take(frame);
    expect(detector.best.dialect.name).toBe('jsonrpc');
  });

  it('does not look for ever where nothing is JSON, and not at stderr or events', () => {
    const detector = new DialectDetector([]);
    const [frame] = framesOf([['agent', ask(1, 'session/new', {})]]);
    detector.take({ ...frame!, from: 'stderr' });
    detector.take({ ...frame!, form: 'event', event: 'eof' });
    expect(detector.best.dialect.name).toBe('lines');
    for (const frame of framesOf(Array.from({ length: 500 }, () => noise))) detector.take(frame);
    expect(detector.decided).toBe(true);
  });
});

describe('byName', () => {
  it.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))('%s', (name, dialect) => {
    expect(dialectNamed(name)).toBe(dialect);
  });

  it('knows no others', () => {
    expect(dialectNamed('toString')).toBeUndefined();
  });
});
