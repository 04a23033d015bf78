import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Root } from 'mdast'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../src/core/change.ts'
import { compareEnvironments } from '../../../src/core/compare-environments.ts'
import type { PlanDocument } from '../../../src/report/document.ts'
import { render } from '../../../src/report/formats.ts'
import type { Details } from '../../../src/report/html/details.ts'
import { nameOf } from '../../../src/report/line-text.ts'
import { aPlan } from '../../support/builders.ts'
import { hostilePlans, hostileText } from '../../support/hostile-plan.ts'
import { attributeOf, type Element, htmlTree, textIn, within } from '../../support/html-tree.ts'
import { markdownTree, nodesIn, seenIn } from '../../support/markdown-tree.ts'
import { grantingPlan, leavingOut, manyFlags, reviewedPlan } from '../../support/reviewed-plan.ts'
import { richPlan } from '../../support/rich-plan.ts'
import { rounds } from '../../support/rounds.ts'

/** What a report is made of. Whatever else is in a page has come out of a text. */
const known = new Set(
  (
    'html head meta title style script body a header p h1 ul li b code section h2 h3 details summary form label span input ' +
    'select option output button div nav ol main footer table caption thead tbody tr th td del ins svg rect figure ' +
    'figcaption pre dl dt dd noscript'
  ).split(' '),
)

const planOf = (plan: Plan, over: Partial<PlanDocument> = {}): PlanDocument => ({
  ...reviewedPlan(),
  plan,
  ...over,
})

function named(elements: readonly Element[], tag: string): Element[] {
  return elements.filter(({ tagName }) => tagName === tag)
}

/** What a comment says first, an entry each. */
function firstOf(comment: Root): string[] {
  const at = comment.children.findIndex(node => seenIn(node) === 'Look at these first')
  const list = at === -1 ? undefined : comment.children[at + 1]
  return list ? nodesIn(list).flatMap(node => (node.type === 'listItem' ? [seenIn(node)] : [])) : []
}

/** Words, however the spaces between them come about. */
function spaced(text: string): string {
  return text.replaceAll(/\s+/g, '')
}

/** What could run or ask for something. */
function dangerous(elements: readonly Element[]): string[] {
  return elements.flatMap(({ tagName, attrs }) => [
    ...(known.has(tagName) ? [] : [tagName]),
    ...attrs.flatMap(({ name, value }) => {
      const isLink = name === 'href' && /^#[\w-]+$/.test(value)
      return /^on|^style$|^src|^action$|^formaction$|^srcdoc$/.test(name) || (name === 'href' && !isLink)
        ? [name]
        : []
    }),
  ])
}

