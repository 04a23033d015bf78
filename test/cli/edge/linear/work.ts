import { Session } from 'node:inspector/promises'

/**
 * Counts the work of something without a clock, so that it comes out the same on every machine: how often each block
 * of our code and of the YAML library ran, and how long the texts and lists were that built-in functions went through.
 * Optimized code does not count, so this is for a process that was started with `--no-opt`.
 */
export async function workOf(run: () => Promise<unknown>): Promise<number> {
  const session = new Session()
  session.connect()
  const scanned = countScans()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    scanned.start()
    await run()
    scanned.stop()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return scanned.total() + blocksRun(result)
  } finally {
    scanned.stop()
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
}

interface Script {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
}

function blocksRun(scripts: readonly Script[]): number {
  return scripts
    .filter(({ url }) => /\/src\/|\/js-yaml\//.test(url))
    .flatMap(({ functions }) => functions)
    .flatMap(({ ranges }) => ranges)
    .reduce((sum, { count }) => sum + count, 0)
}

interface Scans {
  start(): void
  stop(): void
  total(): number
}

interface Scan {
  readonly owner: object
  readonly name: PropertyKey
  /** How far a call went, from what it was called on and what came of it. */
  far(on: Sized, came: unknown, args: readonly unknown[]): number
}

type Sized = { readonly length?: number; readonly size?: number }

const whole = (on: Sized) => on.length ?? on.size ?? 0
/** A search goes from where it is told to start to what it finds. */
const searched = (on: Sized, came: unknown, [, from]: readonly unknown[]) =>
  (typeof came === 'number' && came >= 0 ? came : whole(on)) - (typeof from === 'number' ? from : 0)
const answered = (_: Sized, came: unknown) => whole(Object(came))

const scans: readonly Scan[] = [
  ...['split', 'replace', 'replaceAll', 'match', 'matchAll'].map(name => ({
    owner: String.prototype,
    name,
    far: whole,
  })),
  { owner: String.prototype, name: 'indexOf', far: searched },
  ...['includes', 'concat', 'join', Symbol.iterator].map(name => ({
    owner: Array.prototype,
    name,
    far: whole,
  })),
  { owner: Array.prototype, name: 'slice', far: answered },
  { owner: Array.prototype, name: 'indexOf', far: searched },
  ...['keys', 'values', 'entries', Symbol.iterator].map(name => ({ owner: Map.prototype, name, far: whole })),
  { owner: Set.prototype, name: Symbol.iterator, far: whole },
  ...['keys', 'values', 'entries', 'fromEntries'].map(name => ({ owner: Object, name, far: answered })),
]

/** Puts a counter around the built-in functions that go through a whole text or list by themselves. */
function countScans(): Scans {
  let total = 0
  let originals: (readonly [object, PropertyKey, PropertyDescriptor])[] = []
  return {
    start() {
      originals = scans.map(({ owner, name, far }) => {
        const descriptor = Object.getOwnPropertyDescriptor(owner, name)
        if (!descriptor) throw new Error(`there is no ${String(name)}`)
        const original = descriptor.value as (...args: unknown[]) => unknown
        const value = function (this: Sized, ...args: unknown[]) {
          const came = Reflect.apply(original, this, args)
          total += far(this, came, args)
          return came
        }
        Object.defineProperty(owner, name, { ...descriptor, value })
        return [owner, name, descriptor]
      })
    },
    stop() {
      for (const [owner, name, descriptor] of originals) Object.defineProperty(owner, name, descriptor)
      originals = []
    },
    total: () => total,
  }
}
