import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digestOf } from '../../../src/core/diff.ts'
import { leftByRuns } from '../../../src/core/live-edits/base-index.ts'
import { changeFromJson, changeToJson } from '../../../src/core/record/change-json.ts'
import { entriesOf, eventJson } from '../../../src/core/record/journal.ts'
import {
  planDocument,
  readPlanDocument,
  requireTarget,
  totalsOf,
} from '../../../src/core/record/plan-file.ts'
import { type RunRecord, recordFromJson, toRunJson } from '../../../src/core/record/run.ts'
import { undoDeclarations } from '../../../src/core/record/undo.ts'
import {
  aBase,
  aFlag,
  aGrant,
  aLive,
  aPolicy,
  declare,
  declared,
  declaredFlag,
  declaredGrant,
  everyoneAt,
  planned,
} from '../../support/builders.ts'

const target = {
  baseUrl: 'https://flags.example.com',
  projectId: '1',
  organizationId: 'o',
  profile: 'documented',
}
const meta = { toolVersion: '0.1.0', target, environment: 'production', commit: '4f2c1ab' }
const source = { file: 'flags/a.yaml', line: 3, column: 3 }

/** A plan with every action and every optional member in it. */
function fullPlan() {
  const flag = aFlag({ name: 'Old', tags: ['x'] })
  const live = [
    flag,
    aFlag({ id: 8, key: 'gone', deleted: true }),
    aFlag({ id: 9, key: 'legacy' }),
    aFlag({ id: 10, key: 'plain', tags: [] }),
    aFlag({ id: 11, key: 'orphan', tags: ['ours'] }),
    aGrant(flag),
    { ...aLive('plugin', { id: 3, name: 'geoip', description: 'a' }), files: { 'index.ts': 'old' } },
  ]
  const desired = [
    declaredFlag('checkout', { name: 'New', filters: everyoneAt(30) }, { source, allow: ['rollout_step'] }),
    declaredFlag('gone', { name: 'Back' }),
    declaredFlag('legacy', {}, { ensure: 'absent', source }),
    declaredFlag('plain', {}),
    declaredFlag('new_flag', { active: true, filters: everyoneAt(100) }),
    declaredGrant('new_flag', { source }),
    declaredGrant('checkout', { ensure: 'absent' }),
    declared('plugin', 'geoip', { description: 'b' }, { files: { 'index.ts': 'new', 'old.ts': null } }),
    declared('event_definition', 'paid'),
  ]
  const policy = aPolicy({
    ownership: { tag: 'ours', prune: 'never' },
    limits: { delete: 5, rolloutStep: 10 },
  })
  const base = aBase({ 'feature_flag.checkout': { name: 'aaaaaaaaaaaa' } })
  return planned(declare(desired), live, policy, { base })
}

