import { Alias, isMap, isScalar, isSeq, type Node, parseAllDocuments, Scalar, type YAMLError } from 'yaml'
import { elsewhere, invalid, invalidToTerraform, unsupported } from '../../../../cty/invalid-value.ts'
import { membersOf, nothing, object, ofText, sequenceOf, type Typed, tuple } from '../../../../cty/typed.ts'
import { deepest, mostParts, tooDeep } from '../../../../model/limits.ts'
import type { Engine } from '../../scope.ts'
import { plainValue } from './yaml-plain.ts'

/** YAML as Terraform reads it: maps are objects, lists are tuples, and plain texts may be numbers, bools, dates or null. */
export function decodeYaml(written: string, engine: Engine | undefined): Typed {
  const text = readableText(written)
  // Nothing is resolved by the library: what plain texts mean is another question in each version of YAML.
  const documents = parseAllDocuments(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    logLevel: 'silent',
    strict: true,
  })
  const [document, ...others] = Array.isArray(documents) ? documents : []
  if (!document || others.length > 0 || document.contents === null || /^\s*\.\.\.(?:\s|$)/.test(text))
    throw invalid('the text is not one YAML document')
  const [error] = document.errors
  if (error) throw unreadable(error, text)
  const { yaml } = document.directives ?? {}
  if (
    document.warnings.some(({ code }) => code === 'BAD_DIRECTIVE') ||
    (yaml?.explicit && yaml.version !== '1.1')
  )
    throw invalid('the text has a directive that YAML 1.1 does not have')
  return new Reader(text, engine).typedOf(document.contents, 0, false)
}

/** The text with line ends of one kind. */
function readableText(written: string): string {
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|\p{Surrogate}/u.test(written))
    throw invalid('the text has control characters, which YAML does not allow')
  if (/[\u2028\u2029]/.test(written)) throw unsupported('such line ends in YAML', elsewhere)
  return written.replace(/\r\n?|\u0085/g, '\n')
}

/** The library wants more indentation than Terraform, and reads signs in brackets in another way. */
function unreadable({ code, message }: YAMLError, text: string) {
  const [problem = ''] = message.split(/ at line \d/)
  const isOtherwise = code === 'BAD_INDENT' || code === 'BLOCK_IN_FLOW'
  const isOfLines = code === 'MISSING_CHAR' && /^(?:Missing closing|Comments)/.test(problem)
  return isOtherwise || (isOfLines && text.includes('\n'))
    ? unsupported(`YAML in this form: ${problem}`, elsewhere)
    : invalid(`the text is not YAML: ${problem}`)
}

class Reader {
  readonly #text: string
  readonly #engine: Engine | undefined
  readonly #anchors = new Map<string, { readonly value: Typed; readonly parts: number }>()
  #parts = 0

  constructor(text: string, engine: Engine | undefined) {
    this.#text = text
    this.#engine = engine
  }

  typedOf(node: unknown, depth: number, isInFlow: boolean): Typed {
    if (depth > deepest) throw invalid(tooDeep)
    if (node instanceof Alias) return this.#meantBy(node)
    const before = this.#parts
    this.#parts += 1
    const value = this.#valueOf(node, depth, isInFlow)
    const anchor = isScalar(node) || isSeq(node) || isMap(node) ? node.anchor : undefined
    // Only from here on: what is inside cannot mean the whole.
    if (anchor !== undefined && !/^[\w-]+$/.test(anchor)) throw invalid(`&${anchor} is no anchor in YAML 1.1`)
    if (anchor !== undefined) this.#anchors.set(anchor, { value, parts: this.#parts - before })
    return value
  }

  #meantBy({ source }: Alias): Typed {
    const found = this.#anchors.get(source)
    if (!found) throw invalid(`there is no anchor &${source} before the alias *${source}`)
    this.#parts += found.parts
    // Aliases of aliases are small in the text, and take for ever to go through.
    if (this.#parts > mostParts) throw unsupported(`YAML of more than ${mostParts} parts`, elsewhere)
    return found.value
  }

