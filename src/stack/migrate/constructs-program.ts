import { propertyOf } from '../../constructs/engine/engine-marks.ts'
import type { Exportable } from '../../core/live.ts'
import { BigNum } from '../../hcl/json.ts'
import { literalTemplate, withoutTemplates } from '../../hcl/literal-template.ts'
import { declarableKind } from '../../kinds/index.ts'
import { targetingField } from '../../model/kind.ts'
import { canonicalText, isJsonArray, isJsonObject, type Json } from '../../model/text/json.ts'
import type { TerraformAttribute, TerraformAttributes } from '../../schema/terraform/terraform-attribute.ts'
import { providerName } from '../../schema/terraform/terraform-names.ts'
import { resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import { wholeTyped } from '../../targeting/codec.ts'
import { type ConfigurationFile, type HclBlock, type ProviderPlace, unseen } from './hcl-configuration.ts'
import {
  type LiveResource,
  type WrittenMembers,
  type WrittenReference,
  type WrittenValue,
  writtenOf,
} from './live-resource.ts'

/** The stack of the written program. */
export const stackName = 'live'

/**
 * Live objects as a CDKTF program: the generated constructs, whose properties are Terraform's attributes,
 * with their imports. `blocks` are the other blocks of the stack: `removed` and `moved`.
 */
export function constructsProgram(
  resources: readonly LiveResource[],
  place: ProviderPlace,
  blocks: readonly HclBlock[] = [],
): readonly ConfigurationFile[] {
  const names = new ProgramNames(resources)
  const kinds = [...new Set(resources.map(({ kind }) => propertyOf(kind.name)))]
  const [, provider = ''] = providerName.split('/')
  const settings = Object.fromEntries(
    Object.entries(place).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, writtenOf(value)]] : [],
    ),
  ) as WrittenMembers
  const lines = [
    "import { App, TerraformStack } from 'cdktf'",
    `import { ${[...kinds, 'provider'].sort().join(', ')} } from 'vexil/cdktf'`,
    '',
    'const app = new App()',
    `const stack = new TerraformStack(app, ${tsQuoted(stackName)})`,
    `new provider.VexilProvider(stack, ${tsQuoted(provider)}, ${tsText({ is: 'members', members: settings }, names, '')})`,
    '',
    ...resources.map(resource => statement(resource, names)),
    ...overrides(blocks, names),
    'app.synth()',
    '',
  ]
  return [{ path: 'main.ts', text: lines.join('\n') }]
}

/** Whether the release of a live flag needs a form that the properties of constructs do not have. */
export function hasOtherWords({ kind: kindName, fields }: Exportable): boolean {
  const kind = declarableKind(kindName)
  const field = targetingField(kind)
  const typed = field === undefined ? undefined : wholeTyped(fields[field] ?? null)
  return typed !== undefined && !areChoices(resourceBlock(kind).attributes, typed)
}

function areChoices(attributes: TerraformAttributes, values: Json): boolean {
  if (!isJsonObject(values)) return false
  return Object.entries(values).every(([name, value]) => value === null || isChoice(attributes[name], value))
}

function isChoice(attribute: TerraformAttribute | undefined, value: Json): boolean {
  if (!attribute) return false
  if ('list' in attribute) return isJsonArray(value) && value.every(each => areChoices(attribute.list, each))
  return attribute.choices === undefined || attribute.choices.some(choice => choice === value)
}

function statement(resource: LiveResource, names: ProgramNames): string {
  const { kind, attributes, ignored, isProtected, importId, isMoved = false } = resource
  const lifecycle = {
    ...(isProtected ? { prevent_destroy: true } : {}),
    ...(ignored.length > 0 ? { ignore_changes: ignored.includes('all') ? 'all' : ignored } : {}),
  }
  const hasOne = Object.keys(lifecycle).length > 0
  const members: WrittenMembers = { ...attributes, ...(hasOne ? { lifecycle: writtenOf(lifecycle) } : {}) }
  const space = propertyOf(kind.name)
  const name = `${space.charAt(0).toUpperCase()}${space.slice(1)}`
  const made = `new ${space}.${name}(stack, ${tsQuoted(names.idOf(resource))}, ${tsText({ is: 'members', members }, names, '')})`
  const imported = isMoved ? '' : `.importFrom(${tsQuoted(importId)})`
  const variable = names.variableOf(resource)
  if (variable === undefined) return `${made}${imported}\n`
  return `const ${variable} = ${made}\n${isMoved ? '' : `${variable}${imported}\n`}`
}

/** Blocks for which the engine has no constructs. */
function overrides(blocks: readonly HclBlock[], names: ProgramNames): string[] {
  const types = [...new Set(blocks.map(({ type }) => type))]
  return types.map(type => {
    const elements = blocks
      .filter(block => block.type === type)
      .map(({ attributes = {}, blocks: inner = [] }) => ({
        is: 'members' as const,
        members: {
          ...attributes,
          ...Object.fromEntries(
            inner.map(each => [each.type, { is: 'members' as const, members: each.attributes ?? {} }]),
          ),
        },
      }))
    return `stack.addOverride(${tsQuoted(type)}, ${tsText({ is: 'list', elements }, names, '')})\n`
  })
}

