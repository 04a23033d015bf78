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
      ({ path, variants: keys }) => `${typeName(path)} = ${literal(keys.map(key => quoted(key)))}\n`,
    ),
    ...payloads.flatMap(({ path, type, objects }) => [
      ...objects.map(object => typedDict(object, typeName)),
      ...(type.is === 'object' ? [] : [`${typeName(path)} = ${typeText(type, path, typeName)}\n`]),
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
    return [...(comment ? [`    # ${comment}`] : []), `    ${nameOf(key)} = ${quoted(key)}`]
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
    all.map(member => [member.name, typeText(member.type, `${path}/${member.name}`, typeName)] as const)
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
  const lines = members.map(([member, type]) => `        ${quoted(member)}: ${type},\n`)
  const total = more === '' ? '' : `    ${more.slice(2)},\n`
  return `${name} = TypedDict(\n    ${quoted(name)},\n    {\n${lines.join('')}    },\n${total})\n`
}

function typeText(type: PayloadType, path: string, typeName: (path: string) => string): string {
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
      return choiceText(type.values)
    case 'list':
      return `List[${typeText(type.of, inside(type, path), typeName)}]`
    case 'map':
      return `Dict[str, ${typeText(type.of, inside(type, path), typeName)}]`
    case 'object':
      return typeName(path)
    case 'either':
      return `Union[${type.types.map(each => typeText(each, inside(type, path), typeName)).join(', ')}]`
  }
}

/** A number with a fraction cannot be a literal type. */
function choiceText(values: readonly (string | number | boolean | null)[]): string {
  if (values.some(value => typeof value === 'number' && !Number.isSafeInteger(value))) return 'Any'
  return literal(
    values.map(value => {
      if (value === null) return 'None'
      if (typeof value === 'boolean') return value ? 'True' : 'False'
      return typeof value === 'number' ? JSON.stringify(value) : quoted(value)
    }),
  )
}

function quoted(text: string): string {
  return quotedText(text, eightDigits)
}

function literal(values: readonly string[]): string {
  const line = `Literal[${values.join(', ')}]`
  return line.length <= 60 ? line : `Literal[\n${values.map(value => `    ${value},\n`).join('')}]`
}

/** Whether a member can be written without quotes; two underscores would change its name. */
function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !name.startsWith('__') && !keywords.has(name)
}

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)
