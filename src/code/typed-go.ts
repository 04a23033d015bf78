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

/** Typed keys for Go, as gofmt would write them: constants of keys and variants, and types of payloads. */
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

/** The name of each constant and type, by a path that no two of them share: no key has a slash. */
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
    .concat(type.is === 'object' ? [] : [`${doc}type ${nameOf(path)} ${typeText(type, path, nameOf)}\n`])
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
  const text = typeText(type, path, nameOf)
  return isOptional && !/^(?:\[\]|map\[|\*|any$)/.test(text) ? `*${text}` : text
}

function typeText(type: PayloadType, path: string, nameOf: (path: string) => string): string {
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
      return choiceText(type.values)
    case 'list':
      return `[]${typeText(type.of, inside(type, path), nameOf)}`
    case 'map':
      return `map[string]${typeText(type.of, inside(type, path), nameOf)}`
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

function choiceText(values: readonly (string | number | boolean | null)[]): string {
  if (values.every(value => typeof value === 'string')) return 'string'
  if (values.every(value => typeof value === 'boolean')) return 'bool'
  if (values.every(value => Number.isSafeInteger(value))) return 'int64'
  return values.every(value => typeof value === 'number') ? 'float64' : 'any'
}

/** The characters that encoding/json allows as a name in a tag. */
function canBeTag(name: string): boolean {
  return name !== '-' && /^[\p{L}\p{N}!#$%&()*+\-./:;<=>?@[\]^_{|}~ ]+$/u.test(name)
}

/** A name that `vexil keys` makes from a key, as code writes it. */
export interface TypedName {
  readonly key: string
  readonly word: string
  /** Its owner: `flags.checkoutV2`, `Flag.CHECKOUT_V2`; undefined for a constant. */
  readonly owner?: 'flags' | 'Flag'
  /** The pattern of the names of files to which it applies. */
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
