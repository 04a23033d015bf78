import { byAddress, type Drift } from '../../../core/change.ts'
import { undeclaredSummary } from '../../../core/plan/summary/field-summary.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import { countedByKind, nameOf } from '../../object-names.ts'
import { aLine, type Item, type Manner } from '../report.ts'
import { howToList, together } from './together.ts'

/** What drifted, or is not in the files: that comes last, together. */
export function driftItems(drift: readonly Drift[], { isVerbose }: Manner): Item[] {
  const keyOf = ({ reason }: Drift) => (reason === 'undeclared' ? undeclaredSummary : undefined)
  const { single, groups } = together([...drift].sort(byAddress), { keyOf, isVerbose })
  const sign = { text: '=' }
  return [
    ...single.map(({ summary, ...drifted }) => ({
      address: drifted.address,
      sign,
      name: nameOf(drifted),
      ...(drifted.source && { source: drifted.source }),
      lines: summary.map(line => aLine('detail', escapeText(line))),
    })),
    ...groups.map(group => ({
      sign,
      name: `${countedByKind(group)}: each ${undeclaredSummary}`,
      remark: howToList,
      lines: [],
    })),
  ]
}
