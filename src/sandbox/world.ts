import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml'
import { numberFrom } from '../hcl/json.ts'
import { identityField } from '../model/kind.ts'
import type { Problem, Source } from '../model/problem.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { readJsonIfAny } from '../model/text/json-text.ts'
import { getAt, pointerInto, segmentsOf } from '../model/text/pointer.ts'
import { type SchemaProblem, validateAgainst } from '../schema/validate-against.ts'
import {
  type OwnAdditions,
  type WorldEvent,
  type WorldFile,
  type WorldPerson,
  type WorldProject,
  worldKinds,
} from '../schema/world-schema.ts'
import { isUnique } from './store.ts'

/** A world file that cannot be used. The message has one line per problem. */
export class WorldFileError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(lineOf).join('\n'))
    this.name = 'WorldFileError'
    this.problems = problems
  }
}

/** Reads a world file, YAML or JSON. Throws a WorldFileError with every problem and its place. */
export function parseWorld(content: string, file = 'world.yaml'): WorldFile {
  const { value, locate } = read(content, file)
  refuse(validateAgainst('world', value).map(violation => violationProblem(violation, locate)))
  // The schema is satisfied, and the type is the same as the schema.
  refuse(worldProblems(value as Json, locate))
  return value as WorldFile
}

/** Reads `.vexil/dev.yaml`. Throws a WorldFileError with every problem and its place. */
export function parseAdditions(content: string, file: string, groupTypes: readonly string[]): OwnAdditions {
  const { value = {}, locate } = read(content, file)
  refuse(validateAgainst('dev', value ?? {}).map(violation => violationProblem(violation, locate)))
  // The schema is satisfied, and the type is the same as the schema.
  const { set, ...audience } = (value ?? {}) as OwnAdditions
  const within = { name: 'own', group_types: groupTypes, ...audience }
  const world = { organizations: [{ name: 'own', projects: [within] }] }
  const above = '/organizations/0/projects/0'
  refuse(worldProblems(world as unknown as Json, pointer => locate(pointer.slice(above.length))))
  return { ...(set && { set }), ...audience }
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new WorldFileError(problems)
}

type Locate = (pointer: string) => Source

interface Reading {
  readonly value: unknown
  readonly locate: Locate
}

function read(content: string, file: string): Reading {
  // Large generated worlds are JSON, and the JSON parser is many times faster.
  const value = content.trimStart().startsWith('{') ? readJsonIfAny(content) : undefined
  // YAML flow style may start with a brace too.
  if (value === undefined) return readYaml(content, file)
  // Parsed again for its places, and only if there is a problem to locate.
  return { value, locate: pointer => readYaml(content, file).locate(pointer) }
}

function readYaml(content: string, file: string): Reading {
  const lines = new LineCounter()
  // The library adds the whole line to each of its messages.
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false })
  const errors = document.errors.slice(0, mostSyntaxProblems)
  refuse(errors.map(error => syntaxProblem(error, place(file, lines, error.pos[0]))))
  keepDigits(document)
  const locate: Locate = pointer => place(file, lines, offsetOf(document.contents, pointer))
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), locate }
  } catch {
    const message = 'the aliases of this file expand to too much'
    throw new WorldFileError([{ code: 'aliases', severity: 'error', message, source: locate('') }])
  }
}

/** Most of them are consequences of the first. */
const mostSyntaxProblems = 20

/** The library rounds numbers that no double can hold; the text still exists. */
function keepDigits(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, scalar) {
      const isDecimal = typeof scalar.value === 'number' && /^[-+]?[\d.]/.test(scalar.source ?? '')
      if (isDecimal && !/^[-+]?0[ox]/.test(scalar.source ?? ''))
        scalar.value = numberFrom(scalar.source ?? '')
    },
  })
}

function syntaxProblem({ message }: Error, source: Source): Problem {
  const [first = ''] = message.split('\n', 1)
  return { code: 'syntax', severity: 'error', message: first.slice(0, 200).toLowerCase(), source }
}

