import fc from 'fast-check'
import type { Action, Change, Plan, Risk } from '../../src/core/change.ts'
import { anyText } from './any-text.ts'
import { aLiveEdit, aLiveEditField, treatments } from './live-edits.ts'

/** What some form of a report gives a meaning to. */
const words = fc.constantFrom(
  '@octocat @org/team',
  'ada@example.com',
  'fixes #12, GH-12 and org/repo#3',
  'https://example.com/?a=b',
  '[a](https://example.com)',
  '![a](x.png)',
  '<img src=x onerror=alert(1)>',
  '<!-- --> --> ]]>',
  '</details></summary></td></system-out>',
  '``` ` ~~~',
  'a | b \\| c \\',
  '**bold** _it_ ~~no~~',
  '\n\n# heading\n- item\n',
  '"quotes" & &amp; &#64;',
  '{0} {{1}}',
  '\u001b[2J\u202e\u0000\ufffe',
  'plain',
)

export const hostileText = fc
  .array(fc.oneof(words, anyText({ maxLength: 8 })), { minLength: 1, maxLength: 4 })
  .map(parts => parts.join(' '))

const change = fc.record({
  action: fc.constantFrom<Action>('create', 'update', 'claim', 'restore', 'delete'),
  kind: fc.constantFrom('feature_flag', 'event_definition', 'plugin'),
  identity: hostileText,
  summary: fc.array(hostileText, { maxLength: 12 }),
  risk: fc.constantFrom<Risk>('low', 'medium', 'high', 'critical'),
  alert: fc.option(hostileText, { nil: undefined }),
  file: hostileText,
})

/** A plan in which every text that people write may hold anything. */
export const hostilePlans: fc.Arbitrary<Plan> = fc
  .record({
    changes: fc.array(change, { maxLength: 8 }),
    blocked: fc.array(fc.tuple(hostileText, hostileText, hostileText), { maxLength: 3 }),
    edited: fc.array(fc.tuple(hostileText, fc.constantFrom(...treatments), hostileText), { maxLength: 3 }),
  })
  .map(({ changes, blocked, edited }) => ({
    changes: changes.map((drawn, index) => aChange(drawn, index)),
    blocked: blocked.map(([name, reason, remedy], index) => ({
      address: `feature_flag.${name}${index}`,
      kind: 'feature_flag',
      action: 'update',
      rule: 'rollout_step',
      reason,
      remedy,
      summary: [reason],
      source: { file: name, line: index + 1, column: 1 },
    })),
    drift: [],
    liveEdits: edited.map(([name, treatment, text], index) => {
      const field = aLiveEditField({
        treatment,
        summary: [text],
        author: { name: text, at: 0, reason: text },
      })
      return aLiveEdit(`${name}${index}`, [field], { remedies: [text] })
    }),
    unchanged: [],
    inventory: {},
  }))

/** A plan of so many changes. */
export function manyChanges(count: number, text: string): Plan {
  const risks: readonly Risk[] = ['low', 'critical', 'medium', 'high']
  const changes = Array.from({ length: count }, (_, index) =>
    aChange(
      {
        action: 'update',
        kind: 'feature_flag',
        identity: `${text}_${index}`,
        summary: Array.from({ length: 12 }, () => text),
        risk: risks[index % risks.length] ?? 'low',
        alert: text,
        file: text,
      },
      index,
    ),
  )
  return { changes, blocked: [], drift: [], liveEdits: [], unchanged: [], inventory: {} }
}

interface Drawn extends Pick<Change, 'action' | 'kind' | 'identity' | 'summary' | 'risk'> {
  readonly alert: string | undefined
  readonly file: string
}

function aChange({ alert, file, ...drawn }: Drawn, index: number): Change {
  return {
    ...drawn,
    ...(alert === undefined ? {} : { alert }),
    address: `${drawn.kind}.${drawn.identity}${index}`,
    riskReasons: [],
    before: {},
    after: {},
    fingerprint: null,
    allowed: [],
    dependsOn: [],
    source: { file, line: index + 1, column: 3 },
  }
}
