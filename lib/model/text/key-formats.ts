/**
 * Keys and tokens that can be recognised by their form: how each begins, and the form as a whole. The one list of them, for
 * `has:secret`, for the screen and for redaction. A form takes linear time: it starts with fixed characters, and no two
 * repetitions in a row can match the same text.
 */

export interface KeyFormat {
  readonly kind: string;
  /** The characters that it starts with, one of these. */
  readonly starts: readonly string[];
  /** Sticky. */
  readonly form: RegExp;
}

/** What may follow a key without being part of it. */
const END = '(?![A-Za-z0-9])';
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** A digit distinguishes a key from hyphenated words. */
const DIGIT = '(?=[A-Za-z_-]{0,60}[0-9])';

/** A kind, how it starts, and its form. */
const FORMAT_TABLE: readonly (readonly [kind: string, starts: string, form: string])[] = [
  // Models.
  ['anthropic-key', 'sk-ant-', `sk-ant-${DIGIT}[\\w-]{20,}`],
  ['openrouter-key', 'sk-or-v1-', 'sk-or-v1-[0-9a-f]{32,}'],
  ['langfuse-key', 'sk-lf- pk-lf-', `[sp]k-lf-${UUID}`],
  ['openai-key', 'sk-proj- sk-svcacct- sk-admin-', `sk-(?:proj|svcacct|admin)-${DIGIT}[\\w-]{20,}`],
  ['sk-key', 'sk-', `sk-${DIGIT}[\\w-]{20,}`],
  ['openai-session', 'sess-', `sess-[A-Za-z0-9]{40}${END}`],
  ['groq-key', 'gsk_', 'gsk_[A-Za-z0-9]{40,}'],
  ['xai-key', 'xai-', 'xai-[A-Za-z0-9]{70,}'],
  ['perplexity-key', 'pplx-', 'pplx-[A-Za-z0-9]{40,}'],
  ['replicate-token', 'r8_', 'r8_[A-Za-z0-9]{37,}'],
  ['huggingface-token', 'hf_ api_org_', '(?:hf|api_org)_[A-Za-z0-9]{30,}'],
  ['nvidia-key', 'nvapi-', 'nvapi-[\\w-]{60,}'],
  ['cerebras-key', 'csk-', 'csk-[a-z0-9]{40,}'],
  ['pinecone-key', 'pcsk_', 'pcsk_[A-Za-z0-9_]{50,}'],
  ['tavily-key', 'tvly-', `tvly-${DIGIT}[A-Za-z0-9-]{28,}`],
  ['langsmith-key', 'lsv2_ ls__', 'ls(?:v2_(?:pt|sk)_|__)[0-9a-f]{32}(?:_[0-9a-f]{10})?'],
  ['bedrock-key', 'ABSK', `ABSK[A-Za-z0-9+/]{109,}={0,2}`],
  // Clouds.
  ['aws-access-key', 'AKIA ASIA ABIA ACCA', `A(?:KI|SI|BI|CC)A[A-Z0-9]{16}${END}`],
  ['google-api-key', 'AIza', 'AIza[\\w-]{35}'],
  ['google-client-secret', 'GOCSPX-', 'GOCSPX-[\\w-]{28}'],
  ['google-access-token', 'ya29.', 'ya29\\.[\\w-]{20,}'],
  ['google-refresh-token', '1//0', '1//0[\\w-]{30,}'],
  ['alibaba-access-key', 'LTAI', `LTAI(?=[A-Za-z]{0,20}[0-9])[A-Za-z0-9]{12,30}${END}`],
  ['tencent-secret-id', 'AKID', `AKID(?=[A-Za-z]{0,32}[0-9])[A-Za-z0-9]{32}${END}`],
  ['yandex-key', 'AQVN', `AQVN[\\w-]{35,38}`],
  ['digitalocean-token', 'doo_v1_ dop_v1_ dor_v1_', 'do[opr]_v1_[0-9a-f]{64}'],
  ['heroku-key', 'HRKU-', 'HRKU-[\\w-]{58,}'],
  ['flyio-token', 'fo1_ fm1a_ fm1r_ fm2_', '(?:fo1_[\\w-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,}={0,3})'],
  ['scalingo-token', 'tk-us-', 'tk-us-[\\w-]{48}'],
  ['cloudflare-ca-key', 'v1.0-', 'v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}'],
  ['supabase-token', 'sbp_ sb_secret_', 'sb(?:p_[0-9a-f]{40}|_secret_[\\w-]{20,})'],
  ['vercel-token', 'vcp_ vck_ vci_', 'vc[pki]_[A-Za-z0-9]{24,}'],
  ['netlify-token', 'nfp_', 'nfp_[A-Za-z0-9]{36,}'],
  ['databricks-token', 'dapi', `dapi[0-9a-f]{32}(?:-[0-9])?${END}`],
  ['planetscale-token', 'pscale_', 'pscale_(?:tkn|oauth|pw)_[\\w=.-]{32,}'],
  ['openshift-token', 'sha256~', 'sha256~[\\w-]{43}'],
  ['pulumi-token', 'pul-', 'pul-[0-9a-f]{40}'],
  ['vault-token', 'hvs. hvb. hvr.', 'hv[sbr]\\.[\\w-]{24,}'],
  ['doppler-token', 'dp.pt. dp.st. dp.ct. dp.sa.', 'dp\\.(?:pt|st|ct|sa)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}'],
  ['infracost-key', 'ico-', `ico-(?=[A-Za-z]{0,32}[0-9])[A-Za-z0-9]{32}${END}`],
  // Source code and packages.
  ['github-token', 'ghp_ gho_ ghr_ ghs_ ghu_', 'gh[oprsu]_[A-Za-z0-9]{36,}'],
  ['github-fine-grained-token', 'github_pat_', 'github_pat_[A-Za-z0-9_]{22,}'],
  ['gitlab-token', 'glpat-', 'glpat-[\\w-]{20,300}(?:\\.[0-9a-z]{2}[0-9a-z]{7})?'],
  ['gitlab-trigger-token', 'glptt-', 'glptt-[0-9a-f]{40}'],
  ['gitlab-runner-token', 'glrt- GR1348941', '(?:glrt-(?:t[0-9]_)?[\\w-]{20,}|GR1348941[\\w-]{20})'],
  ['gitlab-deploy-token', 'gldt-', 'gldt-[\\w-]{20,}'],
  ['gitlab-job-token', 'glcbt-', 'glcbt-[0-9a-zA-Z]{1,5}_[\\w-]{20,}'],
  ['gitlab-feed-token', 'glft-', 'glft-[\\w-]{20,}'],
  ['gitlab-mail-token', 'glimt-', 'glimt-[\\w-]{25,}'],
  ['gitlab-agent-token', 'glagent-', 'glagent-[\\w-]{50,}'],
  ['gitlab-oauth-secret', 'gloas-', 'gloas-[\\w-]{64,}'],
  ['gitlab-feature-flag-token', 'glffct-', 'glffct-[\\w-]{20,}'],
  ['gitlab-scim-token', 'glsoat-', 'glsoat-[\\w-]{20,}'],
  ['bitbucket-token', 'ATBB', `ATBB[A-Za-z0-9]{32}${END}`],
  ['atlassian-token', 'ATATT3 ATCTT3', 'AT[AC]TT3[\\w=-]{60,}'],
  ['npm-token', 'npm_', 'npm_[A-Za-z0-9]{36}'],
  ['pypi-token', 'pypi-AgE', 'pypi-AgE[\\w-]{50,}'],
  ['rubygems-key', 'rubygems_', 'rubygems_[0-9a-f]{48}'],
  ['nuget-key', 'oy2', `oy2[a-z0-9]{43}${END}`],
  ['crates-token', 'cio', `cio(?=[A-Za-z]{0,32}[0-9])[A-Za-z0-9]{32}${END}`],
  ['clojars-token', 'CLOJARS_', 'CLOJARS_[0-9a-z]{60}'],
  ['docker-token', 'dckr_pat_ dckr_oat_', 'dckr_[po]at_[\\w-]{24,}'],
  ['artifactory-key', 'AKCp', 'AKCp[A-Za-z0-9]{69}'],
  ['artifactory-reference', 'cmVmd', `cmVmd[A-Za-z0-9]{59}${END}`],
  ['sourcegraph-token', 'sgp_', 'sgp_(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}'],
  ['sonar-token', 'squ_ sqp_ sqa_', 'sq[upa]_[0-9a-z]{40}'],
  ['buildkite-token', 'bkua_', 'bkua_[0-9a-f]{40}'],
  ['circleci-token', 'CCIPAT_', 'CCIPAT_[A-Za-z0-9]{22}_[0-9a-f]{40}'],
  ['octopus-key', 'API-', `API-(?=[A-Z]{0,26}[0-9])[A-Z0-9]{26}${END}`],
  ['harness-key', 'pat. sat.', '[ps]at\\.[\\w-]{22}\\.[0-9a-zA-Z]{24}\\.[0-9a-zA-Z]{20}'],
  ['prefect-key', 'pnu_', 'pnu_[A-Za-z0-9]{36}'],
  ['postman-key', 'PMAK-', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'],
  ['readme-key', 'rdme_', 'rdme_[a-z0-9]{70}'],
  ['launchdarkly-key', 'sdk- api- mob-', `(?:sdk|api|mob)-${UUID}`],
  // Messages, mail, documents, money.
  ['slack-token', 'xox', 'xox[abeoprs]-(?=[A-Za-z-]{0,20}[0-9])[A-Za-z0-9-]{10,}'],
  ['slack-config-token', 'xoxe.', 'xoxe\\.xox[bp]-[0-9]-[A-Za-z0-9]{100,}'],
  ['slack-app-token', 'xapp-', 'xapp-[0-9]-[A-Za-z0-9-]{10,}'],
  ['slack-webhook', 'hooks.slack.com/', 'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,}'],
  ['discord-webhook', 'discord', 'discord(?:app)?\\.com/api/webhooks/[0-9]{15,21}/[\\w-]{50,}'],
  [
    'teams-webhook',
    'webhook.office.com/',
    'webhook\\.office\\.com/webhookb2/[\\w@-]{70,}/IncomingWebhook/[\\w/-]{60,}',
  ],
  ['sendgrid-key', 'SG.', 'SG\\.(?:[\\w-]{16,32}\\.[\\w-]{16,64}|[\\w.=-]{66}(?![\\w-]))'],
  [
    'authress-key',
    'sc_ ext_ scauth_ authress_',
    '(?:sc|ext|scauth|authress)_[a-zA-Z0-9]{5,30}\\.[a-zA-Z0-9]{4,6}\\.acc[_-][a-zA-Z0-9-]{10,32}\\.[a-zA-Z0-9+/_=-]{30,120}',
  ],
  ['sendinblue-key', 'xkeysib-', 'xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}'],
  ['mailgun-key', 'key-', `key-[0-9a-f]{32}${END}`],
  ['twilio-key', 'SK AC', `(?:SK|AC)[0-9a-f]{32}${END}`],
  ['airtable-token', 'pat', `pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}`],
  ['notion-token', 'ntn_ secret_', '(?:ntn_[0-9]{11}[A-Za-z0-9]{35}|secret_(?=[A-Za-z]{0,43}[0-9])[A-Za-z0-9]{43})'],
  ['linear-key', 'lin_api_ lin_oauth_', 'lin_(?:api|oauth)_[A-Za-z0-9]{40,}'],
  ['figma-token', 'figd_', 'figd_[\\w-]{40,}'],
  ['contentful-token', 'CFPAT-', 'CFPAT-[\\w-]{43}'],
  ['frameio-token', 'fio-u-', 'fio-u-[\\w=-]{64}'],
  ['typeform-token', 'tfp_', 'tfp_[\\w.=-]{40,}'],
  ['dropbox-token', 'sl.', 'sl\\.[\\w=-]{130,}'],
  ['adobe-secret', 'p8e-', 'p8e-[A-Za-z0-9]{32}'],
  ['stripe-key', 'sk_ rk_', '[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}'],
  ['stripe-webhook-secret', 'whsec_', 'whsec_[A-Za-z0-9+/]{24,}={0,2}'],
  ['square-token', 'sq0atp- sq0csp-', 'sq0(?:atp|csp)-[\\w-]{22,}'],
  ['shopify-token', 'shpat_ shpca_ shppa_ shpss_', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'],
  ['shippo-token', 'shippo_', 'shippo_(?:live|test)_[0-9a-fA-F]{40}'],
  ['easypost-key', 'EZAK EZTK', 'EZ[AT]K[A-Za-z0-9]{54}'],
  ['flutterwave-key', 'FLWSECK FLWPUBK', 'FLW(?:SEC|PUB)K(?:_TEST)?-[0-9a-h]{12,}(?:-X)?'],
  ['lob-key', 'live_ test_', '(?:live|test)_(?:pub_[0-9a-f]{31}|[0-9a-f]{35})(?![0-9a-z])'],
  ['duffel-token', 'duffel_', 'duffel_(?:test|live)_[\\w=-]{43}'],
  ['plaid-token', 'access-', `access-(?:sandbox|development|production)-${UUID}`],
  // Watching, maps, the rest.
  ['grafana-token', 'glc_ glsa_', 'gl(?:c_[A-Za-z0-9+/]{32,400}={0,3}|sa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8})'],
  ['grafana-key', 'eyJrIjoi', 'eyJrIjoi[A-Za-z0-9+/]{60,400}={0,3}'],
  ['dynatrace-token', 'dt0c01.', 'dt0c01\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}'],
  ['new-relic-key', 'NRAK- NRJS- NRII-', 'NR(?:AK-[A-Z0-9]{27}|JS-[0-9a-f]{19}|II-[\\w-]{32})'],
  ['sentry-token', 'sntrys_ sntryu_', 'sntry(?:s_eyJ[A-Za-z0-9+/=_]{40,}|u_[0-9a-f]{64})'],
  ['posthog-key', 'phc_ phx_', 'ph[cx]_[A-Za-z0-9]{40,}'],
  ['mapbox-token', 'pk.eyJ sk.eyJ', '[ps]k\\.eyJ[\\w-]{40,}\\.[\\w-]{20,}'],
  ['facebook-token', 'EAAM EAAC', 'EAA[MC][A-Za-z0-9]{100,}'],
  ['settlemint-token', 'sm_aat_ sm_pat_ sm_sat_', `sm_[aps]at_[A-Za-z0-9]{16}${END}`],
  ['intra42-secret', 's-s4t2', 's-s4t2(?:ud|af)-[0-9a-f]{64}'],
  ['1password-key', 'A3-', `A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}`],
  ['1password-token', 'ops_eyJ', 'ops_eyJ[A-Za-z0-9+/]{100,}={0,3}'],
  ['age-key', 'AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'],
  ['jwt', 'eyJ', 'eyJ[A-Za-z0-9_-]{8,}\\.(?:[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}|eyJ[A-Za-z0-9_-]{8,}\\.?)'],
  [
    'discord-token',
    'MT MD Mj Mz ND NT Nj Nz OD OT',
    '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}',
  ],
  ['baidu-key', 'bce-v3/ALTAK-', 'bce-v3/ALTAK-[A-Za-z0-9]{16,32}/[0-9a-f]{40}'],
  ['feishu-webhook', 'open.feishu.cn/open-apis/bot/', `open\\.feishu\\.cn/open-apis/bot/(?:v2/)?hook/${UUID}`],
  [
    'wecom-webhook',
    'qyapi.weixin.qq.com/cgi-bin/webhook/',
    `qyapi\\.weixin\\.qq\\.com/cgi-bin/webhook/send\\?key=${UUID}`,
  ],
];

/** No key is shorter, and so many of its characters are `isTokenChar`. */
export const MIN_KEY_CHARS = 12;
/** What is longer is found, but not to its end. */
export const MAX_KEY_CHARS = 8192;

/** Few forms are ever needed, and making all of them takes longer than many a command. */
class LazyFormat implements KeyFormat {
  readonly kind: string;
  readonly starts: readonly string[];
  readonly #source: string;
  #form: RegExp | null = null;

  constructor(kind: string, starts: string, source: string) {
    this.kind = kind;
    this.starts = starts.split(' ');
    this.#source = source;
  }

  get form(): RegExp {
    // Without an end, a hostile text of megabytes would exhaust the stack.
    this.#form ??= new RegExp(this.#source.replace(/\{(\d+),\}/g, `{$1,${MAX_KEY_CHARS}}`), 'y');
    return this.#form;
  }
}

export const KEY_FORMATS: readonly KeyFormat[] = FORMAT_TABLE.map((line) => new LazyFormat(...line));

/** How a key may start, and the format that starts so. */
export interface KeyStart {
  readonly start: string;
  readonly format: KeyFormat;
}

/** Where a key may start, by its first two characters. */
const BY_PAIR: (readonly KeyStart[] | undefined)[] = new Array(1 << 14);
for (const format of KEY_FORMATS)
  for (const start of format.starts) {
    const pair = pairAt(start, 0);
    BY_PAIR[pair] = [...(BY_PAIR[pair] ?? []), { start, format }];
  }

/** Two characters as a number below 2^14. Characters beyond ASCII share theirs with others. */
export function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127);
}

