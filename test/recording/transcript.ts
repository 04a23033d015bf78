import { join } from 'node:path'
import type { Scene } from './scene.ts'

export const recordedFolder = join(import.meta.dirname, 'worlds')

export function transcriptPath(scene: string): string {
  return join(recordedFolder, `${scene}.txt`)
}

export interface SentRequest {
  /** Method, path and query. */
  readonly line: string
  /** Whole, as it was sent; empty for none. */
  readonly body: string
}

/** The result of a command. */
export interface Happened {
  /** Such as `vexil plan --json`. */
  readonly command: string
  readonly code: number
  readonly requests: readonly SentRequest[]
  readonly stdout: string
  readonly stderr: string
}

/**
 * A recording as text:
 *
 * | line                 | is                                                               |
 * |----------------------|------------------------------------------------------------------|
 * | `# ...`              | the scene, for readers                                           |
 * | `$ vexil ...`        | a command; what follows is of it                                 |
 * | `exit 0`             | how it ended                                                     |
 * | `> GET /api/...`     | a request, in the order of their arrival                         |
 * | `= {...}`            | the body of that request                                         |
 * | `out ...`, `err ...` | a line of standard output and of standard error                  |
 * | `out- ...`           | a last line without a line end                                   |
 *
 * A body or a line with characters that no editor shows is written as JSON text, after `json`: `out json "\u0007"`.
 */
export function writeTranscript({ name, shows }: Scene, happened: readonly Happened[]): string {
  const lines = happened.flatMap(({ command, code, requests, stdout, stderr }) => [
    '',
    `$ ${command}`,
    `exit ${code}`,
    ...requests.flatMap(({ line, body }) => [marked('>', line), ...(body === '' ? [] : [marked('=', body)])]),
    ...marksOf('out', stdout),
    ...marksOf('err', stderr),
  ])
  return [`# ${name}: ${shows}`, ...lines, ''].join('\n')
}

export function readTranscript(text: string): Happened[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const [command = '', ...lines] = part.split('\n')
      const requests: SentRequest[] = []
      const texts = { out: '', err: '' }
      let code = Number.NaN
      for (const line of lines) {
        if (line === '') continue
        const [, mark, rest = ''] = /^(\S+)(?: (.*))?$/.exec(line) ?? []
        const value = /^json "/.test(rest) ? String(JSON.parse(rest.slice('json '.length))) : rest
        const last = requests.at(-1)
        if (mark === 'exit') code = Number(value)
        else if (mark === '>') requests.push({ line: value, body: '' })
        else if (mark === '=' && last) requests.splice(-1, 1, { ...last, body: value })
        else if (mark === 'out' || mark === 'err') texts[mark] += `${value}\n`
        else if (mark === 'out-' || mark === 'err-') texts[mark === 'out-' ? 'out' : 'err'] += value
        else throw new Error(`a recording has no line such as "${line}"`)
      }
      return { command, code, requests, stdout: texts.out, stderr: texts.err }
    })
}

function marksOf(mark: 'out' | 'err', text: string): readonly string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return [...lines.map(line => marked(mark, line)), ...(last === '' ? [] : [marked(`${mark}-`, last)])]
}

function marked(mark: string, text: string): string {
  if (text === '') return mark
  const isPlain = /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(text) && !text.startsWith('json "') && !/ $/.test(text)
  return `${mark} ${isPlain ? text : `json ${escaped(text)}`}`
}

/** What no editor shows, as JSON writes it. */
function escaped(text: string): string {
  return JSON.stringify(text).replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, character =>
    [...character.split('')].map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  )
}
