import { compareTexts } from '../model/text/names.ts'
import {
  collisionNotes,
  commentText,
  distinctNames,
  eightDigits,
  inside,
  madeBy,
  type NamedObject,
  namedObjects,
  namings,
  type PayloadMember,
  type PayloadType,
  payloadTypeOf,
  quotedText,
  type TypedFile,
  type TypedFlag,
} from './typed-flag.ts'

/** Typed keys for TypeScript: keys as members of `flags`, and the types of each flag by its key. */
export function typeScriptKeys(flags: readonly TypedFlag[]): TypedFile {
  const names = distinctNames(
    flags.map(({ key }) => key),
    namings.camel,
  )
  const nameOf = (key: string) => names.get(key) ?? key
  const sorted = [...flags].sort((one, other) => compareTexts(nameOf(one.key), nameOf(other.key)))
  const constants = sorted.flatMap(({ key, name }) => [
    ...comment(name, '  '),
    `  ${nameOf(key)}: ${quotedTypescript(key)},`,
  ])
  const variants = flags.flatMap(({ key, variants }) =>
    variants.length === 0 ? [] : [`  ${quotedTypescript(key)}: ${union(variants.map(quotedTypescript))}`],
  )
  const payloads = flags.flatMap(flag => {
    const type = payloadTypeOf(flag)
    return type ? [`  ${quotedTypescript(flag.key)}: ${typeOfTypescript(type, '  ')}`] : []
  })
  const text = `// ${madeBy('--ts')}
/* eslint-disable */

/** The key of every declared flag. */
export const flags = ${block(constants)} as const

/** The key of a declared flag. */
export type FlagKey = (typeof flags)[keyof typeof flags]

/** The variants of each flag that has some. */
export interface FlagVariants ${block(variants)}

/** What code receives beside the value of each flag that has a payload. */
export interface FlagPayloads ${block(payloads)}

/** The value of a flag: one of its variants, or whether it is on. */
export type FlagValue<Key extends FlagKey> = Key extends keyof FlagVariants ? FlagVariants[Key] | false : boolean

/** The payload of a flag; never where none is declared. */
export type FlagPayload<Key extends FlagKey> = Key extends keyof FlagPayloads ? FlagPayloads[Key] : never
`
  return { text, notes: collisionNotes(names, namings.camel) }
}