/** The keys that may start with these two characters. */
export function startsAt(pair: number): readonly KeyStart[] | undefined {
  return BY_PAIR[pair];
}

/** Where the key that starts here ends; -1 if there is none. */
export function keyEnd({ start, format }: KeyStart, text: string, at: number): number {
  if (!text.startsWith(start, at)) return -1;
  const { form } = format;
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : -1;
}

/** Whether a word may start here: before it is no letter and no digit. */
export function startsWord(text: string, at: number): boolean {
  return at === 0 || !isWordChar(text.charCodeAt(at - 1));
}

const isWordChar = (c: number): boolean => (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122);

/** Whether it may be part of a key: a letter, a digit, or one of - . / _ + = ~ */
export function isTokenChar(c: number): boolean {
  return (
    (c >= 97 && c <= 122) ||
    (c >= 65 && c <= 90) ||
    (c >= 45 && c <= 57) ||
    c === 95 ||
    c === 43 ||
    c === 61 ||
    c === 126
  );
}

/** Every key begins with so many characters that may be part of one. */
const MIN_RUN_CHARS = 15;
const TOKEN_CHARS = Uint8Array.from({ length: 256 }, (_, c) => (isTokenChar(c) ? 1 : 0));
/** 1: a key may start with these two characters. */
const MAY_START = new Uint8Array(BY_PAIR.length);
for (const pair of Object.keys(BY_PAIR)) MAY_START[Number(pair)] = 1;

