import { parser } from '@prometheus-io/lezer-promql'

/** What a PromQL expression asks for, read with the grammar of Prometheus' own editor. */
export interface Expression {
  /** Where the text is no PromQL. */
  readonly errors: readonly number[]
  readonly metrics: readonly string[]
  readonly labels: readonly string[]
}

export function readExpression(text: string): Expression {
  const errors: number[] = []
  const metrics = new Set<string>()
  const labels = new Set<string>()
  parser.parse(text).iterate({
    enter({ type, from, to }) {
      if (type.isError) errors.push(from)
      if (type.name === 'Identifier') metrics.add(text.slice(from, to))
      if (type.name === 'LabelName') labels.add(text.slice(from, to))
    },
  })
  return { errors, metrics: [...metrics].sort(), labels: [...labels].sort() }
}
