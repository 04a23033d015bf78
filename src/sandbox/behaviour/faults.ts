import type { Method } from '../../model/endpoint.ts'

/** A request pattern and what happens to the requests it matches. */
export interface FaultRule {
  readonly match: FaultMatch
  readonly effect: FaultEffect
}

export interface FaultMatch {
  readonly method?: Method
  /** Without a star: any part of the path. With one: the end of it, a star standing for what is between slashes. */
  readonly path?: string
  /** Which of the matching requests is the first one to be hit; counts from 1. */
  readonly nth?: number
  /** How many are hit. One when `nth` is given, otherwise all of them. */
  readonly times?: number
}

export type FaultEffect =
  /** Another status. `committed`: only after the work was done, as when a gateway gives up. */
  | {
      readonly type: 'status'
      readonly status: number
      readonly retryAfter?: number
      readonly committed?: true
    }
  | { readonly type: 'slow'; readonly ms: number }
  | { readonly type: 'reset_before' }
  | { readonly type: 'reset_after' }
  | { readonly type: 'truncate' }
  /** Done twice, as when a proxy sends it again; the answer is that to the second time. */
  | { readonly type: 'twice' }

/** The rules that are in force, and how often each has matched. */
export class FaultPlan {
  #rules: { readonly rule: FaultRule; readonly matches: (path: string) => boolean; seen: number }[] = []

  #refused = 0

  constructor(rules: readonly FaultRule[] = []) {
    this.add(rules)
  }

  get rules(): readonly FaultRule[] {
    return this.#rules.map(({ rule }) => rule)
  }

  /** How many requests were answered with a status in place of what was asked for. */
  get refused(): number {
    return this.#refused
  }

  add(rules: readonly FaultRule[]): void {
    for (const rule of rules) this.#rules.push({ rule, matches: pathMatcher(rule.match.path), seen: 0 })
  }

  clear(): void {
    this.#rules = []
  }

  /** Counts a request and tells what happens to it; when several rules hit it, the first one does. */
  hit(method: string, path: string): FaultEffect | undefined {
    let effect: FaultEffect | undefined
    for (const entry of this.#rules) {
      const { match } = entry.rule
      if (match.method && match.method !== method) continue
      if (!entry.matches(path)) continue
      entry.seen += 1
      const from = match.nth ?? 1
      const times = match.times ?? (match.nth === undefined ? Number.POSITIVE_INFINITY : 1)
      if (entry.seen >= from && entry.seen < from + times) effect ??= entry.rule.effect
    }
    if (effect?.type === 'status') this.#refused += 1
    return effect
  }
}

function pathMatcher(pattern: string | undefined): (path: string) => boolean {
  if (pattern === undefined) return () => true
  const trimmed = pattern.replace(/(?<=.)\/+$/, '')
  if (!trimmed.includes('*')) return path => path.includes(trimmed)
  const parts = trimmed.split(/(\*+)/).map(part => {
    if (part === '*') return '[^/]+'
    return part.startsWith('*') ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  const expression = new RegExp(`${parts.join('')}$`)
  return path => expression.test(path)
}