  #valueOf(node: unknown, depth: number, isInFlow: boolean): Typed {
    if (isScalar(node)) return this.#scalarOf(node, isInFlow)
    if (isSeq(node)) {
      requireTag(node, 'seq')
      return tuple(node.items.map(item => this.typedOf(item, depth + 1, node.flow === true)))
    }
    if (!isMap(node)) return nothing
    requireTag(node, 'map')
    const isFlow = node.flow === true || isInFlow
    const members = node.items.flatMap(({ key, value }): readonly (readonly [string, Typed])[] => {
      const name = this.#nameOf(key, isFlow)
      if (isFlow) this.#requireApart(key, value)
      const member = this.typedOf(value, depth + 1, isFlow)
      return name === '<<' ? mergedOf(member, this.#engine) : [[name, member]]
    })
    // The last of a name counts, wherever it comes from.
    return object(new Map(members))
  }

  #nameOf(key: unknown, isInFlow: boolean): string {
    if (key instanceof Alias) throw invalid(`the alias *${key.source} cannot be a name`)
    if (!isScalar(key) || key.source === undefined) throw unsupported('such a name in YAML', elsewhere)
    const { plain } = this.typedOf(key, 0, isInFlow)
    if (plain === null) throw invalid('null cannot be a name')
    return String(plain)
  }

  /** `{a:}` has a name with a colon there. */
  #requireApart(key: unknown, value: unknown): void {
    const from = isScalar(key) && key.type === Scalar.PLAIN ? key.range?.[1] : undefined
    const isEmpty = value === null || (isScalar(value) && value.source === '')
    if (from !== undefined && isEmpty && /^:[,\]}]/.test(this.#text.slice(from, from + 2)))
      throw unsupported('a name without a space behind its colon in YAML', elsewhere)
  }

  #scalarOf(node: Scalar, isInFlow: boolean): Typed {
    requireTag(node, 'str')
    const text = String(node.value ?? '')
    switch (node.type) {
      case Scalar.BLOCK_LITERAL:
      case Scalar.BLOCK_FOLDED:
        return text === '' ? nothing : ofText(this.#blockText(node, text).normalize('NFC'))
      case Scalar.QUOTE_DOUBLE:
        requireEscapes(this.#text.slice(node.range?.[0], node.range?.[1]))
        return ofText(text.normalize('NFC'))
      case Scalar.PLAIN:
        if (isInFlow && /^:|\?/.test(text))
          throw unsupported(
            `${JSON.stringify(text.slice(0, 60))} without quotes in brackets in YAML`,
            elsewhere,
          )
        return node.tag === undefined ? plainValue(text) : ofText(text.normalize('NFC'))
      default:
        return ofText(text.normalize('NFC'))
    }
  }

  /** The library ends the last line of a block, which Terraform does not do for the text. */
  #blockText(node: Scalar, text: string): string {
    const last = this.#text.slice(this.#text.lastIndexOf('\n') + 1)
    const isAtEnd = node.range?.[1] === this.#text.length && last !== ''
    if (!isAtEnd || !text.endsWith('\n')) return text
    const made = text.slice(0, -1)
    const isWritten = /\S/.test(last) || /(?:^|\n)[ \t]+$/.test(made)
    return isWritten ? made : text
  }
}

/** The members that `<<` brings in: of a map, and for OpenTofu of a list of maps too, in which the last of a name counts. */
function mergedOf(value: Typed, engine: Engine | undefined): readonly (readonly [string, Typed])[] {
  const list = sequenceOf(value)
  if (list && engine !== 'OpenTofu') throw invalidToTerraform(engine, '<< stands before a list')
  if (list) return list.elements.flatMap(each => mergedOf(each, 'Terraform'))
  const named = membersOf(value)
  if (!named) throw invalid('<< stands before something else than a map')
  return [...named.members]
}

function requireTag({ tag }: Pick<Node, 'tag'>, own: 'str' | 'seq' | 'map'): void {
  if (tag === undefined || tag === `tag:yaml.org,2002:${own}`) return
  if (/^tag:yaml\.org,2002:(?:str|seq|map)$/.test(tag))
    throw invalid(`the tag ${tag} stands before something else`)
  throw unsupported(`the tag ${tag} in YAML`, elsewhere)
}

/** Two escapes that the library reads and Terraform refuses: of a slash, and of half a character. */
function requireEscapes(quoted: string): void {
  const stray = /(?<!\\)(?:\\\\)*(\\(?:\/|u[dD][89a-fA-F]))/.exec(quoted)
  if (stray) throw invalid(`${stray[1]} is no escape in YAML 1.1`)
}
