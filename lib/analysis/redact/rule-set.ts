/**
 * The formats of a rule set that others keep up to date, as data: which services it knows, and what their keys are made of. A key
 * of a service that has no form of its own is known by the name before it. Forms that need no name are in `KEY_FORMATS`.
 * `npm run rules -- gitleaks.toml` shows what a newer version of the set adds.
 */
export const RULE_SET = { name: 'gitleaks', version: '8.30.1' } as const;

const UUID = '[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}';

/** How the service is written, and for each rule its name and the form of a value; UUID is one. */
const SERVICES: readonly [names: string, rules: readonly [id: string, form: string][]][] = [
  ['adafruit', [['adafruit-api-key', '[a-z0-9_-]{32}']]],
  ['adobe', [['adobe-client-id', '[a-f0-9]{32}']]],
  ['airtable', [['airtable-api-key', '[a-z0-9]{17}']]],
  ['algolia', [['algolia-api-key', '[a-z0-9]{32}']]],
  ['alibaba', [['alibaba-secret-key', '[a-z0-9]{30}']]],
  [
    'asana',
    [
      ['asana-client-id', '[0-9]{16}'],
      ['asana-client-secret', '[a-z0-9]{32}'],
    ],
  ],
  ['beamer', [['beamer-api-token', 'b_[a-z0-9=_-]{44}']]],
  [
    'bitbucket',
    [
      ['bitbucket-client-id', '[a-z0-9]{32}'],
      ['bitbucket-client-secret', '[a-z0-9=_-]{64}'],
    ],
  ],
  [
    'bittrex',
    [
      ['bittrex-access-key', '[a-z0-9]{32}'],
      ['bittrex-secret-key', '[a-z0-9]{32}'],
    ],
  ],
  [
    'cloudflare',
    [
      ['cloudflare-api-key', '[a-z0-9_-]{40}'],
      ['cloudflare-global-api-key', '[a-f0-9]{37}'],
    ],
  ],
  ['codecov', [['codecov-access-token', '[a-z0-9]{32}']]],
  ['cohere co_api_key', [['cohere-api-token', '[a-zA-Z0-9]{40}']]],
  ['coinbase', [['coinbase-access-token', '[a-z0-9_-]{64}']]],
  [
    'confluent',
    [
      ['confluent-access-token', '[a-z0-9]{16}'],
      ['confluent-secret-key', '[a-z0-9]{64}'],
    ],
  ],
  ['contentful', [['contentful-delivery-api-token', '[a-z0-9=_-]{43}']]],
  ['contribsys__com', [['sidekiq-secret', '[a-f0-9]{8}:[a-f0-9]{8}']]],
  ['datadog', [['datadog-access-token', '[a-z0-9]{40}']]],
  [
    'discord',
    [
      ['discord-api-token', '[a-f0-9]{64}'],
      ['discord-client-id', '[0-9]{18}'],
      ['discord-client-secret', '[a-z0-9=_-]{32}'],
    ],
  ],
  ['dnkey', [['defined-networking-api-token', 'dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}']]],
  ['droneci', [['droneci-access-token', '[a-z0-9]{32}']]],
  [
    'dropbox',
    [
      ['dropbox-api-token', '[a-z0-9]{15}'],
      ['dropbox-long-lived-api-token', '[a-z0-9]{11}AAAAAAAAAA[a-z0-9=_-]{43}'],
      ['dropbox-short-lived-api-token', 'sl\\.[a-z0-9=_-]{135}'],
    ],
  ],
  ['etsy', [['etsy-access-token', '[a-z0-9]{24}']]],
  ['facebook', [['facebook-secret', '[a-f0-9]{32}']]],
  ['fastly', [['fastly-api-token', '[a-z0-9=_-]{32}']]],
  [
    'finicity',
    [
      ['finicity-api-token', '[a-f0-9]{32}'],
      ['finicity-client-secret', '[a-z0-9]{20}'],
    ],
  ],
  ['finnhub', [['finnhub-access-token', '[a-z0-9]{20}']]],
  ['flickr', [['flickr-access-token', '[a-z0-9]{32}']]],
  ['freshbooks', [['freshbooks-access-token', '[a-z0-9]{64}']]],
  ['gitter', [['gitter-access-token', '[a-z0-9_-]{40}']]],
  ['gocardless', [['gocardless-api-token', 'live_[a-z0-9=_-]{40}']]],
  ['heroku', [['heroku-api-key', 'UUID']]],
  ['hubspot', [['hubspot-api-key', 'UUID']]],
  ['intercom', [['intercom-api-key', '[a-z0-9=_-]{60}']]],
  [
    'jfrog artifactory bintray xray',
    [
      ['jfrog-api-key', '[a-z0-9]{73}'],
      ['jfrog-identity-token', '[a-z0-9]{64}'],
    ],
  ],
  ['kraken', [['kraken-access-token', '[a-z0-9+/=_-]{80,90}']]],
  [
    'kucoin',
    [
      ['kucoin-access-token', '[a-f0-9]{24}'],
      ['kucoin-secret-key', 'UUID'],
    ],
  ],
  ['launchdarkly', [['launchdarkly-access-token', '[a-z0-9=_-]{40}']]],
  ['linear', [['linear-client-secret', '[a-f0-9]{32}']]],
  [
    'linkedin linked_in linked-in',
    [
      ['linkedin-client-id', '[a-z0-9]{14}'],
      ['linkedin-client-secret', '[a-z0-9]{16}'],
    ],
  ],
  [
    'looker',
    [
      ['looker-client-id', '[a-z0-9]{20}'],
      ['looker-client-secret', '[a-z0-9]{24}'],
    ],
  ],
  ['mailchimp', [['mailchimp-api-key', '[a-f0-9]{32}-us[0-9][0-9]']]],
  [
    'mailgun',
    [
      ['mailgun-private-api-token', 'key-[a-f0-9]{32}'],
      ['mailgun-pub-key', 'pubkey-[a-f0-9]{32}'],
      ['mailgun-signing-key', '[a-f0-9gh]{32}-[a-f0-9gh]{8}-[a-f0-9gh]{8}'],
    ],
  ],
  ['mapbox', [['mapbox-api-token', 'pk\\.[a-z0-9]{60}\\.[a-z0-9]{22}']]],
  ['mattermost', [['mattermost-access-token', '[a-z0-9]{26}']]],
  ['meraki', [['cisco-meraki-api-key', '[a-f0-9]{40}']]],
  [
    'messagebird message_bird message-bird',
    [
      ['messagebird-api-token', '[a-z0-9]{25}'],
      ['messagebird-client-id', 'UUID'],
    ],
  ],
  ['netlify', [['netlify-access-token', '[a-z0-9=_-]{40,46}']]],
  [
    'new-relic newrelic new_relic',
    [
      ['new-relic-browser-api-token', 'NRJS-[a-f0-9]{19}'],
      ['new-relic-insert-key', 'NRII-[a-z0-9-]{32}'],
      ['new-relic-user-api-id', '[a-z0-9]{64}'],
      ['new-relic-user-api-key', 'NRAK-[a-z0-9]{27}'],
    ],
  ],
  ['nytimes newyorktimes new-york-times', [['nytimes-access-token', '[a-z0-9=_-]{32}']]],
  ['okta', [['okta-access-token', '00[a-zA-Z0-9=_-]{40}']]],
  [
    'plaid',
    [
      ['plaid-api-token', 'access-(?:sandbox|development|production)-UUID'],
      ['plaid-client-id', '[a-z0-9]{24}'],
      ['plaid-secret-key', '[a-z0-9]{30}'],
    ],
  ],
  ['privateai private_ai private-ai', [['privateai-api-token', '[a-z0-9]{32}']]],
  ['rapidapi', [['rapidapi-access-token', '[a-z0-9_-]{50}']]],
  [
    'sendbird',
    [
      ['sendbird-access-id', 'UUID'],
      ['sendbird-access-token', '[a-f0-9]{40}'],
    ],
  ],
  ['sentry', [['sentry-access-token', '[a-f0-9]{64}']]],
  ['snyk', [['snyk-api-token', 'UUID']]],
  [
    'sonar_login sonar.login sonar-login sonar_token sonar.token',
    [['sonar-api-token', '(?:sq[upa]_)?[a-zA-Z0-9=_-]{40}']],
  ],
  ['squarespace', [['squarespace-access-token', 'UUID']]],
  [
    'sumo',
    [
      ['sumologic-access-id', 'su[a-zA-Z0-9]{12}'],
      ['sumologic-access-token', '[a-z0-9]{64}'],
    ],
  ],
  ['telegr', [['telegram-bot-api-token', '[0-9]{5,16}:A[a-z0-9_-]{34}']]],
  ['travis', [['travisci-access-token', '[a-z0-9]{22}']]],
  ['twitch', [['twitch-api-token', '[a-z0-9]{30}']]],
  [
    'twitter',
    [
      ['twitter-access-secret', '[a-z0-9]{45}'],
      ['twitter-access-token', '[0-9]{15,25}-[a-zA-Z0-9]{20,40}'],
      ['twitter-api-key', '[a-z0-9]{25}'],
      ['twitter-api-secret', '[a-z0-9]{50}'],
      ['twitter-bearer-token', 'A{22}[a-zA-Z0-9%]{80,100}'],
    ],
  ],
  ['typeform', [['typeform-api-token', 'tfp_[a-z0-9.=_-]{59}']]],
  [
    'yandex',
    [
      ['yandex-access-token', 't1\\.[a-zA-Z0-9_-]{1,}={0,2}\\.[a-zA-Z0-9_-]{86}={0,2}'],
      ['yandex-api-key', 'AQVN[a-zA-Z0-9_-]{35,38}'],
      ['yandex-aws-access-token', 'YC[a-zA-Z0-9_-]{38}'],
    ],
  ],
  ['zendesk', [['zendesk-secret-key', '[a-z0-9]{40}']]],
];

