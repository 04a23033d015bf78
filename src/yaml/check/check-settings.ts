import { pathProblem } from '../../api/base-url.ts'
import { storeExample, storeFault } from '../../model/connection.ts'
import { objectAddress } from '../../model/kind.ts'
import { hasErrors, type Problem } from '../../model/problem.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { listNames, listSome, Suggestions } from '../../model/text/names.ts'
import { getAt, pointerOf } from '../../model/text/pointer.ts'
import {
  type GivenPolicy,
  layPolicy,
  missingOptions,
  parsePolicy,
  type SettingName,
  settingNames,
  settingRow,
} from '../../policies/written-policies.ts'
import { settingsSchema } from '../../schema/settings-schema.ts'
import { validateAgainst } from '../../schema/validate-against.ts'
import {
  type DeclarationFile,
  type FileDeclarations,
  type ObjectDeclaration,
  quoteWritten,
} from '../declaration.ts'
import type { ParsedYaml } from '../read/parse-yaml.ts'
import { redact } from '../resolve/interpolate.ts'
import type { Environment, Settings } from '../settings.ts'
import { once, quote } from './problem-order.ts'
import { type ExplainUnknownKey, violationProblem } from './schema-problem.ts'

/**
 * All problems of a settings file. `value` is the content of `parsed` with environment variables filled in.
 * `unfilled` lists the places whose variable is not set, which are reported elsewhere.
 */
export function checkSettings(parsed: ParsedYaml, value: Json, unfilled: ReadonlySet<string>): Problem[] {
  const schema = settingsSchema()
  const violations = validateAgainst('settings', value)
    .filter(({ pointer }) => !unfilled.has(pointer))
    .map(violation => violationProblem(violation, parsed, schema, explainUnknownKey))
  if (!isJsonObject(value)) return violations
  const isUsable = violations.length === 0
  return [
    ...violations,
    ...checkEnvironments(parsed, value, unfilled),
    ...checkStore(parsed, value, unfilled),
    ...checkNotify(parsed, value),
    ...(isUsable ? checkGivenPolicies(parsed, value) : []),
  ]
}

const explainUnknownKey: ExplainUnknownKey = (pointer, key) => {
  if (/^(\/environments\/[^/]+)?\/policies$/.test(pointer)) return { noun: 'a policy' }
  if (/^(\/environments\/[^/]+)?\/policies\/[^/]+$/.test(pointer)) return { noun: 'an option of this policy' }
  if (pointer.endsWith('/live_edits')) return { noun: 'a field' }
  if (pointer === '/notify' && /^(url|webhook|address)$/.test(key))
    return {
      noun: 'a setting: the address of a webhook is a secret',
      hint: 'put it into an environment variable, and name that variable with "url_env"',
    }
  if (pointer.endsWith('/risk')) return { noun: 'a rule of risk' }
  if (pointer.endsWith('/risk/widened')) return { noun: 'a level of risk' }
  if (/^(api_?key|key|token|secret|password)$/i.test(key))
    return {
      noun: 'a setting: never write keys into files',
      hint: 'set VEXIL_API_KEY, or name another variable with "api_key_env"',
    }
  return { noun: 'a setting' }
}

function checkEnvironments(
  parsed: ParsedYaml,
  { environments }: JsonObject,
  unfilled: ReadonlySet<string>,
): Problem[] {
  if (!isJsonObject(environments)) return []
  return Object.entries(environments).flatMap(([name, environment]) => {
    const pointer = pointerOf('environments', name)
    if (!isJsonObject(environment)) return []
    const { base_url: baseUrl, api_key_env: variable, api_key_command: command } = environment
    const isFilled = !unfilled.has(`${pointer}/base_url`)
    const address = typeof baseUrl === 'string' && isFilled ? addressProblem(baseUrl) : undefined
    return [
      ...(address ? [problemAt(parsed, `${pointer}/base_url`, 'bad-address', ...address)] : []),
      ...checkVariable(parsed, `${pointer}/api_key_env`, variable, 'key'),
      ...(variable !== undefined && command !== undefined
        ? [
            problemAt(
              parsed,
              `${pointer}/api_key_command`,
              'two-keys',
              'this environment has "api_key_env" and "api_key_command"',
              'remove one of them',
            ),
          ]
        : []),
    ]
  })
}

