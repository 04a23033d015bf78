import type { Json } from '../../model/json/json.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { describeReason, valueText } from '../../targeting/index.ts'
import type { Answer, EvaluatedFlagDocument } from '../document.ts'
import type { Style } from './style.ts'

/** What somebody gets: of each flag its value, and beneath it why, and who says otherwise. */
export function evaluationText(flags: readonly EvaluatedFlagDocument[], style: Style): string {
  return flags
    .flatMap(flag => flagLines(flag, style))
    .map(line => `${line}\n`)
    .join('')
}

function flagLines(flag: EvaluatedFlagDocument, style: Style): string[] {
  const { flag: key, verdict, by, others, live, undecided } = flag
  const isDiffering = verdict === 'differs'
  const head = isDiffering ? style.caution('differs') : answerText(flag, style)
  const said = isDiffering ? [{ by, ...(undecided === null ? { value: flag.value } : { undecided }) }] : []
  return [
    `${style.bold(escapeText(key))}: ${head}`,
    ...[...said, ...others].map(other => `  ${otherText(other)}`),
    ...(undecided === null || isDiffering ? [] : [`  ${escapeText(undecided)}`]),
    ...reasonLines(flag),
    ...(live ? liveLines(live, style) : []),
  ]
}

function answerText({ value, undecided }: Answer, style: Style): string {
  if (undecided !== null) return style.caution('undecided')
  return value === false ? style.dim('false') : style.good(escapeText(String(value)))
}

function otherText(other: {
  readonly by: string
  readonly value?: Json
  readonly undecided?: string
}): string {
  return other.undecided === undefined
    ? escapeText(`${String(other.value)} by ${other.by}`)
    : escapeText(`undecided by ${other.by}: ${other.undecided}`)
}

function reasonLines({ reason, condition, payload, undecided }: Answer): string[] {
  if (undecided !== null) return []
  return [
    `  ${escapeText(describeReason(reason, condition))}`,
    ...(payload === null ? [] : [`  payload ${escapeText(valueText(payload))}`]),
  ]
}

function liveLines(live: NonNullable<EvaluatedFlagDocument['live']>, style: Style): string[] {
  switch (live.is) {
    case 'missing':
      return ['  live: there is no such flag']
    case 'same':
      return ['  live: the same']
    case 'differs':
      return [
        `  live: ${answerText(live, style)}, which differs`,
        ...reasonLines(live).map(line => `  ${line}`),
      ]
    case 'not_known':
      return [
        `  live: ${answerText(live, style)}`,
        ...(live.undecided === null
          ? reasonLines(live).map(line => `  ${line}`)
          : [`    ${escapeText(live.undecided)}`]),
      ]
    default:
      return live satisfies never
  }
}
