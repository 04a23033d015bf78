import { isNumber } from '../../cty/big-float.ts'
import { type ExactJson, isExactObject } from '../../cty/encoding/json-value.ts'

/**
 * What a plan of Terraform looks like, as `terraform show -json` of Terraform 1.x and OpenTofu writes it, as far as it is
 * read. What is not of this shape would be read as if it were not there.
 */

/** The first place that has another shape than a plan, in words; undefined for a plan. */
export function misshapen(json: ExactJson): string | undefined {
  return planShape(json, '')
}

/** Says what is wrong with a value at a place; undefined where nothing is. */
type Shape = (json: ExactJson | undefined, at: string) => string | undefined

const text: Shape = (json, at) => (typeof json === 'string' ? undefined : isNot('a text', json, at))
const anything: Shape = () => undefined

/** What is not there, or null: Go leaves out what is empty. */
const maybe =
  (shape: Shape): Shape =>
  (json, at) =>
    json === undefined || json === null ? undefined : shape(json, at)

const list =
  (of: Shape): Shape =>
  (json, at) =>
    Array.isArray(json)
      ? first(json.map((each, index) => of(each, `${at}[${index}]`)))
      : isNot('a list', json, at)

const map =
  (of: Shape): Shape =>
  (json, at) =>
    json !== undefined && isExactObject(json)
      ? first(Object.entries(json).map(([name, each]) => of(each, `${at}.${name}`)))
      : isNot('an object', json, at)

const members =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (json, at) =>
    json !== undefined && isExactObject(json)
      ? first(
          Object.entries(shapes).map(([name, shape]) =>
            shape(json[name], at === '' ? name : `${at}.${name}`),
          ),
        )
      : isNot('an object', json, at)

const resource = members({ address: text, mode: text, type: text, name: text, values: maybe(map(anything)) })

const resources: Shape = members({
  resources: maybe(list(resource)),
  child_modules: maybe(list((json, at) => resources(json, at))),
})

const change = members({
  address: text,
  mode: text,
  type: text,
  change: members({ actions: list(text), importing: maybe(map(anything)) }),
})

const configured: Shape = members({
  resources: maybe(list(members({ address: text, expressions: maybe(map(anything)) }))),
  module_calls: maybe(map(members({ module: maybe((json, at) => configured(json, at)) }))),
})

const planShape = members({
  planned_values: members({ root_module: resources }),
  resource_changes: maybe(list(change)),
  resource_drift: maybe(list(change)),
  prior_state: maybe(members({ values: maybe(members({ root_module: maybe(resources) })) })),
  configuration: members({
    provider_config: maybe(map(members({ name: maybe(text), alias: maybe(text) }))),
    root_module: configured,
  }),
  variables: maybe(map(map(anything))),
  checks: maybe(list(members({ instances: maybe(list(map(anything))) }))),
})

function isNot(expected: string, json: ExactJson | undefined, at: string): string {
  return json === undefined ? `${at} is missing` : `${at} is ${nounOf(json)} and not ${expected}`
}

/** `a list`, `an object`: what sort of JSON it is. */
export function nounOf(json: ExactJson): string {
  if (json === null) return 'null'
  if (Array.isArray(json)) return 'a list'
  if (isNumber(json)) return 'a number'
  if (typeof json === 'string') return 'a text'
  return typeof json === 'boolean' ? 'true or false' : 'an object'
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find(problem => problem !== undefined)
}
