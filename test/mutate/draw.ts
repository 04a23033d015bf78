import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Instrumenter, type InstrumenterOptions, type InstrumentResult } from '@stryker-mutator/instrumenter'
import { globSync } from 'tinyglobby'
import { drawn, type Part, parts } from './parts.ts'

type Mutant = InstrumentResult['mutants'][number]
type Range = Mutant['location']

export interface DrawnMutant {
  /** The changed code knows it by this. */
  readonly id: string
  readonly part: string
  readonly title: string
}

const quiet = () => undefined
const never = () => false
const instrumenter = new Instrumenter({
  ...{ isTraceEnabled: never, isDebugEnabled: never, isInfoEnabled: never, isWarnEnabled: never },
  ...{ isErrorEnabled: never, isFatalEnabled: never, trace: quiet, debug: quiet, info: quiet },
  ...{ warn: quiet, error: quiet, fatal: quiet },
})
/** Functions of the file that is read: the library shows each node of Babel's tree to what may have it ignored. */
const functions: Range[] = []
const options: InstrumenterOptions = {
  plugins: null,
  excludedMutations: [],
  ignorers: [
    {
      shouldIgnore(path) {
        // The library leaves the type open.
        const { node } = path as { readonly node?: { readonly type: string; readonly loc?: Range } }
        if (node?.loc && /Function|Method/.test(node.type)) functions.push(node.loc)
        return undefined
      },
    },
  ],
}

/** Draws mutants of each part, and writes them, switched off, into the files below `root`. */
export async function drawMutants(root: string, seed: string): Promise<DrawnMutant[]> {
  const partOf = new Map<string, string>()
  const places = new Map<string, Range[]>()
  for (const part of parts)
    for (const mutant of await drawFrom(part, root, seed)) {
      partOf.set(changeOf(mutant), part.name)
      places.set(mutant.fileName, [...(places.get(mutant.fileName) ?? []), mutant.location])
    }
  // Only in the places that were drawn: code that counts each of its visits is slow.
  const sources = [...places].map(([name, mutate]) => ({ name, mutate, content: read(root, name) }))
  const { files, mutants } = await instrumenter.instrument(sources, options)
  for (const { name, content } of files) writeFileSync(join(root, name), content)
  return mutants.flatMap(mutant => {
    const { id, fileName, location, mutatorName, replacement } = mutant
    const part = partOf.get(changeOf(mutant))
    const becomes = replacement.replaceAll(/\s+/g, ' ').slice(0, 100)
    const title = `${fileName}:${location.start.line + 1} ${mutatorName} ${becomes}`
    return part ? [{ id, part, title }] : []
  })
}

/**
 * Sorts by a digest of the seed and of the changed line, whatever its place: most mutants of one commit are drawn from a
 * later one as well, although code around them has changed or moved.
 */
async function drawFrom(part: Part, root: string, seed: string): Promise<Mutant[]> {
  const ranked: { readonly mutant: Mutant; readonly rank: string }[] = []
  const times = new Map<string, number>()
  for (const name of globSync([...part.files], { cwd: root }).sort()) {
    functions.length = 0
    const content = read(root, name)
    const { mutants } = await instrumenter.instrument([{ name, content, mutate: true }], options)
    // What runs while a module is loaded cannot be changed later.
    for (const mutant of mutants.filter(({ location }) => functions.some(each => isWithin(location, each)))) {
      const line = content.split('\n')[mutant.location.start.line]?.trim()
      const change = `${seed}\n${line}\n${mutant.mutatorName}\n${mutant.replacement}`
      const before = times.get(change) ?? 0
      times.set(change, before + 1)
      ranked.push({ mutant, rank: createHash('sha256').update(`${change}\n${before}`).digest('hex') })
    }
    // Lets signals in.
    await setImmediate()
  }
  const inOrder = ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1))
  return inOrder.slice(0, drawn).map(({ mutant }) => mutant)
}

/** The library counts lines of mutants from 0, and those of nodes from 1. */
function isWithin({ start, end }: Range, node: Range): boolean {
  const from = start.line + 1 - node.start.line || start.column - node.start.column
  const to = end.line + 1 - node.end.line || end.column - node.end.column
  return from >= 0 && to <= 0
}

function changeOf({ fileName, location, mutatorName, replacement }: Mutant): string {
  return JSON.stringify([fileName, location, mutatorName, replacement])
}

function read(root: string, name: string): string {
  return readFileSync(join(root, name), 'utf8')
}