function problemAt(
  parsed: ParsedYaml,
  pointer: string,
  code: string,
  message: string,
  hint: string,
): Problem {
  return { code, severity: 'error', message, hint, source: parsed.locate(pointer) }
}

/** This value may be the secret itself by mistake, so the message does not repeat it. */
function checkVariable(
  parsed: ParsedYaml,
  pointer: string,
  variable: Json | undefined,
  secret: string,
): Problem[] {
  if (typeof variable !== 'string' || variable === '' || isVariableName(variable)) return []
  const message = 'this is not the name of an environment variable'
  return [problemAt(parsed, pointer, 'bad-variable', message, `write the name, not the ${secret}`)]
}

/** The messages do not repeat the address: it may contain a password. */
function checkStore(parsed: ParsedYaml, { store }: JsonObject, unfilled: ReadonlySet<string>): Problem[] {
  if (typeof store !== 'string' || store === '' || unfilled.has('/store')) return []
  const problem = (code: string, message: string, hint: string) => [
    problemAt(parsed, '/store', code, `"store" ${message}`, hint),
  ]
  const fault = storeFault(store)
  if (fault !== undefined) return problem('bad-address', fault, `write an address such as ${storeExample}`)
  const { password, searchParams } = new URL(store)
  if (password === '' && !searchParams.has('password')) return []
  return problem(
    'bad-address',
    'must not contain a password',
    'put the password into PGPASSWORD or a .pgpass file, or the whole address into VEXIL_STORE',
  )
}

function checkNotify(parsed: ParsedYaml, { notify = null }: JsonObject): Problem[] {
  return isJsonObject(notify) ? checkVariable(parsed, '/notify/url_env', notify.url_env, 'address') : []
}

/** The problem of a service's address. The message does not repeat the address: it may contain a password. */
function addressProblem(text: string): [string, string] | undefined {
  if (!URL.canParse(text))
    return ['"base_url" is not an address', 'write an address such as https://flags.example.com']
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return [
      '"base_url" must start with https:// or http://',
      'write an address such as https://flags.example.com',
    ]
  if (url.username !== '' || url.password !== '')
    return ['"base_url" must not contain a user or a password', 'the key goes into VEXIL_API_KEY']
  if (url.search !== '' || url.hash !== '')
    return ['"base_url" must not contain "?" or "#"', 'write an address such as https://flags.example.com']
  const [message, hint] = pathProblem(url) ?? []
  return message !== undefined && hint !== undefined ? [`"base_url" ${message}`, hint] : undefined
}

function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !/^ph[a-z]_/.test(text)
}

/** Problems of the policies in settings that the schema does not report. */
function checkGivenPolicies(parsed: ParsedYaml, value: JsonObject): Problem[] {
  const environments = isJsonObject(value.environments) ? value.environments : {}
  const layers = [
    { pointer: pointerOf('policies'), given: value.policies },
    ...Object.entries(environments).map(([name, own]) => ({
      pointer: pointerOf('environments', name, 'policies'),
      given: isJsonObject(own) ? own.policies : undefined,
    })),
  ]
  const [shared, ...own] = layers
  if (!shared) return []
  const names = Object.keys(environments)
  return settingNames.flatMap(name => [
    ...layers.flatMap(layer => badOptions(parsed, layer, name, names)),
    ...missing(parsed, name, shared, own),
  ])
}

interface LayerOfPolicies {
  readonly pointer: string
  readonly given: Json | undefined
}

function entryOf({ given }: LayerOfPolicies, name: SettingName): GivenPolicy | undefined {
  const value = isJsonObject(given ?? null) ? (given as JsonObject)[name] : undefined
  return value === undefined || value === null ? undefined : parsePolicy(name, value)
}

/** The pointer of an option: a member of a map, or the value itself if it is not a map. */
function optionPointer(
  { pointer }: LayerOfPolicies,
  name: string,
  option: string,
  parsed: ParsedYaml,
): string {
  const entry = pointer + pointerOf(name)
  return isJsonObject(getAt(parsed.value ?? null, entry) ?? null) ? entry + pointerOf(option) : entry
}

