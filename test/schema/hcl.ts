/** Enough of Terraform's language to read the examples of the reference, and to refuse what is no such text. */

export interface Block {
  readonly type: string
  readonly labels: readonly string[]
  readonly attributes: Readonly<Record<string, Expression>>
  readonly blocks: readonly Block[]
}

/** An object or a list with what is in it; of everything else only the addresses that it names count. */
export type Expression =
  | { readonly is: 'object'; readonly members: Readonly<Record<string, Expression>> }
  | { readonly is: 'list'; readonly elements: readonly Expression[] }
  | { readonly is: 'other'; readonly addresses: readonly string[]; readonly calls: readonly string[] }

export function readHcl(text: string): readonly Block[] {
  const reader = new Reader(tokensOf(text))
  const { attributes, blocks } = reader.body('end of the text')
  if (Object.keys(attributes).length > 0) throw new SyntaxError('an attribute outside of any block')
  return blocks
}

const token =
  /\s*(?:#[^\n]*\n\s*)*(?:("(?:[^"\\]|\\.)*")|(\d+(?:\.\d+)?)|([A-Za-z_][\w-]*)|(::|[{}[\]()=:,.])|$)/y
const end = 'end of the text'

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const match = token.exec(text)
    if (!match) throw new SyntaxError(`no HCL: ${JSON.stringify(text.slice(at, at + 20))}`)
    const found = match.slice(1).find(part => part !== undefined)
    if (found === undefined) break
    tokens.push(found)
  }
  return [...tokens, end]
}

class Reader {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  body(close: string): Pick<Block, 'attributes' | 'blocks'> {
    const attributes: Record<string, Expression> = {}
    const blocks: Block[] = []
    while (!this.#takes(close)) {
      const name = this.#name()
      if (this.#takes('=')) {
        if (name in attributes) throw new SyntaxError(`"${name}" is given twice`)
        attributes[name] = this.#expression()
        continue
      }
      const labels: string[] = []
      while (!this.#takes('{')) labels.push(this.#text())
      blocks.push({ type: name, labels, ...this.body('}') })
    }
    return { attributes, blocks }
  }

  #expression(): Expression {
    if (this.#takes('{')) return this.#object()
    if (this.#peek() === '[' && this.#peek(1) === 'for') return this.#for()
    if (this.#takes('[')) return { is: 'list', elements: this.#several(']') }
    const first = this.#next()
    if (/^["\d]/.test(first)) return { is: 'other', addresses: [], calls: [] }
    return this.#address(first)
  }

  #object(): Expression {
    const members: Record<string, Expression> = {}
    while (!this.#takes('}')) {
      const name = this.#peek().startsWith('"') ? this.#text() : this.#name()
      this.#takes('=') || this.#expect(':')
      if (name in members) throw new SyntaxError(`"${name}" is given twice`)
      members[name] = this.#expression()
      this.#takes(',')
    }
    return { is: 'object', members }
  }

  /** `[for each in LIST : VALUE]`; only the list is looked at, the value hangs from the loop's own name. */
  #for(): Expression {
    this.#expect('[')
    this.#expect('for')
    this.#name()
    this.#expect('in')
    const list = this.#expression()
    this.#expect(':')
    this.#expression()
    this.#expect(']')
    return list
  }

  #address(first: string): Expression {
    if (!/^[A-Za-z_]/.test(first)) throw new SyntaxError(`"${first}" begins no value`)
    let address = first
    while (this.#peek() === '::' || this.#peek() === '.') address += this.#next() + this.#name()
    if (!this.#takes('(')) return { is: 'other', addresses: [address], calls: [] }
    const given = this.#several(')')
    while (this.#takes('.')) this.#name()
    const inside = given.flatMap(each => (each.is === 'other' ? [each] : []))
    return {
      is: 'other',
      addresses: inside.flatMap(({ addresses }) => addresses),
      calls: [`${address}/${given.length}`, ...inside.flatMap(({ calls }) => calls)],
    }
  }

  #several(close: string): Expression[] {
    const all: Expression[] = []
    while (!this.#takes(close)) {
      all.push(this.#expression())
      if (this.#peek() !== close) this.#expect(',')
    }
    return all
  }

  #text(): string {
    const next = this.#next()
    if (!next.startsWith('"')) throw new SyntaxError(`"${next}" where a text was expected`)
    return JSON.parse(next) as string
  }

  #name(): string {
    const next = this.#next()
    if (next === end || !/^[A-Za-z_]/.test(next)) throw new SyntaxError(`"${next}" where a name was expected`)
    return next
  }

  #expect(wanted: string): void {
    const next = this.#next()
    if (next !== wanted) throw new SyntaxError(`"${next}" where "${wanted}" was expected`)
  }

  #takes(wanted: string): boolean {
    if (this.#peek() !== wanted) return false
    this.#at += 1
    return true
  }

  #peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead] ?? end
  }

  #next(): string {
    const next = this.#peek()
    this.#at += 1
    return next
  }
}
