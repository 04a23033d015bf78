import type { Report, Section } from '../lines/report.ts'
import { runLines } from './report-text.ts'
import type { Style } from './style.ts'

/** Runs and outcomes at a terminal, line after line. */
export function historyText({ sections }: Report, style: Style): string {
  return sections.flatMap(section => sectionLines(section, style).map(line => `${line}\n`)).join('')
}

function sectionLines({ is, items }: Section, style: Style): string[] {
  if (is === 'runs') return items.flatMap(item => runLines(item, style))
  return items.map(({ became, name, remark }) => {
    const beside = remark === undefined ? '' : `  ${style.dim(remark)}`
    return `    ${(became?.text ?? '').padEnd(14)}${name}${beside}`
  })
}
