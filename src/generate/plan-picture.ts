import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { realRuntime } from '../core/real-runtime.ts'
import { createSandbox, serveSandbox } from '../sandbox/index.ts'

const root = join(import.meta.dirname, '../..')

/** The service's address in the example. The sandbox for the picture has another address. */
const address = 'http://127.0.0.1:8100'

const line = 'plan --env production --target checkout_v2 --target dark-mode --target old-search'

/** An edit of the example that widens too much in one step, as its README suggests. */
const edit = { file: 'flags/platform.yaml', from: 'rollout_percentage: 50', to: 'rollout_percentage: 100' }

/** The picture in the README: the output of `vexil plan` for `examples/gitops` and a new sandbox. */
export async function planPicture(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-picture-'))
  const sandbox = await createSandbox({ runtime: realRuntime, empty: false })
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 })
  try {
    await cp(join(root, 'examples/gitops'), folder, { recursive: true })
    await replace(join(folder, edit.file), edit.from, edit.to)
    await replace(join(folder, 'vexil.yaml'), address, served.url)
    // Runs in the folder itself, so that the printed next command contains no path of this machine.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...vexilFromSource, ...line.split(' '), '--color', 'always'],
      { cwd: folder, env: { PATH: process.env.PATH, VEXIL_API_KEY: sandbox.summary.api_key } },
    )
    return terminalSvg(`vexil ${line}`, `$ vexil ${line}\n\n${stdout.replaceAll(served.url, address)}`)
  } finally {
    await served.close()
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function replace(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (!text.includes(from)) throw new Error(`"${file}" does not contain "${from}"`)
  // In `vexil.yaml` each environment has the address. Among the flags only the first match is edited.
  await writeFile(file, from === address ? text.replaceAll(from, to) : text.replace(from, to))
}

/** The style of characters in a terminal: the styles that colour codes have turned on. */
interface Look {
  readonly isBold: boolean
  readonly isDim: boolean
  readonly colour: 'plain' | 'red' | 'green' | 'yellow'
}

interface Run {
  readonly text: string
  readonly look: Look
}

const plain: Look = { isBold: false, isDim: false, colour: 'plain' }

/** How each code from `report/style` changes the style. */
const codes: Readonly<Record<string, Partial<Look>>> = {
  1: { isBold: true },
  2: { isDim: true },
  22: { isBold: false, isDim: false },
  31: { colour: 'red' },
  32: { colour: 'green' },
  33: { colour: 'yellow' },
  39: { colour: 'plain' },
}

const columns = 110
const character = { width: 7.8, height: 18 }
/** Top and bottom are measured from the base lines of the text. */
const margin = { side: 18, top: 46, bottom: 22 }

/**
 * Draws the output of a command as a picture of a terminal. It needs no browser and no special font: each run
 * of characters has a fixed position and length, for any fixed-width font.
 */
export function terminalSvg(title: string, output: string): string {
  const lines = output
    .trimEnd()
    .split('\n')
    .flatMap(line => wrapped(line))
  const width = Math.ceil(columns * character.width + 2 * margin.side)
  const height = margin.top + (lines.length - 1) * character.height + margin.bottom
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d6deeb; white-space: pre }
.bold { font-weight: bold } .dim { fill: #8391a5 } .red { fill: #ff7b72 } .green { fill: #7ee787 } .yellow { fill: #f2cc60 }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="#0d1117" stroke="#30363d"/>
<circle cx="20" cy="18" r="5" fill="#ff5f57"/><circle cx="38" cy="18" r="5" fill="#febc2e"/><circle cx="56" cy="18" r="5" fill="#28c840"/>
${lines.flatMap((runs, row) => drawn(runs, margin.top + row * character.height)).join('\n')}
</svg>
`
}

function drawn(runs: readonly Run[], y: number): string[] {
  let column = 0
  return runs.flatMap(({ text, look }) => {
    const lead = text.length - text.trimStart().length
    const x = margin.side + (column + lead) * character.width
    const shown = text.trim()
    column += text.length
    if (shown === '') return []
    const length = round(shown.length * character.width)
    return [`<text x="${round(x)}" y="${y}" textLength="${length}"${classOf(look)}>${escaped(shown)}</text>`]
  })
}

function classOf({ isBold, isDim, colour }: Look): string {
  const names = [
    ...(isBold ? ['bold'] : []),
    ...(isDim ? ['dim'] : []),
    ...(colour === 'plain' ? [] : [colour]),
  ]
  return names.length === 0 ? '' : ` class="${names.join(' ')}"`
}

/** A line as runs with one style, in as many rows as necessary. */
function wrapped(line: string): Run[][] {
  const { indent, ends } = foldOf(line.replaceAll(codePattern, ''))
  const rows: Run[][] = [[]]
  let look = plain
  let column = 0
  for (const [, code, text = ''] of line.matchAll(/\u001b\[(\d+)m|([^\u001b]+)/g)) {
    if (code !== undefined) look = { ...look, ...codes[code] }
    for (let rest = text; rest !== ''; ) {
      const end = ends[rows.length - 1] ?? Number.POSITIVE_INFINITY
      const part = rest.slice(0, end - column)
      rows.at(-1)?.push({ text: part, look })
      rest = rest.slice(part.length)
      column += part.length
      if (column === end) rows.push([{ text: indent, look: plain }])
    }
  }
  return rows
}

const codePattern = /\u001b\[\d+m/g

/**
 * Where the rows of a line end, except the last row: at a space if possible, so that names are not split.
 * Later rows have the line's indent.
 */
function foldOf(text: string): { readonly indent: string; readonly ends: readonly number[] } {
  const indent = text.slice(0, text.search(/\S|$/))
  const ends: number[] = []
  for (let start = 0; ; ) {
    const room = ends.length === 0 ? columns : columns - indent.length
    if (text.length - start <= room) return { indent, ends }
    const space = text.lastIndexOf(' ', start + room)
    start = space > start + (ends.length === 0 ? indent.length : 0) ? space + 1 : start + room
    ends.push(start)
  }
}

const round = (number: number) => Math.round(number * 10) / 10

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** Node's arguments that run the command without a build. They come before the command's own arguments. */
export const vexilFromSource: readonly string[] = [
  '--import',
  loader,
  join(import.meta.dirname, '../cli/from-source.ts'),
]
