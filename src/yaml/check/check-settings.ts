import { pathProblem } from '../../api/base-url.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { getAt, pointerOf } from '../../model/json/pointer.ts'
import { hasErrors, type Problem } from '../../model/problem.ts'
import { listNames } from '../../model/text/list-names.ts'
import {
  type GivenPolicy,
  layPolicy,
  missingOptions,
  parsePolicy,
  type SettingName,
  settingNames,
  settingRow,
} from '../../policies/written-policies.ts'
import { settingsSchema } from '../../schema/input/settings-schema.ts'
import { validateAgainst } from '../../schema/validate-against.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'
import { unknownEnvironment } from './check-environments.ts'
import { once, quote } from './problem-order.ts'
import { type ExplainUnknownKey, violationProblem } from './schema-problem.ts'

/**
 * All problems of a settings file. `value` is the content of `parsed`, filled in from the environment;
 * `unfilled` are the places without a value in the environment, which are reported elsewhere.
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
    ...(isUsable ? checkGivenPolicies(parsed, value) : []),
  ]
}

const explainUnknownKey: ExplainUnknownKey = (pointer, key) => {
  if (/^(\/environments\/[^/]+)?\/policies$/.test(pointer)) return { noun: 'a policy' }
  if (/^(\/environments\/[^/]+)?\/policies\/[^/]+$/.test(pointer)) return { noun: 'an option of this policy' }
  if (pointer.endsWith('/live_edits')) return { noun: 'a field' }
  if (pointer.endsWith('/risk')) return { noun: 'a rule of risk' }
  if (pointer.endsWith('/risk/widened')) return { noun: 'a level of risk' }
  if (/^(api_?key|key|token|secret|password)$/i.test(key))
    return {
      noun: 'a setting: keys do not belong into files',
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
    const problem = (place: string, code: string, message: string, hint: string): Problem => ({
      code,
      severity: 'error',
      message,
      hint,
      source: parsed.locate(place),
    })
    if (!isJsonObject(environment)) return []
    const { base_url: baseUrl, api_key_env: variable } = environment
    const isFilled = !unfilled.has(`${pointer}/base_url`)
    const address = typeof baseUrl === 'string' && isFilled ? addressProblem(baseUrl) : undefined
    return [
      ...(address ? [problem(`${pointer}/base_url`, 'bad-address', ...address)] : []),
      // This value may be a key by mistake, so it is not repeated.
      ...(typeof variable === 'string' && variable !== '' && !isVariableName(variable)
        ? [
            problem(
              `${pointer}/api_key_env`,
              'bad-variable',
              'this is not the name of a variable',
              'write the name, not the key',
            ),
          ]
        : []),
    ]
  })
}

/** The problem of a service's address, without repeating the address: it may hold a password. */
function addressProblem(text: string): [string, string] | undefined {
  if (!URL.canParse(text)) return ['"base_url" is not an address', 'write it like https://flags.example.com']
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return ['"base_url" must start with https:// or http://', 'write it like https://flags.example.com']
  if (url.username !== '' || url.password !== '')
    return ['"base_url" must not hold a user or a password', 'the key goes into VEXIL_API_KEY']
  if (url.search !== '' || url.hash !== '')
    return ['"base_url" must end before "?" and "#"', 'write it like https://flags.example.com']
  const [message, hint] = pathProblem(url) ?? []
  return message !== undefined && hint !== undefined ? [`"base_url" ${message}`, hint] : undefined
}

function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !/^ph[a-z]_/.test(text)
}

/** Problems of the policies in settings that fit their schema. */
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

/** The place of an option: by its name in a map, or alone instead of a map. */
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
  const { options, needsEnvironments } = settingRow(name)
  const entry = entryOf(layer, name)
  if (!entry) return []
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

/** Options that a policy needs, and that neither an environment nor the shared settings give. */
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
  /** Folders below that have settings. */
  readonly repositories: readonly string[]
  /** The problems in the files. */
  readonly found: readonly Problem[]
}

/**
 * Reports that a folder has no settings. Declarations work without them, so it is reported only in two cases: without
 * declarations either (probably the wrong folder), and with errors that the missing settings may explain.
 */
export function missingSettings(directory: string, { hasFiles, repositories, found }: Found): Problem[] {
  if (hasFiles && !hasErrors(found)) return []
  const [first] = repositories
  const below = listNames(repositories.slice(0, mostNamed).map(folder => JSON.stringify(folder)))
  const hint =
    first === undefined
      ? beginHere
      : `there is one in ${below}; name the folder with -C, or run \`vexil init\` to begin here`
  return [{ ...noSettings(directory), severity: hasFiles ? 'warning' : 'error', hint }]
}

export function noSettings(directory: string, more = ''): Problem {
  return {
    code: 'no-settings',
    severity: 'error',
    // Not cut off, unlike other values: the end of a path matters most.
    message: `there is no vexil.yaml in ${JSON.stringify(directory)}${more}`,
    hint: beginHere,
  }
}

const beginHere = 'run `vexil init` to begin here, or name the folder that has one with -C'

const mostNamed = 3