/** The names of resources in a program: an id in the stack, and a variable if another refers to it. */
class ProgramNames {
  readonly #ids = new Map<string, string>()
  readonly #variables = new Map<string, string>()

  constructor(resources: readonly LiveResource[]) {
    const referred = new Set(resources.flatMap(({ attributes }) => referencesIn(attributes)))
    const [ids, variables] = [new Set(['vexil']), new Set<string>()]
    // A move keeps the name of a flag, so a grant must not use that name first.
    const inOrder = [false, true].flatMap(isBelow =>
      resources.filter(({ kind }) => (kind.lifecycle.parent !== undefined) === isBelow),
    )
    for (const { kind, type, name } of inOrder) {
      const address = `${type}.${name}`
      this.#ids.set(address, unique(ids, name, `${name}_${kind.name}`))
      if (!referred.has(address)) continue
      const word = propertyOf(name.replaceAll('-', '_'))
      this.#variables.set(address, unique(variables, `${word}Flag`, `${word}Flag${variables.size}`))
    }
  }

  idOf({ type, name }: LiveResource): string {
    return this.#ids.get(`${type}.${name}`) ?? name
  }

  variableOf({ type, name }: LiveResource): string | undefined {
    return this.#variables.get(`${type}.${name}`)
  }

  variable({ type, name }: WrittenReference): string {
    return this.#variables.get(`${type}.${name}`) ?? name
  }
}

function referencesIn(attributes: WrittenMembers): string[] {
  return Object.values(attributes).flatMap(value =>
    value.is === 'reference' ? [`${value.to.type}.${value.to.name}`] : [],
  )
}

function unique(taken: Set<string>, first: string, other: string): string {
  let name = taken.has(first) ? other : first
  while (taken.has(name)) name += '_'
  taken.add(name)
  return name
}

/** The widest line, in columns; a longer value is split over several lines, if possible. */
const width = 100

/** A value in TypeScript. Attributes become property names; keys of maps and of JSON stay unchanged. */
function tsText(written: WrittenValue, names: ProgramNames, indent: string): string {
  return text(written, indent, { names, isPlain: false, quoted: tsQuoted })
}

/** A text of the program that contains no Terraform expressions. */
function tsQuoted(value: string): string {
  return quotedLiteral(literalTemplate(value))
}

/** A text inside JSON text, but not at its beginning. */
function tsQuotedInside(value: string): string {
  return quotedLiteral(withoutTemplates(value))
}

function quotedLiteral(literal: string): string {
  const quoted = /['"\\]/.test(literal)
    ? JSON.stringify(literal)
    : `'${JSON.stringify(literal).slice(1, -1)}'`
  return quoted.replace(unseen, sign => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
}

interface Writing {
  readonly names: ProgramNames
  /** Whether names are used unchanged, as in JSON and maps. */
  readonly isPlain: boolean
  readonly quoted: (value: string) => string
}

function text(written: WrittenValue, indent: string, writing: Writing): string {
  const inside = `${indent}  `
  switch (written.is) {
    case 'value': {
      const { value } = written
      if (typeof value === 'string') return writing.quoted(value)
      return value instanceof BigNum ? value.text : String(value)
    }
    case 'list':
      return enclosed(
        '[',
        written.elements.map(element => text(element, inside, writing)),
        ']',
        indent,
      )
    case 'members': {
      const isMap = writing.isPlain
      const members = Object.entries(written.members).map(([name, member]) => {
        const isText = !isMap && name === 'source'
        const key = isMap ? keyText(name, writing) : propertyOf(name)
        return `${key}: ${text(member, inside, { ...writing, isPlain: isMap || isText })}`
      })
      return enclosed('{', members, '}', indent)
    }
    case 'json':
      // A number that a double cannot represent would change.
      return hasBigNumber(written.json)
        ? tsQuoted(canonicalText(written.json))
        : `JSON.stringify(${text(writtenOf(written.json), indent, { ...writing, isPlain: true, quoted: tsQuotedInside })})`
    case 'reference':
      return `${writing.names.variable(written.to)}.${propertyOf(written.to.attribute)}`
    case 'address':
      return tsQuoted(written.text)
  }
}

function enclosed(open: string, parts: readonly string[], close: string, indent: string): string {
  if (parts.length === 0) return `${open}${close}`
  const space = open === '{' ? ' ' : ''
  const inline = `${open}${space}${parts.join(', ')}${space}${close}`
  if (indent.length + inline.length <= width && !inline.includes('\n')) return inline
  return `${open}\n${parts.map(part => `${indent}  ${part},\n`).join('')}${indent}${close}`
}

function keyText(name: string, { quoted }: Writing): string {
  // In plain form, this name would not become a member.
  if (name === '__proto__') return "['__proto__']"
  return /^[a-zA-Z_]\w*$/.test(name) ? name : quoted(name)
}

function hasBigNumber(json: Json): boolean {
  if (isJsonArray(json) || isJsonObject(json)) return Object.values(json).some(hasBigNumber)
  return json instanceof BigNum
}