function badOptions(
  parsed: ParsedYaml,
  layer: LayerOfPolicies,
  name: SettingName,
  environments: readonly string[],
): Problem[] {
  const entry = entryOf(layer, name)
  if (!entry) return []
  const { options, needsEnvironments } = settingRow(name)
  return Object.entries(entry.options).flatMap(([option, value]) => {
    const source = parsed.locate(optionPointer(layer, name, option, parsed))
    const why = options[option]?.problem?.(value)
    if (why !== undefined)
      return [
        {
          code: 'wrong-value',
          severity: 'error',
          message: `${quote(option)} of ${quote(name)}: ${why}`,
          source,
        },
      ]
    if (!needsEnvironments || option !== 'environment' || environments.includes(String(value))) return []
    return [{ ...unknownEnvironment(String(value), environments), source }]
  })
}

/** Required options of a policy that neither an environment nor the shared settings set. */
function missing(
  parsed: ParsedYaml,
  name: SettingName,
  shared: LayerOfPolicies,
  own: readonly LayerOfPolicies[],
): Problem[] {
  const base = entryOf(shared, name)
  const lacking = (own.length === 0 ? [shared] : own).flatMap(layer => {
    const mine = layer === shared ? undefined : entryOf(layer, name)
    const laid = layPolicy(base, mine)
    const options = laid ? missingOptions(name, laid) : []
    return options.map(option => ({ option, at: (mine ? layer : shared).pointer + pointerOf(name) }))
  })
  return once(lacking).map(({ option, at }) => ({
    code: 'missing-key',
    severity: 'error',
    message: `${quote(option)} of ${quote(name)} is missing`,
    hint: `write ${name}: { ${option}: ... }, or ${name}: off`,
    source: parsed.locate(at, 'key'),
  }))
}

interface Found {
  readonly hasFiles: boolean
  /** Subfolders with settings. */
  readonly repositories: readonly string[]
  /** The problems in the files. */
  readonly found: readonly Problem[]
}

/**
 * Reports that a folder has no settings. Declarations work without settings, so this is reported only in two
 * cases: there are no declarations either (probably the wrong folder), or there are errors that the missing
 * settings may explain.
 */
export function missingSettings(directory: string, { hasFiles, repositories, found }: Found): Problem[] {
  if (hasFiles && !hasErrors(found)) return []
  const [first] = repositories
  const below = listNames(repositories.slice(0, mostNamed).map(folder => JSON.stringify(folder)))
  const hint =
    first === undefined
      ? beginHere
      : `there is a vexil.yaml in ${below}; name that folder with -C, or run \`vexil init\` to begin here`
  return [{ ...noSettings(directory), severity: hasFiles ? 'warning' : 'error', hint }]
}

export function noSettings(directory: string, more = ''): Problem {
  return {
    code: 'no-settings',
    severity: 'error',
    // Not shortened, unlike other values: the end of a path matters most.
    message: `there is no vexil.yaml in ${JSON.stringify(directory)}${more}`,
    hint: beginHere,
  }
}

const beginHere = 'run `vexil init` to begin here, or name another folder with -C'

const mostNamed = 3

/** Environments that declarations use but the settings do not define. */
export function checkEnvironmentNames(files: readonly FileDeclarations[], settings: Settings): Problem[] {
  const names = settings.environments.map(({ name }) => name)
  const known = new Set(names)
  const suggestions = new Suggestions(names)
  const [objects, grants] = [files.flatMap(file => file.objects), files.flatMap(file => file.grants)]
  const check = (
    file: DeclarationFile,
    address: string,
    name: string,
    pointer: string,
    at: 'key' | 'value',
  ) =>
    known.has(name)
      ? []
      : [
          {
            ...unknownEnvironment(name, names, {
              shown: at === 'value' ? quoteWritten(file, pointer) : quote(name),
              suggestions,
            }),
            source: file.parsed.locate(pointer, at),
            address: redact(address, file.secrets),
          },
        ]
  const listed = [
    ...objects
      .filter(isLimited)
      .map(({ file, address, only, base }) => ({ file, address, only, pointer: base.pointer })),
    ...grants.filter(isLimited).map(({ file, kind, only, pointer, flag, role }) => ({
      file,
      address: objectAddress(kind.name, role, flag),
      only,
      pointer,
    })),
  ]
  return [
    ...listed.flatMap(({ file, address, only = new Map<string, number>(), pointer }) =>
      [...only].flatMap(([name, index]) => check(file, address, name, `${pointer}/only/${index}`, 'value')),
    ),
    ...objects
      .filter(({ environments }) => environments.size > 0)
      .flatMap(({ file, address, base, environments }) =>
        [...environments.keys()].flatMap(name =>
          check(file, address, name, base.pointer + pointerOf('environments', name), 'key'),
        ),
      ),
  ]
}

