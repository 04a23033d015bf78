import type { Problem } from '../../model/problem.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'
import type { FoundFile } from './find-files.ts'

/** One file that another one includes. */
export interface Inclusion {
  readonly from: FoundFile
  readonly to: FoundFile
  readonly parsed: ParsedYaml
  readonly pointer: string
}

/** Inclusions that lead back to where they started. Each loop is reported once, at the entry that closes it. */
export function findLoops(inclusions: readonly Inclusion[]): Problem[] {
  const outgoing = new Map<string, Inclusion[]>()
  for (const inclusion of [...inclusions].sort(byPlace)) {
    const same = outgoing.get(inclusion.from.path)
    if (same) same.push(inclusion)
    else outgoing.set(inclusion.from.path, [inclusion])
  }
  const problems: Problem[] = []
  const done = new Set<string>()
  const visit = (file: string, chain: readonly Inclusion[]): void => {
    for (const inclusion of outgoing.get(file) ?? []) {
      const target = inclusion.to.path
      const start = target === file ? chain.length : chain.findIndex(({ from }) => from.path === target)
      if (start !== -1) problems.push(loop([...chain.slice(start), inclusion]))
      else if (!done.has(target)) visit(target, [...chain, inclusion])
    }
    done.add(file)
  }
  for (const file of outgoing.keys()) if (!done.has(file)) visit(file, [])
  return problems
}

function loop(chain: readonly Inclusion[]): Problem {
  const last = chain.at(-1)
  const names = [...chain.map(({ from }) => from.name), last?.to.name]
  return {
    code: 'include-loop',
    severity: 'error',
    message: `files include one another: ${names.join(' -> ')}`,
    hint: 'remove one of the entries',
    ...(last ? { source: last.parsed.locate(last.pointer) } : {}),
  }
}

function byPlace(left: Inclusion, right: Inclusion): number {
  return compareTexts(left.from.name, right.from.name)
}
