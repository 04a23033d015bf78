import { numberText } from '../../hcl/json.ts'
import { withoutTemplates } from '../../hcl/literal-template.ts'
import { declarableKind } from '../../kinds/index.ts'
import { providerName } from '../../schema/terraform/terraform-names.ts'
import { type LiveResource, type WrittenMembers, type WrittenValue, writtenOf } from './live-resource.ts'

export interface ConfigurationFile {
  readonly path: string
  readonly text: string
}

/** The target in the provider's block; the key comes from the environment. */
export interface ProviderPlace {
  readonly baseUrl?: string
  readonly projectId?: string
  readonly organizationId?: string
  readonly profile?: string
}

/** The version of Terraform that introduced import blocks. */
const importsSince = '>= 1.5'

/** Live objects as Terraform files: provider, resources by kind, and imports, to remove after the apply. */
export function hclConfiguration(
  resources: readonly LiveResource[],
  place: ProviderPlace,
): readonly ConfigurationFile[] {
  return [
    { path: 'providers.tf', text: hclFile(providerBlocks(place, importsSince)) },
    ...resourceFiles(resources),
    { path: 'imports.tf', text: hclFile(resources.map(importBlock)) },
  ].filter(({ text }) => text !== '')
}

/** The block that requires the provider, and the provider's own block. */
export function providerBlocks(place: ProviderPlace, since: string): HclBlock[] {
  const { baseUrl, projectId, organizationId, profile } = place
  const settings = {
    base_url: baseUrl,
    project_id: projectId,
    organization_id: organizationId,
    profile,
  }
  const [, name = ''] = providerName.split('/')
  const required: HclBlock = {
    type: 'required_providers',
    attributes: { [name]: { is: 'members', members: { source: writtenOf(providerName) } } },
  }
  return [
    { type: 'terraform', attributes: { required_version: writtenOf(since) }, blocks: [required] },
    {
      type: 'provider',
      labels: [name],
      attributes: Object.fromEntries(
        Object.entries(settings).flatMap(([attribute, value]) =>
          value === undefined ? [] : [[attribute, writtenOf(value)] as const],
        ),
      ),
    },
  ]
}

/** A file for the resources of each kind; grants follow their flags. */
export function resourceFiles(resources: readonly LiveResource[]): ConfigurationFile[] {
  const sections = new Map<string, LiveResource[]>()
  for (const resource of resources) {
    const { parent } = resource.kind.lifecycle
    const { section } = parent ? declarableKind(parent.kind) : resource.kind
    sections.set(section, [...(sections.get(section) ?? []), resource])
  }
  return [...sections].map(([name, those]) => ({
    path: `${name}.tf`,
    text: hclFile(those.map(resourceBlock)),
  }))
}

export function resourceBlock({ type, name, attributes, ignored, isProtected }: LiveResource): HclBlock {
  const all = ignored.includes('all') ? addressOf('all') : undefined
  const lifecycle = {
    ...(isProtected ? { prevent_destroy: writtenOf(true) } : {}),
    ...(ignored.length > 0
      ? { ignore_changes: all ?? { is: 'list' as const, elements: ignored.map(addressOf) } }
      : {}),
  }
  const blocks = Object.keys(lifecycle).length > 0 ? [{ type: 'lifecycle', attributes: lifecycle }] : []
  return { type: 'resource', labels: [type, name], attributes, blocks }
}

export function importBlock({ type, name, importId }: LiveResource): HclBlock {
  const attributes: WrittenMembers = { to: addressOf(`${type}.${name}`), id: writtenOf(importId) }
  return { type: 'import', attributes }
}

export function addressOf(text: string): WrittenValue {
  return { is: 'address', text }
}

/** The widest line, in columns; a longer value is split over several lines, if possible. */
const width = 100

/** A value in Terraform's language, on one line. */
export function hclInline(written: WrittenValue): string {
  switch (written.is) {
    case 'value': {
      const { value } = written
      if (typeof value === 'string') return quoted(value)
      return value === null || typeof value === 'boolean' ? String(value) : numberText(value)
    }
    case 'list':
      return `[${written.elements.map(hclInline).join(', ')}]`
    case 'members': {
      const members = Object.entries(written.members).map(
        ([name, member]) => `${keyText(name)} = ${hclInline(member)}`,
      )
      return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
    }
    case 'json':
      return `jsonencode(${hclInline(writtenOf(written.json))})`
    case 'reference':
      return [written.to.type, written.to.name, written.to.attribute].join('.')
    case 'address':
      return written.text
  }
}

