/** Writes down what happens, as a page of Markdown: a heading for each day, who did what, and the texts of the commands. */
export class Story {
  readonly #parts: string[]

  constructor(title: string, introduction: string) {
    this.#parts = [`# ${title}`, introduction]
  }

  day(title: string): void {
    this.#parts.push(`## ${title}`)
  }

  tells(sentence: string): void {
    this.#parts.push(sentence)
  }

  command(words: readonly string[], { code, stdout, stderr }: Ended): void {
    const line = `$ vexil ${words.map(shown).join(' ')}`
    const said = [line, stderr, stdout].map(text => text.trimEnd()).filter(text => text !== '')
    this.#parts.push(['```console', ...said, '```'].join('\n'), `It ends in ${code}.`)
  }

  git(words: readonly string[]): void {
    this.#parts.push(['```console', `$ git ${words.map(shown).join(' ')}`, '```'].join('\n'))
  }

  text(): string {
    return `${this.#parts.join('\n\n')}\n`
  }
}

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A word as somebody types it. */
function shown(word: string): string {
  return /^[\w./=:@-]+$/.test(word) ? word : `'${word}'`
}
