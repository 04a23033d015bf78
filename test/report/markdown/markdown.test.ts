import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../src/core/change.ts'
import type { JsonObject } from '../../../src/model/text/json.ts'
import type { Document, PlanDocument } from '../../../src/report/document.ts'
import { render } from '../../../src/report/formats.ts'
import { mostCharacters } from '../../../src/report/markdown.ts'
import { aPlan } from '../../support/builders.ts'
import { hostilePlans, hostileText, manyChanges } from '../../support/hostile-plan.ts'
import { markdownTree, nodesIn, readTexts, seenIn } from '../../support/markdown-tree.ts'
import { richPlan } from '../../support/rich-plan.ts'
import { rounds } from '../../support/rounds.ts'

const target = { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' } as const

function planOf(plan: Plan, environment?: string): PlanDocument {
  return {
    is: 'plan',
    plan,
    meta: { target, commit: 'c'.repeat(40), ...(environment === undefined ? {} : { environment }) },
    saved: {},
    next: 'vexil apply',
  }
}

const nothing = aPlan()

/** The HTML that a report itself writes. */
const ownHtml =
  /^(?:<!-- (?:vexil:[^<>]*)?-->|<br>|<\/?details>(?:\n<summary>(?:<code>[^<>]*<\/code>|[\w ,:]*)<\/summary>)?)$/

/** What a report is made of; links, pictures, rules and the like are not among it. */
const ownNodes = new Set<Nodes['type']>([
  'root',
  'blockquote',
  'heading',
  'html',
  'code',
  'inlineCode',
  'list',
  'listItem',
  'paragraph',
  'strong',
  'emphasis',
  'table',
  'tableCell',
  'tableRow',
  'text',
])

describe('a report in Markdown', () => {
  it('gives no text a meaning, whatever names, summaries, people and files are called', async () => {
    await fc.assert(
      fc.asyncProperty(hostilePlans, hostileText, async (plan, environment) => {
        const tree = markdownTree(await render('markdown', planOf(plan, environment)))
        for (const node of nodesIn(tree)) {
          expect(ownNodes).toContain(node.type)
          if (node.type === 'html') expect(node.value).toMatch(ownHtml)
          if (node.type === 'table') for (const row of node.children) expect(row.children).toHaveLength(4)
        }
        // Nothing that a code host looks for in what is not code.
        for (const text of readTexts(tree))
          expect(text.replace('[!CAUTION]', '')).not.toMatch(/[@#`<>[\]|~$](?!$| )/)
      }),
      { numRuns: rounds(5) },
    )
  })

  it('is short enough for a comment, whatever the plan, and counts what it leaves out', async () => {
    for (const [count, text] of [
      [3000, 'x'],
      [400, '|'.repeat(2000)],
      [400, '`'.repeat(2000)],
      [400, 'a \\| '.repeat(400)],
    ] as const) {
      const said = await render('markdown', planOf(manyChanges(count, text), 'production'))
      expect(said.length).toBeLessThanOrEqual(mostCharacters)
      const rows = said.split('\n').filter(line => line.startsWith('| `~`')).length
      const left = [...said.matchAll(/^_(?:and )?(\d+)(?: more)?, not shown here_$/gm)].map(([, count]) =>
        Number(count),
      )
      expect(rows + left.reduce((sum, count) => sum + count, 0)).toBe(count)
      expect(said).toContain(`and ${count - 20} more`)
    }
  })

  it('leaves no section out for the length of another', async () => {
    const many = manyChanges(2000, 'x')
    const plan: Plan = {
      ...many,
      blocked: [
        {
          address: 'feature_flag.kept',
          kind: 'feature_flag',
          action: 'delete',
          rule: 'protected',
          reason: 'it is protected',
          remedy: 'take `protect` out',
          summary: [],
        },
      ],
    }
    const said = await render('markdown', planOf(plan))
    expect(said).toContain('**`flag kept`** delete blocked by protected')
    expect(said).toContain('to go on: take `protect` out')
  })

  it('begins with what finds it again, and nothing ends that early', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async environment => {
        const said = await render('markdown', planOf(nothing, environment))
        const [first, second] = markdownTree(said).children
        expect(first).toMatchObject({
          type: 'html',
          value: expect.stringMatching(/^<!-- vexil:plan:[^<>]* -->$/),
        })
        expect(second).toMatchObject({ type: 'heading', depth: 3 })
        // Two environments have two markers.
        const other = await render('markdown', planOf(nothing, `${environment}x`))
        expect(other.split('\n')[0]).not.toBe(said.split('\n')[0])
      }),
      { numRuns: rounds(5) },
    )
    expect(await render('markdown', planOf(nothing, 'production'))).toMatch(
      /^<!-- vexil:plan:production -->\n/,
    )
  })

  it('names what to look at first with its reason, ten at the most, and says what the signs mean', async () => {
    const said = await render('markdown', planOf(richPlan(), 'production'))
    const leads = said.split('**Look at these first**')[1]?.split('_Signs')[0] ?? ''
    expect(
      leads
        .split('\n')
        .filter(line => line.startsWith('- '))
        .slice(0, 5),
    ).toEqual([
      '- **HIGH** `plugin geoip`: the code that runs on events changes',
      '- **HIGH** `flag checkout`: more people get it: country is DE: 10% -> 100%',
      '- **HIGH** `flag legacy_nav`: people get it, and it is deleted',
      '- `flag a_key_that_is_longer_than_anybody_would_like_it_to_be_really`: everyone gets it at once; nobody had it before',
      '- `role support`: may edit from now on: beta',
    ])
    expect(said).toContain(
      '\n_Signs: `+` is new, `~` changes, `@` gets the ownership tag, `^` is restored, `-` goes_\n',
    )
    const many = await render('markdown', planOf(manyChanges(300, 'x'), 'production'))
    const first = many.split('**Look at these first**')[1]?.split('_Signs')[0] ?? ''
    const named = first.split('\n').filter(line => line.startsWith('- **CRITICAL**'))
    expect(named).toHaveLength(10)
    expect(first).toContain(`- and ${150 - 10} more, below`)
  })

  it.each<[string, JsonObject, string]>([
    ['the weights decide', {}, 'one of its variants at once (origin 90%, edge 10%)'],
    ['all are given one', { groups: [{ properties: [], variant: 'edge' }] }, 'variant edge at once'],
    [
      'a condition gives its people one',
      { groups: [{ properties: [], variant: 'edge', rollout_percentage: 5 }, { properties: [] }] },
      'one of its variants at once',
    ],
  ])('says what everyone gets at once of a new flag with variants where %s', async (_, over, what) => {
    const variants = [
      { key: 'origin', rollout_percentage: 90 },
      { key: 'edge', rollout_percentage: 10 },
    ]
    const filters = { groups: [{ properties: [] }], multivariate: { variants }, ...over }
    const changes = richPlan().changes.flatMap(change =>
      change.address.startsWith('feature_flag.a_key')
        ? [{ ...change, after: { ...change.after, filters } }]
        : [],
    )
    expect(changes).toHaveLength(1)
    const said = await render('markdown', planOf({ ...nothing, changes }))
    expect(said).toContain(`: everyone gets ${what}; nobody had it before\n`)
  })

  it('shows sources and what a cell has no room for beneath the table, whole and as they are', async () => {
    const [change] = manyChanges(1, 'x').changes
    const lines = Array.from({ length: 12 }, (_, at) => `  +const a${at} = '\`\`\`' // @team`)
    const told = Array.from({ length: 12 }, (_, at) => `line ${at} of <b>`)
    const summary = ['source index.ts added: 12 lines', ...lines, ...told]
    const plan: Plan = { ...nothing, changes: [{ ...change!, summary, alert: undefined }] as Plan['changes'] }
    const said = await render('markdown', planOf(plan))
    const blocks = nodesIn(markdownTree(said)).flatMap(node => (node.type === 'code' ? [node] : []))
    expect(blocks.map(({ lang }) => lang)).toEqual(['diff', 'text'])
    const [source, rest] = blocks.map(({ value }) => value.split('\n'))
    expect(source).toEqual(lines.map(line => line.slice(2)))
    const cells = seenIn(markdownTree(said.split('<details>\n<summary><code>')[0] ?? ''))
    for (const line of told) expect(cells.includes(line) !== rest?.includes(line)).toBe(true)
  })

  it('tells a new grant with its flag, once, and counts it', async () => {
    const plan = richPlan()
    // Of a flag that is only claimed, nothing else is said to change.
    expect(await render('markdown', planOf(plan))).toContain('`grant beta role support`')
    const changes = plan.changes.map(change =>
      change.address === 'feature_flag.beta' ? { ...change, action: 'update' as const } : change,
    )
    const said = await render('markdown', planOf({ ...plan, changes }))
    expect(said).not.toContain('`grant beta role support`')
    const [row = ''] = said.split('\n').filter(line => line.startsWith('| `~` | `flag beta`'))
    expect(row).toContain('role support may edit from now on')
    expect(said).toContain('\n\nOf 3 to create, 2 are below, and 1 new grant is shown with its flag\n\n')
    // One that is taken away stands by itself.
    expect(said).toContain('`grant same role support`')
  })

  it('has a title that names the place, and the commit once', async () => {
    const said = await render('markdown', planOf(richPlan(), 'production'))
    expect(said.split('\n').slice(1, 4)).toEqual([
      '### Plan for **production**: HIGH risk',
      '',
      '`project 1, https://flags.example.com`, commit `cccccccccccc`',
    ])
    expect(said.split('cccccccccccc')).toHaveLength(2)
  })

  it('says once who asked for all of it, and beside each where they are several', async () => {
    const plan = richPlan()
    const author = { name: 'Nora', commit: 'd'.repeat(40), at: 0 }
    const authors = new Map(plan.changes.map(({ address }) => [address, author]))
    const by = async (document: PlanDocument) => {
      const said = await render('markdown', document)
      return said.match(/Nora, 1970-01-01, dddddddd/g)?.length
    }
    expect(await by({ ...planOf(plan), authors })).toBe(1)
    const [other = ''] = authors.keys()
    authors.set(other, { ...author, name: 'Ada' })
    expect(await by({ ...planOf(plan), authors })).toBe(plan.changes.length - 1)
  })

  it('says why of each change above low', async () => {
    const plan = richPlan()
    const said = await render('markdown', planOf(plan))
    for (const { risk, riskReasons = [] } of plan.changes.filter(({ risk }) => risk !== 'low'))
      expect(said).toContain(`${risk.toUpperCase()}: ${riskReasons[0]?.reason}`)
  })

  it('says what went wrong, with the marker of the command that failed', async () => {
    const failure: Document = {
      is: 'failure',
      exitCode: 1,
      command: 'plan',
      environment: 'production',
      line: 'vexil: no key',
      errors: [{ code: 'failed', message: 'no key for @production' }],
      problems: [],
    }
    expect(await render('markdown', failure)).toBe(`<!-- vexil:plan:production -->
### Failed: vexil plan for production

#### PROBLEMS

- \`x\` **\`no key for @production\`** failed
`)
    const told: Document = { ...planOf(nothing, 'production'), errors: failure.errors }
    expect(await render('markdown', told)).toContain('**`no key for @production`** failed')
  })

  it('is the text of a terminal where nothing is told of objects', async () => {
    const said = await render('markdown', {
      is: 'init',
      directory: '.',
      files: [{ path: 'a ```` b.yaml', state: 'wrote' }],
      next: 'vexil plan',
    })
    const [marker, fence, ...rest] = markdownTree(said).children
    expect(marker).toMatchObject({ type: 'html', value: '<!-- vexil:init -->' })
    expect(fence).toMatchObject({ type: 'code', value: 'wrote a ```` b.yaml\n\nNext: vexil plan' })
    expect(rest).toEqual([])
  })

  it('has alerts and the riskiest first, folds what is low, and ends with what to do next', async () => {
    const said = await render('markdown', planOf(manyChanges(3, 'everyone at 10%'), 'production'))
    const seen = seenIn(markdownTree(said))
    expect(seen).toContain('3 to change')
    expect(seen).toContain('CRITICAL RISK')
    expect(said.indexOf('CRITICAL RISK')).toBeLessThan(said.indexOf('MEDIUM RISK'))
    expect(said).toContain('[!CAUTION]')
    expect(said.indexOf('[!CAUTION]')).toBeLessThan(said.indexOf('CRITICAL RISK'))
    expect(said).toMatch(/<details>\n<summary>1 object: low risk<\/summary>/)
    expect(said).toMatch(/Next: `vexil apply`\n$/)
  })
})