/** Rules whose keys need no name: `KEY_FORMATS` and the names of secrets find them. */
const OTHER_RULES = [
  '1password-secret-key 1password-service-account-token adobe-client-secret age-secret-key ',
  'airtable-personnal-access-token alibaba-access-key-id anthropic-admin-api-key anthropic-api-key ',
  'artifactory-api-key artifactory-reference-token atlassian-api-token ',
  'authress-service-client-access-key aws-access-token aws-amazon-bedrock-api-key-long-lived ',
  'aws-amazon-bedrock-api-key-short-lived azure-ad-client-secret clickhouse-cloud-api-secret-key ',
  'clojars-api-token cloudflare-origin-ca-key curl-auth-header curl-auth-user databricks-api-token ',
  'digitalocean-access-token digitalocean-pat digitalocean-refresh-token doppler-api-token ',
  'duffel-api-token dynatrace-api-token easypost-api-token easypost-test-api-token ',
  'facebook-access-token facebook-page-access-token flutterwave-encryption-key flutterwave-public-key ',
  'flutterwave-secret-key flyio-access-token frameio-api-token freemius-secret-key gcp-api-key ',
  'generic-api-key github-app-token github-fine-grained-pat github-oauth github-pat ',
  'github-refresh-token gitlab-cicd-job-token gitlab-deploy-token gitlab-feature-flag-client-token ',
  'gitlab-feed-token gitlab-incoming-mail-token gitlab-kubernetes-agent-token gitlab-oauth-app-secret ',
  'gitlab-pat gitlab-pat-routable gitlab-ptt gitlab-rrt gitlab-runner-authentication-token ',
  'gitlab-runner-authentication-token-routable gitlab-scim-token gitlab-session-cookie grafana-api-key ',
  'grafana-cloud-api-token grafana-service-account-token harness-api-key hashicorp-tf-api-token ',
  'hashicorp-tf-password heroku-api-key-v2 huggingface-access-token huggingface-organization-api-token ',
  'infracost-api-token intra42-client-secret jwt jwt-base64 kubernetes-secret-yaml linear-api-key lob-api-key lob-pub-api-key ',
  'maxmind-license-key microsoft-teams-webhook notion-api-token npm-access-token nuget-config-password ',
  'octopus-deploy-api-key openai-api-key openshift-user-token perplexity-api-key planetscale-api-token ',
  'planetscale-oauth-token planetscale-password postman-api-token prefect-api-token private-key ',
  'pulumi-api-token pypi-upload-token readme-api-token rubygems-api-token scalingo-api-token ',
  'sendgrid-api-token sendinblue-api-token sentry-org-token sentry-user-token ',
  'settlemint-application-access-token settlemint-personal-access-token settlemint-service-access-token ',
  'shippo-api-token shopify-access-token shopify-custom-access-token shopify-private-app-access-token ',
  'shopify-shared-secret sidekiq-sensitive-url slack-app-token slack-bot-token ',
  'slack-config-access-token slack-config-refresh-token slack-legacy-bot-token slack-legacy-token ',
  'slack-legacy-workspace-token slack-user-token slack-webhook-url sourcegraph-access-token ',
  'square-access-token stripe-access-token twilio-api-key vault-batch-token vault-service-token ',
].join('');

export interface ServiceRule {
  readonly names: readonly string[];
  readonly forms: readonly string[];
}

export const SERVICE_RULES: readonly ServiceRule[] = SERVICES.map(([names, rules]) => ({
  names: names.split(' '),
  forms: rules.map(([, form]) => form.replace('UUID', UUID)),
}));

/** Every rule of the set that is known here. */
export const KNOWN_RULES: ReadonlySet<string> = new Set([
  ...SERVICES.flatMap(([, rules]) => rules.map(([id]) => id)),
  ...OTHER_RULES.trim().split(' '),
]);