/** Whether a key may start here, in bytes of UTF-8. Says yes wherever one does. */
export function mayBeKey(utf8: Uint8Array, at: number): boolean {
  if (at + MIN_RUN_CHARS > utf8.length || (at > 0 && isWordChar(utf8[at - 1]!))) return false;
  for (let i = at + MIN_RUN_CHARS - 1; i >= at; i--) if (TOKEN_CHARS[utf8[i]!] !== 1) return false;
  for (const { start } of BY_PAIR[(utf8[at]! << 7) | utf8[at + 1]!] ?? [])
    if (isAt(start, utf8, at) && (!WORD_LIKE_STARTS.has(start) || isPlain(utf8, at))) return true;
  return false;
}

/** Code has words that start so, `path.join` and `ACCEPT_ALL`: in these keys only letters and digits follow. */
const WORD_LIKE_STARTS: ReadonlySet<string> = new Set(['pat', 'AC', 'SK']);

function isPlain(utf8: Uint8Array, at: number): boolean {
  for (let i = at; i < at + MIN_RUN_CHARS; i++) if (!isWordChar(utf8[i]!)) return false;
  return true;
}

function isAt(start: string, utf8: Uint8Array, at: number): boolean {
  for (let i = 0; i < start.length; i++) if (utf8[at + i] !== start.charCodeAt(i)) return false;
  return true;
}