/** A limit from the settings is reported at its place there. */
function isLimited({ only, isOnlyByDefault }: Pick<ObjectDeclaration, 'only' | 'isOnlyByDefault'>): boolean {
  return only !== undefined && isOnlyByDefault !== true
}

interface UnknownName {
  /** The name in the form for messages. */
  readonly shown?: string
  /** Similar names, from all the names that may be intended. */
  readonly suggestions?: Suggestions
}

/** Reports that an environment does not exist, and lists the existing environments. */
export function unknownEnvironment(
  name: string,
  names: readonly string[],
  { shown = quote(name), suggestions = new Suggestions(names) }: UnknownName = {},
): Problem {
  const listed =
    names.length === 0 ? 'vexil.yaml declares no environments' : `there are: ${listSome(names, 'and')}`
  return {
    code: 'unknown-environment',
    severity: 'error',
    message: `${shown} is not an environment`,
    hint: suggestions.hint(name, listed),
  }
}

/** Problems of each environment, each once: with the environments that have it, unless all do. */
export function inEnvironments(
  environments: readonly Environment[],
  find: (environment: Environment) => readonly Problem[],
): Problem[] {
  const found = new Map<string, { readonly problem: Problem; readonly names: Set<string> }>()
  for (const environment of environments)
    for (const problem of find(environment)) {
      // A hint may list names of one environment.
      const key = JSON.stringify({ ...problem, hint: undefined })
      const known = found.get(key) ?? { problem, names: new Set() }
      found.set(key, known)
      known.names.add(environment.name ?? '')
    }
  return [...found.values()].map(({ problem, names }) =>
    names.size === environments.length
      ? problem
      : { ...problem, message: `in ${listSome([...names], 'and')}, ${problem.message}` },
  )
}

const namedThings = {
  role: { code: 'unknown-role', more: 'a UUID works too' },
  cohort: { code: 'unknown-cohort', more: 'its number works too' },
  'group type': { code: 'unknown-group-type', more: 'its number works too, as group_type_index' },
} as const

type NamedThing = keyof typeof namedThings

/** Reports names that an environment does not know. Its known names are computed once. */
export function unknownNamesIn({ roles, cohorts, groupTypes }: Environment) {
  const known = new Map<NamedThing, { readonly suggestions: Suggestions; readonly listed: string }>()
  const listOf = (thing: NamedThing) => {
    const all = { role: roles, cohort: cohorts, 'group type': groupTypes }
    const names = Object.keys(all[thing])
    const listed =
      names.length === 0 ? `vexil.yaml has no names of ${thing}s` : `there are: ${listSome(names, 'and')}`
    return { suggestions: new Suggestions(names), listed: `${listed}; ${namedThings[thing].more}` }
  }
  return (thing: NamedThing, name: string, shown = quote(name)): Problem => {
    const { suggestions, listed } = known.get(thing) ?? listOf(thing)
    known.set(thing, { suggestions, listed })
    return {
      code: namedThings[thing].code,
      severity: 'error',
      message: `${shown} is not a ${thing}`,
      hint: suggestions.hint(name, listed),
    }
  }
}

export type Choice = { readonly environment: Environment } | { readonly problem: Problem }

/**
 * The selected environment: the requested one or, without a request, the only one. If there are several, the
 * fallback, if set.
 */
export function chooseEnvironment(
  { environments, shared }: Settings,
  wanted: string | undefined,
  fallback?: string,
): Choice {
  const names = environments.map(({ name }) => name)
  if (wanted !== undefined) {
    const environment = environments.find(({ name }) => name === wanted)
    return environment ? { environment } : { problem: unknownEnvironment(wanted, names) }
  }
  if (environments.length < 2) return { environment: environments[0] ?? shared }
  const taken = environments.find(({ name }) => name === fallback)
  if (taken) return { environment: taken }
  return {
    problem: {
      code: 'no-environment',
      severity: 'error',
      message: `there are ${names.length} environments, and none is selected`,
      hint: `select one with --env: ${listSome(names)}`,
    },
  }
}
