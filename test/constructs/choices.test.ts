import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type NarrowProperty, narrowProperties } from '../../src/generate/emit-constructs.ts'
import { declarableKinds, roleAccess } from '../../src/kinds/index.ts'
import { profileSettings } from '../../src/model/connection.ts'
import { guardsOfKind } from '../../src/model/guard-rules.ts'
import { destroyWays } from '../../src/model/removal.ts'
import { groupTypes, propertyTypes } from '../../src/targeting/filter-parts.ts'
import { knownOperators } from '../../src/targeting/operators.ts'

const root = join(import.meta.dirname, '../..')

/** The values of every closed list that constructs are given one of, from where each of them is described. */
const lists: readonly (readonly (string | number)[])[] = [
  ...declarableKinds.flatMap(({ fields }) =>
    Object.values(fields).flatMap(field =>
      field.access === 'managed' && field.type === 'string' && field.oneOf ? [field.oneOf] : [],
    ),
  ),
  ...declarableKinds.map(guardsOfKind).filter(rules => rules.length > 0),
  destroyWays,
  profileSettings,
  Object.keys(knownOperators),
  Object.keys(propertyTypes),
  Array.from({ length: groupTypes.to + 1 }, (_, index) => index),
]

const narrow = [...narrowProperties().values()].flat()

interface Argument {
  /** Its type, as a program writes it. */
  readonly type: string
  readonly choices: readonly (string | number)[]
  readonly isList?: boolean
  /** The type of the same attribute of another resource. */
  readonly other?: string
}

const argument = (owner: string, { property, choices, isList }: NarrowProperty): Argument => ({
  type: `NonNullable<constructs.${owner}['${property}']>`,
  choices,
  isList,
})

const ownProps = new Map([
  ['FeatureFlagConfig', 'FlagProps'],
  ['PluginConfig', 'PluginProps'],
  ['EventDefinitionConfig', 'EventDefinitionProps'],
])

/** Our own constructs have the names of these; the provider is no resource. */
const shadowed = ['PluginConfig', 'EventDefinitionConfig', 'VexilProviderConfig']

const generated = narrow.map(each => {
  const isResource = each.owner.endsWith('Config') && !shadowed.includes(each.owner) && !each.isList
  const other = `constructs.${each.owner.replace(/Config$/, '')}['${each.property}']`
  return { ...argument(each.owner, each), ...(isResource ? { other } : {}) }
})
const ours: readonly Argument[] = [
  ...narrow.flatMap(each => {
    const owner = ownProps.get(each.owner)
    return owner === undefined ? [] : [argument(owner, each)]
  }),
  { type: "Parameters<constructs.WhenProperty['operator']>[0]", choices: Object.keys(knownOperators) },
  { type: "Parameters<constructs.When['ofGroups']>[0]", choices: [0, 1, 2, 3, 4] },
]
/** A level says what a grant is called, so it has to be known. */
const levels: Argument = {
  type: "Parameters<constructs.FlagGrants['give']>[1]",
  choices: roleAccess.fields.access_level.oneOf,
  isList: true,
}

function program(): string {
  const lines = [...generated, ...ours].flatMap((each, index) => linesOf(each, String(index)))
  return [
    `import type { IResolvable } from '${join(root, 'node_modules/cdktf/lib/index.js')}'`,
    `import type * as constructs from '${join(root, 'src/constructs/index.ts')}'`,
    'type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false',
    'declare const reference: IResolvable',
    ...lines,
    ...linesOf({ ...levels, type: `${levels.type}[]` }, 'level'),
    '',
  ].join('\n')
}

/** Exactly its values, no other, and a reference to one of them. */
function linesOf({ type, choices, isList, other }: Argument, name: string): string[] {
  const union = choices.map(choice => JSON.stringify(choice)).join(' | ')
  const element = isList ? `${type}[number]` : type
  const wrong = typeof choices[0] === 'number' ? '5' : "'no such value'"
  return [
    `export const same${name}: Same<Exclude<${element}, IResolvable>, ${union}> = true`,
    '// @ts-expect-error no other value',
    `export const wrong${name}: ${element} = ${wrong}`,
    ...(isList ? [] : [`export const later${name}: ${element} = reference`]),
    ...(other === undefined ? [] : [`export const other${name} = (its: ${other}): ${element} => its`]),
  ]
}

const settings = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
  include: ['program.ts'],
}

/** What the compiler says of a program in a folder of its own. */
async function compiled(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-choices-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  await writeFile(join(folder, 'program.ts'), text)
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const ended = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(error => error)
  return String(ended.stdout)
}

describe('the values of closed lists', () => {
  it('are found wherever a construct takes one of them', () => {
    const found = new Set(narrow.map(({ choices }) => [...choices].join()))
    expect(lists.map(each => each.join()).filter(each => !found.has(each))).toEqual([])
    expect(narrow.length).toBeGreaterThan(lists.length)
  })

  it('are the types of all these arguments, with references to them; another value is reported', async () => {
    const wrong = "export const props: constructs.PluginProps = { name: 'p', pluginType: 'sorce' }\n"
    const reported = (await compiled(program() + wrong)).match(/program\.ts\(.*/g)
    expect(reported).toEqual([expect.stringContaining(`Type '"sorce"' is not assignable to type`)])
  })
})
