import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { argv, stdout } from 'node:process'
import { diffArrays } from 'diff'
import { productOf, terraform } from '../acceptance/support/binary.ts'
import { describeLife, type Sections } from './describe-calls.ts'
import { binaryOf, builtEngines, titleOf } from './engines.ts'
import { type Engine, recordLife } from './life-of-flags.ts'

/*
 * tsx test/engines/provider-calls.ts [NAME ...]
 *
 * Records anew how engines call the provider, into `provider-calls.txt`: those that are named, or all that are found. It
 * needs `npm run bundle`. What is recorded of other engines stays.
 */

export const callsFile = join(import.meta.dirname, 'provider-calls.txt')

/** From the title of an engine to its calls. */
type Calls = ReadonlyMap<string, Sections>

/** The Terraform on the PATH, and those that `npm run engines` builds. Terraform 1.5 has no functions of providers. */
export function enginesForCalls(): readonly Engine[] {
  const { command = '', version } = terraform ?? {}
  const onPath = terraform ? [{ title: `${productOf(command).toLowerCase()}-${version}`, command }] : []
  const others = builtEngines().map(engine => ({ title: titleOf(engine), command: binaryOf(engine) }))
  return [...onPath, ...others].filter(({ title }) => title !== 'terraform-1.5.7')
}

/** The text of a file: each line once, and before it the letters of the engines that have it. */
export function renderCalls(calls: Calls): string {
  const titles = [...calls.keys()].sort()
  // One engine has all sections.
  const [longest] = [...calls.values()].sort((one, other) => other.size - one.size)
  const sections = [...(longest?.keys() ?? [])].map(name => {
    const merged = mergeLines(titles.map(title => calls.get(title)?.get(name) ?? []))
    const lines = merged.map(({ text, has }) => {
      const marks = titles.map((_, index) => (has.includes(index) ? letterAt(index) : '.'))
      return `${marks.join('')}  ${text}`
    })
    return [`## ${name}`, ...lines].join('\n')
  })
  const columns = titles.map((title, index) => `${letterAt(index)} = ${title}`)
  return `${[preface, columns.join('\n'), ...sections].join('\n\n')}\n`
}

/** The calls of each engine in such a text. */
export function parseCalls(text: string): Calls {
  const titles = [...text.matchAll(/^[a-z] = (\S+)$/gm)].map(([, title = '']) => title)
  const sections = text.split('\n## ').slice(1)
  const linesOf = (section: string, index: number) => {
    const [name = '', ...lines] = section.trimEnd().split('\n')
    const own = lines.filter(line => line[index] === letterAt(index))
    return own.length > 0 ? [[name, own.map(line => line.slice(titles.length + 2))] as const] : []
  }
  return new Map(
    titles.map((title, index) => [title, new Map(sections.flatMap(section => linesOf(section, index)))]),
  )
}

const preface = `How engines call the provider, recorded by \`tsx test/engines/provider-calls.ts\`. An engine has the lines with its letter.

The order is the same in each run, because the objects form one chain (data source, terraform_data, two flags, data source,
imported flag, output with functions) and -parallelism=1 is given to the commands that have it; processes that overlap are
listed one after the other, by their starts. The engine starts each process; "as validate 2" is the second process of that
command once more. After "config", "prior", "proposed", "planned" and "state" come the paths that are unknown there, and all
else is known; "computed but" means all computed attributes without those that follow. "+private" means private state that
is not empty. "nothing" is a plan that equals the state. The calls of every plugin, such as Shutdown, are left out.`

interface Line {
  readonly text: string
  /** The indices of the engines that have it. */
  readonly has: readonly number[]
}

/** One sequence that contains each of these. */
function mergeLines(all: readonly (readonly string[])[]): readonly Line[] {
  return all.reduce<readonly Line[]>((merged, lines, index) => {
    const before = merged.values()
    const texts = merged.map(({ text }) => text)
    return diffArrays(texts, [...lines]).flatMap(({ value, added, removed }) =>
      value.map(text => {
        const has = added ? [] : before.next().value!.has
        return { text, has: removed ? has : [...has, index] }
      }),
    )
  }, [])
}

function letterAt(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index)
}

if (argv[1] === import.meta.filename) {
  const named = argv.slice(2)
  const calls = new Map(parseCalls(await readFile(callsFile, 'utf8').catch(() => '')))
  for (const engine of enginesForCalls().filter(({ title }) => named.length === 0 || named.includes(title))) {
    stdout.write(`${engine.title}\n`)
    calls.set(engine.title, describeLife(await recordLife(engine)))
  }
  await writeFile(callsFile, renderCalls(calls))
}
