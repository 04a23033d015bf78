import type { Page } from './pages.ts'

/** A piece of code in a page. */
export interface Block {
  readonly language: string
  readonly code: string
  readonly line: number
  /** The comment before it: why it is not run, or what it needs. */
  readonly marker?: string
}

const pattern = /(?:^<!-- ((?:not run: |needs )[^\n]*) -->\n)?^```(\w+)\n([\s\S]*?)^```$/gm

export function blocksOf({ text }: Page): Block[] {
  return Array.from(text.matchAll(pattern), match => {
    const [, marker, language = '', code = ''] = match
    const line = text.slice(0, match.index).split('\n').length
    return { language, code, line, ...(marker === undefined ? {} : { marker }) }
  })
}

/** The path that a block gives to itself in its first line: `# flags/checkout.yaml`, `// main.ts`. */
export function fileOf({ code }: Block): string | undefined {
  return /^(?:#|\/\/) ([\w./-]+\.\w+)\n/.exec(code)?.[1]
}

/**
 * The blocks of a page as one script: what is named as a file is written, what is for a shell is run, in the order of
 * the page. A command that stays in the foreground of a terminal of its own is put into the background here.
 */
export function scriptOf(page: Page, tools: readonly string[]): string {
  const parts = blocksOf(page).map(block => {
    const file = fileOf(block)
    if (block.language !== 'sh') return file === undefined ? '' : fileWritten(file, block.code)
    const isRun = block.marker === undefined || tools.some(tool => block.marker === `needs ${tool}`)
    return isRun ? block.code.split('\n').map(waited).join('\n') : ''
  })
  return [preamble, ...parts.filter(part => part !== '')].join('\n')
}

const preamble = `set -euo pipefail
listening() { for _ in {1..300}; do (: < "/dev/tcp/127.0.0.1/$1") 2> /dev/null && return; sleep 0.1; done; return 1; }
`

function fileWritten(path: string, text: string): string {
  return `mkdir -p "$(dirname '${path}')"\ncat > '${path}' << 'END OF FILE'\n${text}END OF FILE\n`
}

/** People see that a server listens before they go on. */
function waited(line: string): string {
  const port = /^(?:npx )?vexil sandbox .*--port (\d+)/.exec(line)?.[1]
  return port === undefined ? line : `${line.replace(/ *&$/, '')} &\nlistening ${port}`
}