/** A value on as many lines as it needs, after `taken` columns; each further line begins with `indent`. */
export function hclText(written: WrittenValue, indent: string, taken: number): string {
  const heredoc = written.is === 'value' && typeof written.value === 'string' && heredocOf(written.value)
  if (heredoc) return heredoc
  const inline = hclInline(written)
  if (taken + inline.length <= width && !holdsLines(written)) return inline
  const inside = `${indent}  `
  switch (written.is) {
    case 'list': {
      if (written.elements.length === 0) return inline
      const lines = written.elements.map(element => `${inside}${inList(element, inside)},\n`)
      return `[\n${lines.join('')}${indent}]`
    }
    case 'members':
      return `{\n${attributeLines(written.members, inside, keyText)}${indent}}`
    case 'json':
      return `jsonencode(${hclText(writtenOf(written.json), indent, taken + 'jsonencode('.length)})`
    default:
      return inline
  }
}

/** Names with their values, one per line. Their equals signs are aligned if the value has one line. */
function attributeLines(
  members: WrittenMembers,
  indent: string,
  nameOf: (name: string) => string = name => name,
): string {
  const rows = Object.entries(members).map(([name, value]) => {
    const written = nameOf(name)
    return { name: written, text: hclText(value, indent, indent.length + written.length + 3) }
  })
  return rows
    .map(({ name, text }, index) => {
      const isOneLine = (row: number) => rows[row] !== undefined && isAligned(rows[row].text)
      if (!isOneLine(index)) return `${indent}${name} = ${text}\n`
      let [from, to] = [index, index]
      while (isOneLine(from - 1)) from--
      while (isOneLine(to + 1)) to++
      const widest = Math.max(...rows.slice(from, to + 1).map(row => row.name.length))
      return `${indent}${name.padEnd(widest)} = ${text}\n`
    })
    .join('')
}

/** A text of several lines is aligned by its first line. */
function isAligned(text: string): boolean {
  return !text.includes('\n') || text.startsWith('<<')
}

/** In a list, a text has one line, because a heredoc could not be followed by a comma. */
function inList(element: WrittenValue, indent: string): string {
  return element.is === 'value' ? hclInline(element) : hclText(element, indent, indent.length + 1)
}

/** Whether a value has texts that are easier to read over several lines. */
function holdsLines(written: WrittenValue): boolean {
  if (written.is !== 'members') return false
  return Object.values(written.members).some(
    member =>
      member.is === 'value' && typeof member.value === 'string' && heredocOf(member.value) !== undefined,
  )
}

const plainWord = /^[a-z_]\w*$/i
/** Words with another meaning at the start of an object. */
const reserved = new Set(['for', 'if', 'in', 'null', 'true', 'false'])

function keyText(name: string): string {
  return plainWord.test(name) && !name.startsWith('_') && !reserved.has(name) ? name : quoted(name)
}

/** A text in quotes. Invisible characters are written as numeric escapes. */
export function quoted(text: string): string {
  const escaped = text.replace(/["\\\n\r\t]/g, sign => escapes.get(sign) ?? sign)
  return `"${withoutTemplates(escaped).replace(unseen, codeOf)}"`
}

const escapes = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

/** Invisible characters, and characters that change how others are displayed. */
export const unseen =
  /[\p{Control}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}\p{Unassigned}\p{Private_Use}]|(?! )\p{Space_Separator}/gu

function codeOf(sign: string): string {
  const digits = (sign.codePointAt(0) ?? 0).toString(16)
  return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`
}

/** A text of whole lines as a heredoc; undefined if quotes are better. */
function heredocOf(text: string): string | undefined {
  const lines = text.split('\n')
  if (lines.length < 3 || lines.at(-1) !== '' || /\r/.test(text)) return undefined
  if (text.replace(/[\n\t]/g, '').search(unseen) >= 0) return undefined
  const taken = new Set(lines.map(line => line.trim()))
  let word = 'EOT'
  while (taken.has(word)) word += 'T'
  return `<<${word}\n${withoutTemplates(text)}${word}`
}

export interface HclBlock {
  readonly type: string
  readonly labels?: readonly string[]
  readonly attributes?: WrittenMembers
  readonly blocks?: readonly HclBlock[]
}

/** Blocks as in a file, formatted like `terraform fmt`. */
export function hclFile(blocks: readonly HclBlock[]): string {
  return blocks.map(block => blockText(block, '')).join('\n')
}

function blockText({ type, labels = [], attributes = {}, blocks = [] }: HclBlock, indent: string): string {
  const inside = `${indent}  `
  const parts = [attributeLines(attributes, inside), ...blocks.map(block => blockText(block, inside))].filter(
    text => text !== '',
  )
  const head = [type, ...labels.map(quoted)].join(' ')
  return `${indent}${head} {\n${parts.join('\n')}${indent}}\n`
}
