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

/** The address of the service in the example; the sandbox of the picture has another one. */
const address = 'http://127.0.0.1:8100'

const line = 'plan --env production --target checkout_v2 --target dark-mode --target old-search'

/** An edit of the example that goes too far in one step, as its README proposes. */
const edit = { file: 'flags/platform.yaml', from: 'rollout_percentage: 50', to: 'rollout_percentage: 100' }

/** The picture of the README: what `vexil plan` prints of `examples/gitops` against a fresh sandbox. */
export async function planPicture(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-picture-'))
  const sandbox = await createSandbox({ runtime: realRuntime, empty: false })
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 })
  try {
    await cp(join(root, 'examples/gitops'), folder, { recursive: true })
    await replace(join(folder, edit.file), edit.from, edit.to)
    await replace(join(folder, 'vexil.yaml'), address, served.url)
    // In the folder itself, so that the next command which the plan names has no path of this machine.
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
  if (!text.includes(from)) throw new Error(`"${file}" does not say "${from}"`)
  // In `vexil.yaml` each environment has the address; of the flags only the first counts.
  await writeFile(file, from === address ? text.replaceAll(from, to) : text.replace(from, to))
}

/** The look of some characters of a terminal: what the colour codes before them turned on. */
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

/** What each code that `report/style` writes does to the look. */
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
/** Above and below: up to the base lines of the text. */
const margin = { side: 18, top: 46, bottom: 22 }

/**
 * Draws the output of a command as a picture of a terminal. It needs no browser and no font of its own: each run of
 * characters has its place and its length, whichever fixed-width font the reader has.
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

/** A line as runs of one style, in as many rows as it needs. */
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
 * The ends of the rows of a line, without the last one: at a space if there is one, so that no name is split.
 * Later rows have the indent of the line.
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

/** The arguments of Node that run the command without a build, before those of the command. */
export const vexilFromSource: readonly string[] = [
  '--import',
  loader,
  join(import.meta.dirname, '../cli/from-source.ts'),
]
