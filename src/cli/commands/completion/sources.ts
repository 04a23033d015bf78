/**
 * Where the values of a word come from. `files`: the shell knows them; `free`: nobody does.
 */
export type Source =
  | 'addresses'
  | 'allowances'
  | 'assignments'
  | 'environments'
  | 'files'
  | 'flags'
  | 'free'
  | 'holds'
  | 'kinds'
  | 'locks'
  | 'operations'
  | 'owners'
  | 'parts'
  | 'profiles'
  | 'quirks'
  | 'runs'
  | 'schemas'
  | 'sdks'
  | 'scopes'
  | 'shells'

/**
 * By the name that commander gives an option, for all commands that have it. One with choices of its own needs none; one that takes
 * something else in one command is there as it is written.
 */
export const optionSources: Readonly<Record<string, Source>> = {
  '--allow <hold>': 'holds',
  '--to <percentage>': 'free',
  allow: 'allowances',
  allowHost: 'free',
  apiKey: 'free',
  app: 'free',
  base: 'free',
  baseUrl: 'free',
  body: 'files',
  chdir: 'files',
  condition: 'free',
  data: 'files',
  days: 'free',
  deviceId: 'free',
  directory: 'files',
  distinctId: 'free',
  env: 'environments',
  expires: 'free',
  fault: 'free',
  from: 'environments',
  fromState: 'files',
  group: 'free',
  groupProperty: 'free',
  host: 'free',
  in: 'files',
  kind: 'kinds',
  maxCount: 'free',
  metrics: 'files',
  minCoverage: 'free',
  organization: 'free',
  out: 'files',
  report: 'files',
  owner: 'owners',
  package: 'free',
  parallelism: 'free',
  planJson: 'files',
  port: 'free',
  profile: 'profiles',
  project: 'free',
  property: 'free',
  provider: 'free',
  query: 'free',
  quirk: 'quirks',
  reason: 'free',
  redact: 'parts',
  reviewed: 'files',
  scope: 'scopes',
  sdk: 'sdks',
  show: 'addresses',
  stack: 'files',
  target: 'addresses',
  terraformPlan: 'files',
  to: 'environments',
  value: 'free',
  var: 'free',
  world: 'files',
}

/** By the name of an argument, for all commands that have it. */
export const argumentSources: Readonly<Record<string, Source>> = {
  address: 'addresses',
  arguments: 'assignments',
  directory: 'files',
  file: 'files',
  flag: 'flags',
  from: 'environments',
  lock: 'locks',
  more: 'addresses',
  name: 'schemas',
  operation: 'operations',
  plan: 'files',
  run: 'runs',
  shell: 'shells',
  to: 'environments',
}
