import { writeFileSync } from 'node:fs';
import { memorySource } from './test/support/memory-source.ts';
import { sessionOn } from './test/support/session.ts';
import { readSession } from './lib/session/read.ts';
import { summarise } from './lib/session/summary.ts';
const tape = process.argv[2]!;
const session = sessionOn(tape);
const source: any = memorySource(session);
const names = ['t','from','envelope','kind','kinds','method','type','id','turn','step','subagent','tool','tool_call_id','item','pair_f','latency','wait','gap','approval','by','mode','ran','flag','status','code','size','flags','event','marks','f','parent','piece'];
const columns: any = {};
for (const n of names) { const c = await source.frames.column(n); columns[n] = c.is === 'numbers' ? { is: 'numbers', numbers: [...c.numbers].map((x: number) => Number.isNaN(x) ? null : x) } : { is:'coded', codes: [...c.codes], values: c.values.map((v:any)=> typeof v==='bigint'?String(v):v) }; }
const lines: any[] = [];
for (let i = 0; i < source.frames.count; i++) { const [l] = (await source.chunk(Math.floor(i/7))).slice(i%7, i%7+1); lines.push({ ...l.frame, raw: Buffer.from(l.frame.raw).toString('base64'), text: undefined, cut: undefined }); }
const summary = summarise(session) as any;
const head = { session: summary.session, summary, stats: { steps: 6, calls: summary.tools, waits: { total: 2.3 }, phases: { busy: 10.2, waiting: 2.3, idle: 4 } }, handshake: {}, started: source.head.started, duration: summary.duration ?? 0, frames: lines.length, rows: 0, agents: [''], counts: { approvals: summary.approvals ?? 0, findings: { error: 1, warning: 2, info: 0 }, open: 0, stderr: 3 }, turns: [{n:1,row:0,f:3,t:0,t_end:1,prompt:'Add tests for the parser',status:null}], density: [], tape: { bytes: 123456, sha256: '', chunks: Math.ceil(lines.length/7), part: null }, redaction: process.argv[4] ? { kinds: { token: 2, path: 14 }, text: false } : null };
writeFileSync(process.argv[3]!, JSON.stringify({ head, columns, lines }, (k, v) => typeof v === 'bigint' ? String(v) : v));