describe('a plan document', () => {
  const made = fullPlan()
  const text = JSON.stringify(planDocument(made, meta), null, 2)

  it('holds every action', () => {
    expect(new Set(made.changes.map(({ action }) => action))).toEqual(
      new Set(['create', 'update', 'claim', 'restore', 'delete']),
    )
    expect([made.blocked.length, made.drift.length, made.liveEdits.length]).toEqual([1, 1, 1])
  })

  it('is read back exactly', () => {
    const saved = readPlanDocument(text)
    expect(saved).toEqual({
      meta,
      digest: JSON.parse(text).digest,
      changes: made.changes,
      blocked: made.blocked,
      drift: made.drift,
      liveEdits: made.liveEdits,
      unchangedCount: made.unchanged.length,
      absentCount: 0,
      taggedUndeclared: 1,
      ownershipTag: 'ours',
    })
  })

  it.each([
    ['an edit', text.replace('"New"', '"Evil"'), 'edited'],
    ['a cut', text.slice(0, 200), 'no_plan'],
    ['another format', text.replace('"format_version": "1.0"', '"format_version": "2.1"'), 'format'],
    ['another document', '{"a":1}', 'no_plan'],
    ['no JSON', 'plan', 'no_plan'],
  ])('refuses %s', (_, broken, code) => {
    expect(() => readPlanDocument(broken)).toThrow(expect.objectContaining({ name: 'PlanFileError', code }))
  })

  it.each(['unchanged', 'already_absent', 'tagged_undeclared'])('refuses a count that is none: %s', name => {
    const { digest: _, ...document } = JSON.parse(text)
    for (const other of [null, true, -1, 1.5, 'other', [], {}]) {
      const content = { ...document, summary: { ...document.summary, [name]: other } }
      expect(() => readPlanDocument(JSON.stringify({ ...content, digest: digestOf(content) }))).toThrow(
        expect.objectContaining({ name: 'PlanFileError', code: 'shape' }),
      )
    }
  })

  it('refuses another target, and takes the same one with a trailing slash', () => {
    const saved = readPlanDocument(text)
    expect(() => requireTarget(saved, { ...target, projectId: '2' })).toThrow(
      'it was made for https://flags.example.com',
    )
    expect(() => requireTarget(saved, { ...target, baseUrl: 'https://flags.example.com/' })).not.toThrow()
  })

  it('counts what it shows', () => {
    expect(totalsOf(made)).toEqual({
      create: 2,
      update: 2,
      claim: 1,
      restore: 1,
      delete: 2,
      blocked: 1,
      drift: 1,
      reverted: 1,
      unchanged: 0,
      tagged_undeclared: 1,
    })
  })

  it('keeps any JSON value in a change as it is', () => {
    const [change] = made.changes
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), after => {
        const given = {
          ...change!,
          after: after as typeof change extends undefined ? never : Record<string, never>,
        }
        const read = changeFromJson(JSON.parse(JSON.stringify(changeToJson(given))))
        expect(read).toEqual(JSON.parse(JSON.stringify(given)))
      }),
    )
  })
})

describe('the record of a run', () => {
  const made = fullPlan()
  const entries = entriesOf(
    made.changes,
    made.changes.map(({ address, action, id = '99' }) =>
      eventJson({ type: 'change_done', address, action, id, already: false, notKept: [], elapsedMs: 1 }),
    ),
  )
  const record: RunRecord = {
    run: 'r1',
    command: 'apply',
    environment: 'production',
    target,
    revision: { commit: 'a'.repeat(40), dirty: true },
    who: { name: 'ada', from: 'GITHUB_ACTOR' },
    reason: 'payments fail',
    startedAt: 1000,
    finishedAt: 2000,
    planDigest: 'sha256:00',
    undoes: 'r0',
    blocked: [{ address: 'feature_flag.held', rule: 'protected' }],
    notTargeted: ['feature_flag.other'],
    unchanged: 3,
    declared: 'cafe',
    isComplete: true,
    entries,
  }

  it('is read back exactly', () => {
    expect(recordFromJson(JSON.parse(JSON.stringify(toRunJson(record))))).toEqual(record)
  })

  it('tells how the run left each object, and forgets those it deleted', () => {
    expect(Object.keys(leftByRuns([{ record }]).base).sort()).toEqual(
      made.changes
        .filter(({ action }) => action !== 'delete')
        .map(({ address }) => address)
        .sort(),
    )
  })

  it('declares every object as it was before', () => {
    const undone = undoDeclarations(record).desired.map(({ address, ensure, fields, id }) => ({
      address,
      ensure,
      fields,
      id,
    }))
    expect(undone).toEqual([
      {
        address: 'feature_flag.checkout',
        ensure: 'present',
        fields: { name: 'Old', filters: everyoneAt(10), tags: ['x'] },
        id: '7',
      },
      { address: 'feature_flag.gone', ensure: 'absent', fields: {}, id: '8' },
      { address: 'feature_flag.legacy', ensure: 'present', fields: {}, id: '9' },
      { address: 'feature_flag.new_flag', ensure: 'absent', fields: {}, id: '99' },
      { address: 'feature_flag.plain', ensure: 'present', fields: { tags: [] }, id: '10' },
      { address: 'feature_flag_role_access.checkout:support', ensure: 'present', fields: {}, id: undefined },
      { address: 'feature_flag_role_access.new_flag:support', ensure: 'absent', fields: {}, id: undefined },
      { address: 'plugin.geoip', ensure: 'present', fields: { description: 'a' }, id: '3' },
    ])
  })
})