describe('a report in HTML', () => {
  it('has no element and no attribute out of any text, and each text as it is', async () => {
    const texts = fc.record({
      plan: hostilePlans,
      next: hostileText,
      note: hostileText,
      environment: hostileText,
    })
    await fc.assert(
      fc.asyncProperty(texts, async ({ plan, next, note, environment }) => {
        const meta = { ...reviewedPlan().meta, environment }
        const { elements, errors } = htmlTree(await render('html', planOf(plan, { next, note, meta })))
        expect(errors).toEqual([])
        expect(dangerous(elements)).toEqual([])
        expect(named(elements, 'script')).toHaveLength(1)
        const titles = named(elements, 'h3').map(textIn)
        for (const change of plan.changes)
          expect(titles.some(title => title.includes(nameOf(change)))).toBe(true)
      }),
      { numRuns: rounds(5) },
    )
  })

  it('has none out of what stands before and after either, in the page or kept as data', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileText, { minLength: 4, maxLength: 4 }),
        fc.boolean(),
        async (texts, isKept) => {
          const [key = '', value = '', path = '', source = ''] = texts
          const fields = (text: string) => ({
            name: text,
            tags: [`owner:${text}`],
            filters: {
              groups: [
                { properties: [{ key, value: [text], operator: 'exact', type: 'person' }], [key]: text },
              ],
              multivariate: { variants: [{ key: text, rollout_percentage: 100 }] },
              payloads: { [key]: text },
            },
          })
          const changes = manyFlags(isKept ? 401 : 2).map((change, index) =>
            index > 0
              ? change
              : {
                  ...change,
                  before: fields(value),
                  after: fields(source),
                  files: { [path]: source },
                  filesBefore: { [path]: value },
                },
          )
          const plan = richPlan()
          const page = await render('html', planOf({ ...plan, changes }))
          const { elements, errors } = htmlTree(page)
          expect(errors).toEqual([])
          expect(dangerous(elements)).toEqual([])
          const data = named(elements, 'script').filter(
            script => attributeOf(script, 'type') === 'application/json',
          )
          expect(data).toHaveLength(isKept ? 1 : 0)
          for (const script of data) expect((JSON.parse(textIn(script)) as Details[]).length).toBe(401)
        },
      ),
      { numRuns: rounds(50) },
    )
  })

  async function expectFirst(document: Parameters<typeof render>[1]) {
    const { elements } = htmlTree(await render('html', document))
    const [title = ''] = named(elements, 'h1').map(textIn)
    const comment = markdownTree(await render('markdown', document))
    const [heading] = comment.children.filter(({ type }) => type === 'heading')
    expect(spaced(title)).toBe(spaced(heading ? seenIn(heading) : ''))
    const [looks] = elements.filter(({ attrs }) => attrs.some(({ value }) => value === 'looks'))
    const told = looks ? named(within(looks), 'li') : []
    expect(told.map(textIn).map(spaced)).toEqual(firstOf(comment).map(spaced))
    const targets = new Map(elements.map(element => [attributeOf(element, 'id'), element]))
    for (const row of told) {
      const links = named(within(row), 'a')
      expect(links.length > 0 || /^and \d+ more, below/.test(textIn(row))).toBe(true)
      for (const link of links) {
        const target = targets.get(attributeOf(link, 'href')?.slice(1))
        expect(target && textIn(target)).toContain(textIn(link))
      }
    }
  }

  it.each([
    ['with reviews', () => reviewedPlan()],
    ['that leaves things out', () => leavingOut()],
    ['of many flags', () => reviewedPlan(manyFlags(30))],
    ['with grants', () => grantingPlan()],
  ])('says first what a comment says first, each with a link to its place: a plan %s', (_, plan) =>
    expectFirst(plan()),
  )

  it('says first what a comment says first, whatever texts there are', async () => {
    const hostile = fc.asyncProperty(hostilePlans, plan => expectFirst(planOf(plan)))
    await fc.assert(hostile, { numRuns: rounds(10) })
  })

  it('tells new grants with their flag, each with its own place, and an author of all once', async () => {
    const { elements } = htmlTree(await render('html', grantingPlan()))
    const items = elements.filter(element => attributeOf(element, 'class') === 'item')
    const [flag] = items.filter(item => textIn(item).includes('flag beta'))
    expect(flag && textIn(flag)).toMatch(/role support may edit from now on\s+access\.yaml:7/)
    expect(items.filter(item => /grant beta/.test(named(within(item), 'h3').map(textIn).join()))).toEqual([])
    const page = textIn(named(elements, 'body')[0]!)
    expect(page).toContain('and 1 new grant is shown with its flag')
    expect(page.split('Ada Lovelace')).toHaveLength(2)
    expect(page).toContain('All objects were last declared by Ada Lovelace, 2026-11-21, 4f2c1ab0.')
  })

  it('runs its own script and style and nothing else, and asks for nothing', async () => {
    const { elements } = htmlTree(await render('html', reviewedPlan()))
    const [policy = ''] = named(elements, 'meta')
      .filter(meta => attributeOf(meta, 'http-equiv') === 'Content-Security-Policy')
      .map(meta => attributeOf(meta, 'content') ?? '')
    const hashOf = (tag: string) =>
      named(elements, tag).map(
        element => `'sha256-${createHash('sha256').update(textIn(element)).digest('base64')}'`,
      )
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hashOf('script').join()}`,
      `style-src ${hashOf('style').join()}`,
      "base-uri 'none'",
      "form-action 'none'",
    ])
  })

  it('is the same text each time', async () => {
    expect(await render('html', reviewedPlan())).toBe(await render('html', reviewedPlan()))
  })

  it('has every word of every change in the page, however many there are', async () => {
    const document = reviewedPlan(manyFlags(600))
    const { elements } = htmlTree(await render('html', document))
    const text = textIn(named(elements, 'main')[0]!)
    for (const { summary } of document.plan.changes) for (const line of summary) expect(text).toContain(line)
    expect(
      elements.filter(element => attributeOf(element, 'data-kept') !== undefined).length,
    ).toBeGreaterThan(599)
    expect(named(elements, 'noscript')).toHaveLength(1)
  })

  it('links a file of any name only below the address of its files', async () => {
    const base = 'https://github.com/acme/flags/blob/4f2c1ab0/'
    const sourceUrl = `${base}{file}#L{line}`
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(hostileText, fc.constant('../a.yaml'), fc.constant('/a.yaml')),
        async file => {
          const [change] = manyFlags(2)
          const changes = [{ ...change!, source: { file, line: 3, column: 1 } }]
          const { elements } = htmlTree(await render('html', planOf({ ...aPlan(), changes }, { sourceUrl })))
          const links = named(elements, 'a').map(link => attributeOf(link, 'href') ?? '')
          const [link = `${base}none#L3`] = links.filter(href => !/^#[\w-]+$/.test(href))
          expect(new URL(link).href.startsWith(base)).toBe(true)
          expect(link.endsWith('#L3')).toBe(true)
        },
      ),
      { numRuns: rounds(20) },
    )
  })

  it('offers a search from ten objects on', async () => {
    const isSearched = async (count: number) => {
      const plan = { ...aPlan(), changes: manyFlags(count) }
      const { elements } = htmlTree(await render('html', planOf(plan)))
      return elements.some(element => attributeOf(element, 'id') === 'tools')
    }
    expect([await isSearched(9), await isSearched(10)]).toEqual([false, true])
  })

  it('shows in its sign and its word how an object changes', async () => {
    const { elements } = htmlTree(await render('html', reviewedPlan()))
    const looks = (name: string) =>
      elements
        .map(element => [attributeOf(element, 'class')?.split(' ') ?? [], textIn(element)] as const)
        .flatMap(([[first, look], text]) => (first === name ? [`${text} ${look}`] : []))
    const actions = ['create added', 'change changed', 'claim changed', 'restore added', 'delete removed']
    expect(new Set(looks('action'))).toEqual(new Set(actions))
    const ofActions = looks('sign').filter(sign => /^[-+~^@]/.test(sign))
    expect(new Set(ofActions)).toEqual(new Set(['+ added', '~ changed', '@ changed', '^ added', '- removed']))
    expect(looks('code')).toContain('  +export {}, without a line end added')
  })

  it('lays environments side by side, objects as rows, and marks the cells that differ', async () => {
    const flag = (key: string, active: boolean | 'absent') => ({
      address: `feature_flag.${key}`,
      kind: 'feature_flag',
      state: active === 'absent' ? ('absent' as const) : ('present' as const),
      fields: { active: active === true },
    })
    const same = flag('same', true)
    const gone = flag('gone', 'absent')
    const comparison = compareEnvironments([
      { name: 'dev', objects: [same, gone, flag('new', true), flag('other', true)] },
      { name: 'staging', objects: [same, gone, flag('new', true), flag('other', true)] },
      { name: 'production', objects: [same, flag('other', false)] },
    ])
    const page = await render('html', {
      ...{ is: 'comparison', exitCode: 0, comparison, isLive: false, places: {}, showsEqual: true },
    })
    const { elements } = htmlTree(page)
    const spoken = (element: Element) => textIn(element).replaceAll(/\s+/g, ' ').trim()
    expect(named(elements, 'thead').map(head => named(within(head), 'th').map(spoken))).toEqual([
      ['Object', 'dev', 'staging', 'production'],
    ])
    const bodies = named(elements, 'tbody').map(body =>
      within(body)
        .filter(({ tagName }) => ['h3', 'td', 'summary'].includes(tagName))
        .map(spoken),
    )
    expect(bodies).toEqual([
      ['~flag gone', 'absent', 'absent', '- ≠differs'],
      ['!flag new', 'on', 'on', '- ≠differs'],
      [
        '~flag other',
        ...['on', 'on', 'off ≠differs'],
        'Differencesdev -> production:active: on -> off',
        'Differences',
      ],
      ['=flag same', 'on', 'on', 'on'],
    ])
  })

  it('shows what is told of no objects as a terminal does', async () => {
    const { elements } = htmlTree(await render('html', { is: 'unlock', removed: { lock: '<lock>' } }))
    expect(named(elements, 'pre').map(textIn)).toEqual([
      await render('text', { is: 'unlock', removed: { lock: '<lock>' } }),
    ])
  })
})
