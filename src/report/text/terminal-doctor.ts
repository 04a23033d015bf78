import { escapeText } from '../../model/text/escape-text.ts'
import type { Finding, Verdict } from '../document.ts'
import type { Style } from './style.ts'

/** One line for each check. */
export function doctorText(findings: readonly Finding[], style: Style): string {
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