function violationProblem(violation: SchemaProblem, locate: Locate): Problem {
  const where = violation.pointer === '' ? 'this file' : `"${violation.pointer.slice(1)}"`
  if (violation.keyword === 'additionalProperties') {
    const member = String(violation.params.additionalProperty)
    return {
      code: 'unknown-key',
      severity: 'error',
      message: `"${member}" is not a member of ${where}`,
      source: locate(pointerInto(violation.pointer, member)),
    }
  }
  return {
    code: violation.keyword === 'required' ? 'missing-key' : 'wrong-value',
    severity: 'error',
    message: `${where} ${violation.message}`,
    source: locate(violation.pointer),
  }
}

function lineOf({ source, message }: Problem): string {
  return source ? `${source.file}:${source.line}:${source.column} ${message}` : message
}

/** Where the deepest existing node on the path of a JSON pointer begins, or its key. */
function offsetOf(root: Node | null, pointer: string): number {
  let offset = root?.range?.[0] ?? 0
  let node: unknown = root
  for (const name of segmentsOf(pointer)) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined
    const element = isSeq(node) ? node.items[Number(name)] : undefined
    const begin = pair?.key ?? element
    if (isNode(begin)) offset = begin.range?.[0] ?? offset
    node = pair?.value ?? element
  }
  return offset
}

function place(file: string, lines: LineCounter, offset: number): Source {
  const { line, col } = lines.linePos(offset)
  return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
}

const organization = '/organizations/*'
const project = `${organization}/projects/*`

/** The objects of each kind in a world, as patterns. */
const objectRows = (['organization', 'project'] as const).flatMap(scope =>
  worldKinds(scope).map(kind => {
    const owner = scope === 'project' ? project : organization
    return { kind, owner, objects: `${owner}/${kind.section}/*`, title: kind.longTitle ?? kind.title }
  }),
)

/** Values that occur once: in the whole world, or in each part of it. */
const unique: readonly (readonly [pattern: string, what: string, part: string])[] = [
  ['/users/*/email', 'user', ''],
  ['/users/*/id', 'user id', ''],
  [`${organization}/id`, 'organization id', ''],
  [`${organization}/roles/*/name`, 'role', organization],
  [`${organization}/roles/*/id`, 'role id', ''],
  [`${organization}/plugins/*/url`, 'plugin url', ''],
  [`${project}/id`, 'project id', ''],
  [`${project}/api_token`, 'API token', ''],
  [`${project}/group_types/*`, 'group type', project],
  [`${project}/persons/*/distinct_ids/*`, 'distinct id', project],
  [`${project}/events/*/id`, 'event id', ''],
  [`${project}/cohorts/*/id`, 'cohort id', ''],
  [`${project}/cohorts/*/name`, 'cohort', project],
  ...objectRows.flatMap(({ kind, owner, objects, title }) => [
    ...(isUnique(kind) ? [[`${objects}/${identityField(kind)}`, title, owner] as const] : []),
    [`${objects}/id`, `${title} id`, ''] as const,
  ]),
]

const ofOrganization = 'role _ in the organization'

/** Values that name something in the whole world, or in the same part of it. */
const references: readonly (readonly [
  pattern: string,
  part: string,
  names: string,
  code: string,
  text: string,
])[] = [
  ['/users/*/roles/*', '', `${organization}/roles/*/name`, 'unknown-role', 'role _'],
  [`${project}/feature_flags/*/role_access/*`, organization, '/roles/*/name', 'unknown-role', ofOrganization],
  [`${project}/cohorts/*/persons/*`, project, '/persons/*/distinct_ids/*', 'unknown-person', 'person _'],
  ...objectRows.flatMap(({ kind, objects }) =>
    Object.entries(kind.fields)
      .filter(([, { stamp }]) => stamp === 'author')
      .map(([name]) => [`${objects}/${name}`, '', '/users/*/email', 'unknown-user', 'user _'] as const),
  ),
]

