import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { build } from 'esbuild'

/** What every command loads before it knows which one it is. */
const startOf = ['src/cli/main.ts']
/** Commands whose parts most other commands load too. */
const workOf = ['src/cli/commands/plan.ts', 'src/cli/commands/apply.ts', 'src/cli/commands/validate.ts']

/**
 * Options with which modules that are loaded together are in one chunk. esbuild makes a chunk of each set of modules
 * that the same entry points reach, and each module that is imported on demand is an entry point: a plan was loaded from
 * 128 files, and Node took longer to find them than to compile them. Here the entry points that need much of a group
 * import all of it, so that they reach the same modules.
 */
export async function withFewChunks(options) {
  const { metafile } = await build({ ...options, metafile: true, write: false })
  const graph = readGraph(metafile)
  const start = new Set(graph.shared(startOf))
  const work = new Set(graph.shared(workOf).filter(path => !start.has(path)))
  const groups = [
    { name: 'start', modules: start, leastPart: 0 },
    { name: 'work', modules: work, leastPart: 0.035 },
  ]
  const importsOf = path =>
    groups
      .filter(({ modules, leastPart }) => needsMore(graph, path, modules, leastPart))
      .map(({ name }) => `import ${JSON.stringify(`group:${name}`)};`)
      .join('')
  const added = new Map([...startOf, ...graph.onDemand].map(path => [path, importsOf(path)]))
  return { ...options, plugins: [...(options.plugins ?? []), groupPlugin(groups, added)] }
}

/** Whether an entry point needs more than that part of a group, in bytes. */
function needsMore(graph, path, modules, part) {
  const needed = graph.reachedFrom([path]).filter(each => modules.has(each))
  return graph.bytesOf(needed) > part * graph.bytesOf([...modules])
}

function readGraph({ inputs, outputs }) {
  const bytes = new Map(
    Object.values(outputs)
      .flatMap(output => Object.entries(output.inputs))
      .map(([path, { bytesInOutput }]) => [path, bytesInOutput]),
  )
  const importsOf = (path, isWanted) =>
    (inputs[path]?.imports ?? []).filter(each => !each.external && isWanted(each)).map(each => each.path)
  const isOnDemand = ({ kind }) => kind === 'dynamic-import'
  const onDemand = [...new Set(Object.keys(inputs).flatMap(path => importsOf(path, isOnDemand)))]
  const reachedFrom = paths => {
    const reached = new Set(paths)
    // A set goes on with what is added to it on the way.
    for (const path of reached) {
      for (const next of importsOf(path, each => !isOnDemand(each))) reached.add(next)
    }
    return [...reached]
  }
  const bytesOf = paths => paths.reduce((sum, path) => sum + (bytes.get(path) ?? 0), 0)
  /** The modules of this house that these entry points reach and others do too. Libraries come with those that import them. */
  const shared = paths => {
    const times = new Map()
    for (const entry of new Set([...startOf, ...onDemand])) {
      for (const path of reachedFrom([entry])) times.set(path, (times.get(path) ?? 0) + 1)
    }
    return reachedFrom(paths).filter(
      path =>
        /^src\/.*\.[jt]s$/.test(path) &&
        bytes.get(path) > 0 &&
        times.get(path) > 1 &&
        !onDemand.includes(path),
    )
  }
  return { onDemand, reachedFrom, bytesOf, shared }
}

function groupPlugin(groups, added) {
  return {
    name: 'few-chunks',
    setup(builder) {
      builder.onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'group' }))
      builder.onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({
        contents: [...groups.find(({ name }) => name === path).modules]
          .map(each => `import ${JSON.stringify(resolve(each))}`)
          .join('\n'),
        resolveDir: '.',
      }))
      builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const imports = added.get(relative('.', path).replaceAll('\\', '/'))
        if (!imports) return undefined
        // On the first line, so that the lines of a module stay where they are.
        return { contents: `${imports}${await readFile(path, 'utf8')}`, loader: 'ts' }
      })
    },
  }
}