function block(lines: readonly string[]): string {
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`
}

function comment(name: string | undefined, indent: string): string[] {
  const safe = commentText(name)?.replaceAll('*/', '* /')
  return safe ? [`${indent}/** ${safe} */`] : []
}

function typeOfTypescript(type: PayloadType, indent: string): string {
  switch (type.is) {
    case 'unknown':
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
      return type.is
    case 'integer':
      return 'number'
    case 'choice':
      return union(
        type.values.map(value => (typeof value === 'string' ? quotedTypescript(value) : String(value))),
      )
    case 'list':
      return `readonly (${typeOfTypescript(type.of, indent)})[]`.replace(
        /^readonly \((\w+)\)\[\]$/,
        'readonly $1[]',
      )
    case 'map':
      return `{ readonly [name: string]: ${typeOfTypescript(type.of, indent)} }`
    case 'object': {
      const inner = `${indent}  `
      const members = type.members.map(
        member =>
          `${inner}readonly ${propertyName(member.name)}${member.isOptional ? '?' : ''}: ${typeOfTypescript(member.type, inner)}`,
      )
      return members.length === 0
        ? '{ readonly [name: string]: never }'
        : `{\n${members.join('\n')}\n${indent}}`
    }
    case 'either':
      return union(type.types.map(each => typeOfTypescript(each, indent)))
  }
}

function union(types: readonly string[]): string {
  return types.join(' | ')
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quotedTypescript(name)
}

/** A text in single quotes. */
function quotedTypescript(text: string): string {
  const inside = quotedText(text, digits => `\\u{${digits}}`).slice(1, -1)
  return `'${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** Typed keys for Go, formatted like gofmt: constants for keys and variants, and types of payloads. */
export function goKeys(flags: readonly TypedFlag[], packageName: string): TypedFile {
  const names = goNames(flags)
  const nameOf = (path: string) => names.get(path) ?? path
  const constants = [...flags].sort((one, other) =>
    compareTexts(nameOf(flagPath(one.key)), nameOf(flagPath(other.key))),
  )
  const parts = [
    '// Flag is the key of a declared flag.\ntype Flag string\n',
    ...constants.map(({ key, name }) => constantText(nameOf(flagPath(key)), 'Flag', key, name)),
    ...flags.flatMap(flag => variantTexts(flag, nameOf)),
    ...flags.flatMap(flag => payloadTexts(flag, nameOf)),
  ]
  const text = `// ${madeBy('--go')}\n\n// Package ${packageName} has the keys of declared flags.\npackage ${packageName}\n\n${parts.join('\n')}`
  return { text, notes: collisionNotes(names, namings.pascal).map(note => note.replace(/^"flag\/\//, '"')) }
}

/** The names of constants and types, by unique path. */
function goNames(flags: readonly TypedFlag[]): ReadonlyMap<string, string> {
  const paths = flags.flatMap(flag => {
    const type = payloadTypeOf(flag)
    return [
      flagPath(flag.key),
      ...(flag.variants.length === 0 ? [] : [variantPath(flag.key)]),
      ...flag.variants.map(variant => `${variantPath(flag.key)}/${variant}`),
      ...(type
        ? [payloadPath(flag.key), ...namedObjects(type, payloadPath(flag.key)).map(({ path }) => path)]
        : []),
    ]
  })
  return distinctNames(paths, namings.pascal, new Set(['Flag']))
}

const flagPath = (key: string) => `flag//${key}`
const variantPath = (key: string) => `${key}/variant`
const payloadPath = (key: string) => `${key}/payload`

function constantText(name: string, type: string, value: string, doc?: string): string {
  const words = commentText(doc)
  return `${words ? `// ${name}: ${words}\n` : ''}const ${name} ${type} = ${quotedText(value, eightDigits)}\n`
}

function variantTexts({ key, variants }: TypedFlag, nameOf: (path: string) => string): string[] {
  if (variants.length === 0) return []
  const type = nameOf(variantPath(key))
  return [
    `// ${type} is a variant of ${nameOf(flagPath(key))}.\ntype ${type} string\n`,
    ...variants.map(variant => constantText(nameOf(`${variantPath(key)}/${variant}`), type, variant)),
  ]
}

function payloadTexts(flag: TypedFlag, nameOf: (path: string) => string): string[] {
  const type = payloadTypeOf(flag)
  if (!type) return []
  const path = payloadPath(flag.key)
  const doc = `// ${nameOf(path)} is the payload of ${nameOf(flagPath(flag.key))}.\n`
  const objects = namedObjects(type, path)
  return objects
    .map(object => `${object.path === path && type.is === 'object' ? doc : ''}${structText(object, nameOf)}`)
    .concat(type.is === 'object' ? [] : [`${doc}type ${nameOf(path)} ${typeOfGo(type, path, nameOf)}\n`])
}

function structText({ path, members }: NamedObject, nameOf: (path: string) => string): string {
  const name = nameOf(path)
  if (members.length === 0 || !members.every(member => canBeTag(member.name)))
    return `type ${name} map[string]any\n`
  const fields = distinctNames(
    members.map(member => member.name),
    namings.pascal,
  )
  const rows = members.map(member => [
    fields.get(member.name) ?? member.name,
    memberType(member, `${path}/${member.name}`, nameOf),
    `\`json:"${member.name}${member.isOptional ? ',omitempty' : ''}"\``,
  ])
  const widths = [0, 1].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const lines = rows.map(
    row => `\t${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' ')}\n`,
  )
  return `type ${name} struct {\n${lines.join('')}}\n`
}

/** A missing value is nil. */
function memberType(
  { type, isOptional }: PayloadMember,
  path: string,
  nameOf: (path: string) => string,
): string {
  const text = typeOfGo(type, path, nameOf)
  return isOptional && !/^(?:\[\]|map\[|\*|any$)/.test(text) ? `*${text}` : text
}

function typeOfGo(type: PayloadType, path: string, nameOf: (path: string) => string): string {
  switch (type.is) {
    case 'unknown':
    case 'null':
      return 'any'
    case 'boolean':
      return 'bool'
    case 'integer':
      return 'int64'
    case 'number':
      return 'float64'
    case 'string':
      return 'string'
    case 'choice':
      return choiceOfGo(type.values)
    case 'list':
      return `[]${typeOfGo(type.of, inside(type, path), nameOf)}`
    case 'map':
      return `map[string]${typeOfGo(type.of, inside(type, path), nameOf)}`
    case 'object':
      return nameOf(path)
    case 'either': {
      const [one, ...others] = type.types.filter(({ is }) => is !== 'null')
      return one && others.length === 0
        ? memberType({ name: '', type: one, isOptional: true }, inside(type, path), nameOf)
        : 'any'
    }
  }
}

function choiceOfGo(values: readonly (string | number | boolean | null)[]): string {
  if (values.every(value => typeof value === 'string')) return 'string'
  if (values.every(value => typeof value === 'boolean')) return 'bool'
  if (values.every(value => Number.isSafeInteger(value))) return 'int64'
  return values.every(value => typeof value === 'number') ? 'float64' : 'any'
}

/** Whether encoding/json allows a name in a tag. */
function canBeTag(name: string): boolean {
  return name !== '-' && /^[\p{L}\p{N}!#$%&()*+\-./:;<=>?@[\]^_{|}~ ]+$/u.test(name)
}

/** A name that `vexil keys` generates from a key. */
export interface TypedName {
  readonly key: string
  readonly word: string
  /** Its owner: `flags.checkoutV2`, `Flag.CHECKOUT_V2`; undefined for a constant. */
  readonly owner?: 'flags' | 'Flag'
  /** The names of files in which it is searched. */
  readonly files: RegExp
}

/** The names of all flags in all languages. */
export function typedNames(flags: readonly TypedFlag[]): readonly TypedName[] {
  const keys = flags.map(({ key }) => key)
  const constants = goNames(flags)
  const of = (names: ReadonlyMap<string, string>, more: Omit<TypedName, 'key' | 'word'>) =>
    [...names].map(([key, word]) => ({ key, word, ...more }))
  return [
    ...of(distinctNames(keys, namings.camel), {
      owner: 'flags',
      files: /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx)$/i,
    }),
    ...of(distinctNames(keys, namings.upper), { owner: 'Flag', files: /\.pyi?$/i }),
    ...keys.map(key => ({ key, word: constants.get(flagPath(key)) ?? key, files: /\.go$/i })),
  ]
}

/** Typed keys for Python 3.9 and later: an enumeration of keys, and types of variants and payloads. */
export function pythonKeys(flags: readonly TypedFlag[]): TypedFile {
  const members = distinctNames(
    flags.map(({ key }) => key),
    namings.upper,
  )
  const payloads = flags.flatMap(flag => {
    const type = payloadTypeOf(flag)
    return type
      ? [{ path: `${flag.key}/payload`, type, objects: namedObjects(type, `${flag.key}/payload`) }]
      : []
  })
  const variants = flags
    .filter(flag => flag.variants.length > 0)
    .map(flag => ({ ...flag, path: `${flag.key}/variant` }))
  const types = distinctNames(
    [
      ...variants.map(({ path }) => path),
      ...payloads.flatMap(({ path, objects }) => [path, ...objects.map(object => object.path)]),
    ],
    namings.pascal,
  )
  const typeName = (path: string) => types.get(path) ?? path
  const body = [
    enumeration(flags, key => members.get(key) ?? key),
    ...variants.map(
      ({ path, variants: keys }) => `${typeName(path)} = ${literal(keys.map(key => quotedPython(key)))}\n`,
    ),
    ...payloads.flatMap(({ path, type, objects }) => [
      ...objects.map(object => typedDict(object, typeName)),
      ...(type.is === 'object' ? [] : [`${typeName(path)} = ${typeOfPython(type, path, typeName)}\n`]),
    ]),
  ].join('\n\n')
  const text = `"""${madeBy('--py')}"""\n\nfrom enum import Enum\n${importLine(body)}\n\n${body}`
  return {
    text,
    notes: [...collisionNotes(members, namings.upper), ...collisionNotes(types, namings.pascal)],
  }
}

function importLine(body: string): string {
  const used = ['Any', 'Dict', 'List', 'Literal', 'TypedDict', 'Union'].filter(name =>
    new RegExp(`\\b${name}\\b(?!")`).test(body),
  )
  return used.length === 0 ? '' : `from typing import ${used.join(', ')}\n`
}

function enumeration(flags: readonly TypedFlag[], nameOf: (key: string) => string): string {
  const sorted = [...flags].sort((one, other) => compareTexts(nameOf(one.key), nameOf(other.key)))
  const lines = sorted.flatMap(({ key, name }) => {
    const comment = commentText(name)
    return [...(comment ? [`    # ${comment}`] : []), `    ${nameOf(key)} = ${quotedPython(key)}`]
  })
  return `class Flag(str, Enum):
    """The key of every declared flag."""

${lines.map(line => `${line}\n`).join('')}${lines.length === 0 ? '' : '\n'}    def __str__(self) -> str:
        return str(self.value)
`
}

function typedDict({ path, members }: NamedObject, typeName: (path: string) => string): string {
  const name = typeName(path)
  const [needed, optional] = [false, true].map(isOptional =>
    members.filter(each => each.isOptional === isOptional),
  )
  const typed = (all: readonly PayloadMember[] = []) =>
    all.map(member => [member.name, typeOfPython(member.type, `${path}/${member.name}`, typeName)] as const)
  const [ours, theirs] = [typed(needed), typed(optional)]
  if (members.every(member => isName(member.name))) {
    if (theirs.length === 0) return classText(name, 'TypedDict', ours)
    if (ours.length === 0) return classText(name, 'TypedDict, total=False', theirs)
    return `${classText(`_${name}Needed`, 'TypedDict', ours)}\n\n${classText(name, `_${name}Needed, total=False`, theirs)}`
  }
  if (theirs.length === 0) return callText(name, ours, '')
  if (ours.length === 0) return callText(name, theirs, ', total=False')
  const parts = [callText(`_${name}Needed`, ours, ''), callText(`_${name}Optional`, theirs, ', total=False')]
  return `${parts.join('\n')}\n\n${classText(name, `_${name}Needed, _${name}Optional`, [])}`
}

type TypedMembers = readonly (readonly [name: string, type: string])[]

function classText(name: string, base: string, members: TypedMembers): string {
  const lines = members.map(([member, type]) => `    ${member}: ${type}\n`)
  return `class ${name}(${base}):\n${lines.length === 0 ? '    pass\n' : lines.join('')}`
}

function callText(name: string, members: TypedMembers, more: string): string {
  const lines = members.map(([member, type]) => `        ${quotedPython(member)}: ${type},\n`)
  const total = more === '' ? '' : `    ${more.slice(2)},\n`
  return `${name} = TypedDict(\n    ${quotedPython(name)},\n    {\n${lines.join('')}    },\n${total})\n`
}

function typeOfPython(type: PayloadType, path: string, typeName: (path: string) => string): string {
  switch (type.is) {
    case 'unknown':
      return 'Any'
    case 'null':
      return 'None'
    case 'boolean':
      return 'bool'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'string':
      return 'str'
    case 'choice':
      return choiceOfPython(type.values)
    case 'list':
      return `List[${typeOfPython(type.of, inside(type, path), typeName)}]`
    case 'map':
      return `Dict[str, ${typeOfPython(type.of, inside(type, path), typeName)}]`
    case 'object':
      return typeName(path)
    case 'either':
      return `Union[${type.types.map(each => typeOfPython(each, inside(type, path), typeName)).join(', ')}]`
  }
}

/** The literal type for values; numbers with a fraction cannot be literal types. */
function choiceOfPython(values: readonly (string | number | boolean | null)[]): string {
  if (values.some(value => typeof value === 'number' && !Number.isSafeInteger(value))) return 'Any'
  return literal(
    values.map(value => {
      if (value === null) return 'None'
      if (typeof value === 'boolean') return value ? 'True' : 'False'
      return typeof value === 'number' ? JSON.stringify(value) : quotedPython(value)
    }),
  )
}

function quotedPython(text: string): string {
  return quotedText(text, eightDigits)
}

function literal(values: readonly string[]): string {
  const line = `Literal[${values.join(', ')}]`
  return line.length <= 60 ? line : `Literal[\n${values.map(value => `    ${value},\n`).join('')}]`
}

/** Whether a member can be written without quotes. Python changes names that begin with two underscores. */
function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !name.startsWith('__') && !keywords.has(name)
}

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)