/** Problems of a world that a schema cannot find, by their positions: duplicates, and unknown names. */
function worldProblems(world: Json, locate: Locate): readonly Problem[] {
  const problems: Problem[] = []
  const report = (code: string, message: string, pointer: string) =>
    problems.push({ code, severity: 'error', message, source: locate(pointer) })
  for (const [pattern, what, part] of unique) {
    const seen = new Set<string>()
    for (const { pointer, value } of found(world, pattern)) {
      const key = JSON.stringify([partOf(pointer, part), value])
      if (seen.has(key)) report('duplicate', `${what} "${String(value)}" is there twice`, pointer)
      seen.add(key)
    }
  }
  for (const [pattern, part, names, code, text] of references) {
    const known = new Map<string, ReadonlySet<Json>>()
    for (const { pointer, value } of found(world, pattern)) {
      const at = partOf(pointer, part)
      const there = known.get(at) ?? new Set(found(getAt(world, at), names).map(each => each.value))
      known.set(at, there)
      if (!there.has(value)) report(code, `there is no ${text.replace('_', () => `"${value}"`)}`, pointer)
    }
  }
  for (const { pointer, value } of found(world, project)) checkGroups(value, pointer, report)
  for (const { pointer, value } of found(world, `${project}/cohorts/*`)) {
    const { name, properties, persons } = value as JsonObject
    if ((properties === undefined) === (persons === undefined))
      report('cohort-members', `cohort "${name}" needs either "properties" or "persons"`, pointer)
  }
  const offset = ({ source }: Problem) => (source?.line ?? 0) * 1e6 + (source?.column ?? 0)
  return problems.sort((left, right) => offset(left) - offset(right))
}

function checkGroups(
  world: Json,
  pointer: string,
  report: (code: string, message: string, pointer: string) => void,
): void {
  // The schema is satisfied.
  const { group_types, groups = [] } = world as unknown as WorldProject
  const types = group_types ?? ['organization']
  const seen = new Set<string>()
  for (const [index, { type, key }] of groups.entries()) {
    const at = `${pointer}/groups/${index}`
    if (!types.includes(type))
      report('unknown-group-type', `there is no group type "${type}" in the project`, `${at}/type`)
    if (seen.has(`${type}/${key}`)) report('duplicate', `group "${key}" is there twice`, `${at}/key`)
    seen.add(`${type}/${key}`)
  }
}

interface Found {
  readonly pointer: string
  readonly value: Json
}

/** The values at a pattern such as `/organizations/*` and its members: a star matches each element of a list. */
function found(world: Json | undefined, pattern: string): readonly Found[] {
  return segmentsOf(pattern).reduce<readonly Found[]>(
    (all, name) =>
      all.flatMap(({ pointer, value }) => {
        if (name === '*' && isJsonArray(value))
          return value.map((element, index) => ({ pointer: `${pointer}/${index}`, value: element }))
        const member = isJsonObject(value) ? value[name] : undefined
        return member === undefined ? [] : [{ pointer: `${pointer}/${name}`, value: member }]
      }),
    world === undefined ? [] : [{ pointer: '', value: world }],
  )
}

/** The beginning of a pointer that has as many segments as a pattern. */
function partOf(pointer: string, pattern: string): string {
  return pointer.split('/').slice(0, pattern.split('/').length).join('/')
}

const countries = ['DE', 'AT', 'CH', 'FR', 'US', 'GB', 'JP'] as const
const browsers = ['Firefox', 'Chrome', 'Safari'] as const
const names = ['checkout_paid', 'signed_up', '$pageview', '$pageview', '$pageview'] as const

const ada = {
  id: 1,
  email: 'ada@example.com',
  first_name: 'Ada',
  uuid: '01900000-0000-0000-0000-000000000101',
}
const grace = {
  ...{ id: 2, email: 'grace@example.com', first_name: 'Grace' },
  uuid: '01900000-0000-0000-0000-000000000102',
}

const roles = [
  { id: '01900000-0000-0000-0000-0000000000aa', name: 'support', feature_flags_access_level: 21 },
  { id: '01900000-0000-0000-0000-0000000000bb', name: 'growth', feature_flags_access_level: 37 },
] as const

/** One organization, one project with id 1, two roles and two users; nothing else. */
export const emptyWorld: WorldFile = {
  users: [ada, grace],
  organizations: [
    {
      id: '01900000-0000-0000-0000-000000000001',
      name: 'Example',
      roles,
      projects: [{ id: 1, name: 'Production' }],
    },
  ],
}

/**
 * The default content of the sandbox: enough people for meaningful percentages, events that create
 * definitions, and flags that somebody made by hand before anything was declared.
 */
