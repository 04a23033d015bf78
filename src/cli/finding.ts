import { escapeText } from '../model/escape-text.ts'
import type { Style } from '../report/style.ts'

/**
 * What a check came to. `note`: it stops no plan. `not_checked`: nothing is known of it, and the words say why; that is
 * never taken for `ok`.
 */
export type Verdict = 'ok' | 'note' | 'failed' | 'not_checked'

export interface Finding {
  readonly check: string
  readonly verdict: Verdict
  readonly words: string
  /** The value of a setting; never that of the key. */
  readonly value?: string
  /** Where the setting is from. */
  readonly source?: string
}

/** One line for each. */
export function findingsText(findings: readonly Finding[], style: Style): string {
  const signs: Readonly<Record<Verdict, string>> = {
    ok: style.good('ok         '),
    note: style.caution('note       '),
    failed: style.bad('FAILED     '),
    not_checked: style.dim('not checked'),
  }
  return findings
    .map(({ check, verdict, words }) => `${signs[verdict]} ${check.padEnd(18)} ${escapeText(words)}\n`)
    .join('')
}
