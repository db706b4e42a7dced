/**
 * The issue forms of the projects that reports are sent to: which section answers which field, in the order of the
 * form. Fields that only the user knows are there to be filled in.
 */
export type SectionName =
  | 'summary'
  | 'environment'
  | 'steps'
  | 'expected'
  | 'happened'
  | 'findings'
  | 'reproduce'
  | 'attachments';

export interface IssueForm {
  name: string;
  /** The fields of the form: the id of each, and the sections that fill it. */
  fields: { id: string; sections: SectionName[] }[];
  /** Bytes that fit into one issue. */
  limit: number;
  language: 'en' | 'zh';
}

/** GitHub takes 65,536 characters or bytes: sources differ. */
const GITHUB_LIMIT = 60_000;

/** Without a form: everything, the trouble first. */
export const PLAIN_FORM: IssueForm = {
  name: 'plain',
  fields: [
    {
      id: '',
      sections: ['summary', 'happened', 'findings', 'environment', 'steps', 'expected', 'reproduce', 'attachments'],
    },
  ],
  limit: GITHUB_LIMIT,
  language: 'en',
};

const github = (name: string, fields: IssueForm['fields']): IssueForm => ({
  name,
  fields,
  limit: GITHUB_LIMIT,
  language: 'en',
});

const KIMI_FIELDS: IssueForm['fields'] = [
  { id: 'version', sections: [] },
  { id: 'plan', sections: [] },
  { id: 'model', sections: [] },
  { id: 'platform', sections: [] },
  { id: 'actual', sections: ['summary', 'happened', 'findings'] },
  { id: 'steps', sections: ['steps', 'reproduce'] },
  { id: 'expected', sections: ['expected'] },
  { id: 'additional', sections: ['environment', 'attachments'] },
];

const GEMINI_FIELDS: IssueForm['fields'] = [
  { id: 'problem', sections: ['summary', 'happened', 'findings'] },
  { id: 'expected', sections: ['expected'] },
  { id: 'info', sections: ['environment'] },
  { id: 'login-info', sections: [] },
  { id: 'additional-context', sections: ['steps', 'reproduce', 'attachments'] },
];

export const FORMS: readonly IssueForm[] = [
  github('kimi-cli', KIMI_FIELDS),
  github('kimi-code', KIMI_FIELDS),
  github('qwen-code', GEMINI_FIELDS),
  github('claude-code', [
    { id: 'actual', sections: ['summary', 'happened'] },
    { id: 'expected', sections: ['expected'] },
    { id: 'error_output', sections: ['findings'] },
    { id: 'reproduction', sections: ['steps', 'reproduce'] },
    { id: 'model', sections: [] },
    { id: 'regression', sections: [] },
    { id: 'version', sections: [] },
    { id: 'platform', sections: [] },
    { id: 'os', sections: [] },
    { id: 'terminal', sections: [] },
    { id: 'additional', sections: ['environment', 'attachments'] },
  ]),
  github('codex', [
    { id: 'version', sections: [] },
    { id: 'plan', sections: [] },
    { id: 'model', sections: [] },
    { id: 'platform', sections: [] },
    { id: 'terminal', sections: [] },
    { id: 'actual', sections: ['summary', 'happened', 'findings'] },
    { id: 'steps', sections: ['steps', 'reproduce'] },
    { id: 'expected', sections: ['expected'] },
    { id: 'notes', sections: ['environment', 'attachments'] },
  ]),
  github('gemini-cli', GEMINI_FIELDS),
  github('zed', [
    { id: 'reproduction', sections: ['steps', 'reproduce'] },
    { id: 'current-vs-expected', sections: ['summary', 'happened', 'expected', 'findings'] },
    { id: 'system-specs', sections: ['environment'] },
    { id: 'logs', sections: ['attachments'] },
  ]),
];
