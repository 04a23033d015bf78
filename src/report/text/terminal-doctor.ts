import { escapeText } from '../../model/text/escape-text.ts'
import type { Check, Verdict } from '../document.ts'
import type { Style } from './style.ts'

/** One line for each check. */
export function doctorText(checks: readonly Check[], style: Style): string {
  const signs: Readonly<Record<Verdict, string>> = {
    ok: style.good('ok         '),
    note: style.caution('note       '),
    failed: style.bad('FAILED     '),
    not_checked: style.dim('not checked'),
  }
  const columns = Math.max(...checks.map(({ name }) => name.length))
  return checks
    .map(
      ({ name, verdict, summary }) => `${signs[verdict]} ${name.padEnd(columns)}  ${escapeText(summary)}\n`,
    )
    .join('')
}