type OnKey = (kind: string, start: number, end: number) => boolean;

/** Calls `found` with each key of a known format, in order, until it returns true. Looks only into words that are long enough. */
export function eachKey(text: string, found: OnKey): boolean {
  const isPart = (at: number) => TOKEN_CHARS[text.charCodeAt(at)] === 1;
  let done = 0;
  for (let at = MIN_RUN_CHARS - 1; at < text.length; ) {
    if (!isPart(at)) {
      at += MIN_RUN_CHARS;
      continue;
    }
    let start = at;
    while (start > done && isPart(start - 1)) start--;
    let end = at + 1;
    while (end < text.length && isPart(end)) end++;
    done = end - start < MIN_RUN_CHARS ? end : keysIn(text, start, end, found);
    if (done < 0) return true;
    at = done + MIN_RUN_CHARS;
  }
  return false;
}

/** Those that start in a part of the text. Returns where to go on, or -1 to stop. */
function keysIn(text: string, from: number, to: number, found: OnKey): number {
  let next = from;
  for (let i = from; i + MIN_RUN_CHARS <= to; i++) {
    const pair = pairAt(text, i);
    if (i < next || MAY_START[pair] === 0 || !startsWord(text, i)) continue;
    for (const start of BY_PAIR[pair]!) {
      const end = keyEnd(start, text, i);
      if (end < 0) continue;
      if (found(start.format.kind, i, end)) return -1;
      next = end;
      break;
    }
  }
  return Math.max(next, to);
}
