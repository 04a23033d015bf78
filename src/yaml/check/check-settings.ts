import { pathProblem } from '../../api/settings.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import { settingsSchema } from '../../schema/input/settings-schema.ts'
import { validateSettings } from '../../schema/validate-against.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'
import { checkSaidPolicies } from './check-said-policies.ts'
import { type ExplainUnknownKey, violationProblem } from './schema-problem.ts'

/**
 * Everything that is wrong with a settings file. `value` is what `parsed` holds, filled in from the environment;
 * `unfilled` are the places where that was not possible, which are reported elsewhere.
 */
export function checkSettings(parsed: ParsedYaml, value: Json, unfilled: ReadonlySet<string>): Problem[] {
  const schema = settingsSchema()
  const violations = validateSettings(value)
    .filter(({ pointer }) => !unfilled.has(pointer))
    .map(violation => violationProblem(violation, parsed, schema, explainUnknownKey))
  if (!isJsonObject(value)) return violations
  const isUsable = violations.length === 0
  return [
    ...violations,
    ...checkEnvironments(parsed, value, unfilled),
    ...(isUsable ? checkSaidPolicies(parsed, value) : []),
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
      // What stands here may be a key by mistake, so it is not repeated.
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

/** What is wrong with the address of a service, without repeating it: it may hold a password. */
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
