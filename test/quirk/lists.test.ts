import { describe, expect, it } from 'vitest'
import { type DeskOptions, sitDown } from './desk.ts'
import { flags } from './repository.ts'

const declarations = 'feature_flags:\n  changed: { name: After }\n'
const notWhole = 'the list of live objects is incomplete'

async function pruned(options: DeskOptions) {
  const desk = await sitDown({ declarations, ...options })
  const applied = await desk.vexil('apply --auto-approve --prune all')
  // One by one, since the list is what is not to be trusted here.
  const ids = [11, 13, 14, 15].map(id => desk.service.get(`${flags}/${id}/`).catch(() => undefined))
  const found = (await Promise.all(ids)) as ({ key: string; deleted: boolean } | undefined)[]
  return { ...applied, left: found.flatMap(flag => (flag && !flag.deleted ? [flag.key] : [])) }
}

/** A colleague creates a flag while the pages are read, so that every later row moves by one. */
function somebodyCreates(): NonNullable<DeskOptions['before']> {
  let pages = 0
  return async (line, service) => {
    if (!line.startsWith(`GET ${flags}/?limit`)) return
    pages += 1
    if (pages === 2) await service.send('POST', `${flags}/`, { key: 'meanwhile' })
  }
}

describe('a list of flags', () => {
  it.each([
    ['in one page', {}],
    ['in smaller pages than were asked for', { page_size_cap: 1 }],
    ['in pages of two', { page_size_cap: 2 }],
  ] as const)('%s is read whole, so pruning can trust it', async (_, quirks) => {
    const { code, left } = await pruned({ quirks })
    expect({ code, left }).toEqual({ code: 0, left: ['changed'] })
  })

  it('that moves while it is read is nothing to prune by', async () => {
    const { code, stdout, left } = await pruned({ quirks: { page_size_cap: 1 }, before: somebodyCreates() })
    expect(stdout).toContain(notWhole)
    expect(stdout).toContain('blocked by incomplete_inventory')
    expect({ code, left }).toEqual({ code: 3, left: ['changed', 'goes_away', 'not_ours', 'meanwhile'] })
  })

  it('that moves while it is read still gets the changes that were declared', async () => {
    const desk = await sitDown({ declarations, quirks: { page_size_cap: 1 }, before: somebodyCreates() })
    expect((await desk.vexil('apply --auto-approve')).code).toBe(0)
    expect(await desk.service.get(`${flags}/11/`)).toMatchObject({ name: 'After' })
  })
})
