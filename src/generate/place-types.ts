import { dirname, join, relative } from 'node:path/posix'
import type { EmittedFile } from './terraform-docs.ts'

/**
 * The type files of some entries, from the compiled output: the entries and everything they refer to. They
 * must be next to the code, because that decides their module type, CommonJS or ES module. Types of
 * constructs must name their engine.
 *
 * | the compiler's | the package's |
 * | --- | --- |
 * | `index.d.ts` | `index.d.ts` |
 * | `constructs/index.d.ts` | `index.d.ts` |
 * | `constructs/generated/feature-flag/index.d.ts` | `feature-flag/index.d.ts` |
 * | `testing/index.d.ts` | `index.d.ts` |
 * | `testing/vitest.d.ts`, whose code is an ES module | `vitest.d.mts` |
 * | all else, as `constructs/flag.d.ts` | `types/constructs/flag.d.ts` |
 */
export function placeTypes(
  engine: string,
  entries: readonly string[],
  read: (path: string) => string,
): readonly EmittedFile[] {
  const reached = new Set(entries)
  const placed = (path: string): EmittedFile => {
    const text = read(path).replaceAll(
      /((?:from|import)\s*\(?['"])([^'"]+)(?=['"])/g,
      (whole, before, named) => {
        if (named === 'cdktf') return `${before}${engine}`
        if (!named.startsWith('.')) return whole
        const wanted = join(dirname(path), named).replace(/\.[jt]s$/, '.d.ts')
        reached.add(wanted)
        return `${before}${specifier(dirname(placeOf(path)), placeOf(wanted))}`
      },
    )
    return { path: placeOf(path), text }
  }
  // Iterating over a set includes elements that are added during the iteration.
  return Array.from(reached, placed)
}

function placeOf(path: string): string {
  if (path === 'index.d.ts' || path === 'constructs/index.d.ts') return 'index.d.ts'
  if (path === 'testing/vitest.d.ts') return 'vitest.d.mts'
  const tested = /^testing\/((?:index|jest)\.d\.ts)$/.exec(path)?.[1]
  if (tested !== undefined) return tested
  return /^constructs\/generated\/([^/]+\/index\.d\.ts)$/.exec(path)?.[1] ?? `types/${path}`
}

function specifier(from: string, to: string): string {
  const path = relative(from, to).replace(/\.d\.ts$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
}
