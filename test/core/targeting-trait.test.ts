import { describe, expect, it } from 'vitest'
import { summaryOf } from '../../src/core/describe/describe-change.ts'
import { fieldSummary } from '../../src/core/describe/describe-field.ts'
import { isRecognizable } from '../../src/core/live.ts'
import { resourceNotes } from '../../src/generate/terraform-docs.ts'
import { kinds } from '../../src/kinds/index.ts'
import { profiles } from '../../src/model/connection.ts'
import { type DeclarableKind, hasTargeting } from '../../src/model/kind.ts'
import { defaultRisk } from '../../src/model/risk.ts'
import type { JsonObject } from '../../src/model/text/json.ts'
import { behaviourOf } from '../../src/services/differences.ts'
import { checkDeclaration } from '../../src/yaml/check/check-declaration.ts'
import type { ObjectDeclaration } from '../../src/yaml/declaration.ts'

const flag: DeclarableKind = kinds.feature_flag

/** A saved view of events: its filters say which rows are shown, and nobody gets anything by them. */
const view: DeclarableKind = {
  ...flag,
  name: 'saved_view',
  title: 'view',
  section: 'saved_views',
  fields: {
    ...flag.fields,
    filters: { type: 'json', access: 'managed', doc: 'Which rows are shown.' },
  },
}

const [before, after]: JsonObject[] = [
  { filters: { rows: 10 } },
  { filters: { rows: 100, groups: 'by day' } },
]
const transition = {
  action: 'update',
  before: before!,
  after: after!,
  fields: ['filters'],
  rules: behaviourOf('documented'),
  risk: defaultRisk,
} as const

describe('a kind with a JSON field that is called as that of a flag', () => {
  it('is no kind that anybody gets', () => {
    expect([flag, view].map(hasTargeting)).toEqual([true, false])
    expect([flag, view].map(isRecognizable)).toEqual([true, false])
  })

  it('has no reach, and its change is told as that of any JSON', () => {
    const { summary: words, exposure } = summaryOf(view, transition)
    expect(exposure).toBe(undefined)
    expect(words).toEqual(fieldSummary(view, ['filters'], before!, after!))
    expect(words.join(' ')).not.toMatch(/everyone|condition|nobody/)
    expect(summaryOf(flag, transition).exposure).toBeDefined()
  })

  it('is checked by its schema and by no rule of targeting', () => {
    const declaration = (kind: DeclarableKind): ObjectDeclaration => {
      const layer = { pointer: '/x/one', members: after!, fields: after! }
      const parsed = { locate: () => ({ file: 'a.yaml', line: 1, column: 1 }), textAt: () => undefined }
      // Only what the checks of one object ask of its file.
      const file = { parsed, secrets: new Set() } as never
      return { file, kind, identity: 'one', address: 'x.one', base: layer, environments: new Map() }
    }
    const codes = (kind: DeclarableKind) =>
      checkDeclaration(declaration(kind), { servicesIn: () => profiles, isReported: () => false }).map(
        ({ code }) => code,
      )
    expect(codes(view)).toEqual([])
    expect(codes(flag)).not.toEqual([])
  })

  it('has no notes on filters in its Terraform pages', () => {
    expect(resourceNotes(flag).join('\n')).toContain('filters')
    expect(resourceNotes(view).join('\n')).not.toContain('filters')
  })
})