export const sampleWorld: WorldFile = {
  users: [
    { ...ada, distinct_id: 'person-1', roles: ['growth'] },
    { ...grace, distinct_id: 'person-2', roles: ['support'] },
  ],
  organizations: [
    {
      id: '01900000-0000-0000-0000-000000000001',
      name: 'Example Shop',
      roles: [
        ...roles,
        { id: '01900000-0000-0000-0000-0000000000cc', name: 'beta-testers', feature_flags_access_level: 21 },
      ],
      projects: [
        {
          id: 1,
          name: 'Production',
          persons: samplePersons(200),
          events: sampleEvents(200, 600),
          event_definitions: [
            { name: 'checkout_paid', tags: ['payments'] },
            { name: 'signed_up' },
            { name: '$pageview' },
            { name: 'newsletter_opened' },
          ],
          feature_flags: [
            {
              key: 'dark-mode',
              name: 'Dark colours in the shop',
              created_at: '2024-01-15T09:30:00Z',
              filters: { groups: [{ properties: [], rollout_percentage: 25 }] },
              tags: ['design'],
            },
            {
              key: 'old-search',
              name: 'Search before the rewrite',
              created_at: '2023-11-02T14:00:00Z',
              deleted: true,
              filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
            },
            {
              key: 'gift-wrapping',
              name: 'Offer gift wrapping at the checkout',
              created_at: '2024-02-01T11:15:00Z',
              created_by: 'grace@example.com',
              // Written by the product's own screen, which adds nulls and empty members.
              filters: {
                groups: [
                  {
                    variant: null,
                    properties: [
                      { key: 'country', type: 'person', value: ['DE', 'AT'], operator: 'exact' },
                      { key: 'plan', type: 'person', value: ['plus'], operator: 'exact' },
                    ],
                    rollout_percentage: 50,
                  },
                ],
                payloads: {},
                multivariate: null,
              },
              role_access: ['support'],
            },
          ],
        },
        {
          id: 2,
          name: 'Staging',
          persons: samplePersons(20),
          events: sampleEvents(20, 40),
          event_definitions: [{ name: 'checkout_paid' }, { name: 'signed_up' }, { name: '$pageview' }],
        },
      ],
      plugins: [
        {
          name: 'Session clock',
          plugin_type: 'source',
          description: 'Adds the length of the session to each event.',
          source: { 'index.ts': 'export function processEvent(event) {\n  return event\n}\n' },
          in_use: true,
        },
        {
          name: 'Country of an event',
          plugin_type: 'custom',
          description: 'Adds the country that an event came from.',
          url: 'https://plugins.example.com/geo',
          tag: '1.2.0',
        },
      ],
    },
  ],
}

/** Different people, the same ones each time. */
function samplePersons(count: number): readonly WorldPerson[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1
    return {
      distinct_ids: [`person-${number}`, ...(number % 10 === 0 ? [`device-${number}`] : [])],
      created_at: `2024-01-${String((index % 28) + 1).padStart(2, '0')}T08:00:00Z`,
      properties: {
        email: `person-${number}@example.${number % 4 === 0 ? 'org' : 'com'}`,
        country: countryOf(number),
        plan: number % 5 === 0 ? 'plus' : 'free',
        age: 18 + ((index * 7) % 60),
        ...(number % 3 === 0 ? { beta: true } : {}),
      },
    }
  })
}

/** The events of those people, the same each time. */
function sampleEvents(people: number, count: number): readonly WorldEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const event = names[index % names.length] ?? '$pageview'
    const number = ((index * 13) % people) + 1
    return {
      event,
      distinct_id: `person-${number}`,
      properties: {
        // As the plugin of the sample world adds it.
        country: countryOf(number),
        $browser: browsers[index % browsers.length] ?? 'Firefox',
        ...(event === 'checkout_paid' ? { amount: ((index * 17) % 200) + 5, currency: 'EUR' } : {}),
        ...(event === '$pageview' ? { $current_url: `https://shop.example.com/products/${index % 12}` } : {}),
      },
    }
  })
}

function countryOf(number: number): string {
  return countries[((number - 1) * 3) % countries.length] ?? 'DE'
}
