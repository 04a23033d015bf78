import { kinds } from '../../kinds/index.ts'
import type { Kind } from '../../model/kind.ts'
import { declarationSections } from './reference-declarations.ts'
import { filterSections } from './reference-filters.ts'
import { settingsSections } from './reference-settings.ts'
import { shortSections } from './reference-short.ts'
import { table } from './reference-table.ts'

/** The reference of everything that can be declared and called, as Markdown. */
export function referenceText(): string {
  return [
    '# Reference',
    '',
    'Computed from the kinds by `vexil schema --markdown`; the same description checks files, requests and answers.',
    '',
    ...settingsSections(),
    ...declarationSections(),
    ...shortSections(),
    ...filterSections(),
    '## What can be called',
    '',
    'Each operation of the interface is `vexil call KIND.OPERATION [NAME=VALUE ...] [--body JSON]`.',
    '',
    ...Object.values<Kind>(kinds).flatMap(operationSection),
  ].join('\n')
}

function operationSection(kind: Kind): string[] {
  const rows = Object.entries(kind.endpoints).map(([name, { method, path, status, doc }]) => [
    `\`${kind.name}.${name}\``,
    method,
    `\`${path}\``,
    String(status),
    doc,
  ])
  return [`### ${kind.title}`, '', ...table(['Operation', 'Method', 'Path', 'Status', 'Meaning'], rows)]
}
