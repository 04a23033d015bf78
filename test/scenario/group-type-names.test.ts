import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cli, folderWith } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
let folder: Awaited<ReturnType<typeof folderWith>>

const settings = 'version: 1\ngroup_types: { company: 0 }\n'

const flagOf = (employees: number) => `feature_flags:
  invoices:
    active: true
    filters:
      aggregation_group_type_index: 0
      groups: [ { properties: [ { key: employees, type: group, group_type_index: 0, operator: gte, value: "${employees}" } ] } ]
  pages:
    active: true
    filters: { groups: [ { properties: [], aggregation_group_type_index: 0, rollout_percentage: ${employees} }, { properties: [], rollout_percentage: 5 } ] }
`

beforeEach(async () => {
  service = await startService()
  folder = await folderWith({ 'vexil.yaml': settings, 'flags.yaml': flagOf(50) })
})

afterEach(async () => {
  await service.close()
  await folder.remove()
})

const vexil = (line: string) => cli(line, { directory: folder.path, env: service.env })
const fileOf = (name: string) => readFile(join(folder.path, name), 'utf8')

/** What a reader sees of a page. */
const seenIn = (page: string) => page.replaceAll(/<[^>]*>/g, '').replaceAll('&#34;', '"')

const numbered = /groups of type \d|group type: \d|group_type_index: \d/

describe('a type of groups that the settings name', () => {
  it.each(['text', 'markdown', 'html'])(
    'has its name in a plan as %s, made or saved, and on the page of an apply',
    async format => {
      const suffix = { text: 'txt', markdown: 'md', html: 'html' }[format] ?? ''
      const ways = [
        'plan --out saved.json',
        'show saved.json',
        // Only the page of an apply tells what changes in full.
        ...(format === 'html' ? ['apply saved.json --auto-approve'] : []),
      ]
      for (const way of ways) {
        const { code, stderr } = await vexil(`${way} --report told.${suffix}`)
        expect({ way, code, stderr: code === 0 ? '' : stderr }).toEqual({ way, code: 0, stderr: '' })
        const seen = seenIn(await fileOf(`told.${suffix}`))
        expect(seen).toContain('groups of type company')
        expect(seen).not.toMatch(numbered)
      }
    },
  )
  it('has its name in what is told of a change in the product, which is sent by number', async () => {
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
    const other = await folderWith({
      'vexil.yaml': settings,
      'flags.yaml': flagOf(50).replaceAll('type_index: 0', 'type_index: 1'),
    })
    const elsewhere = await cli('apply --auto-approve', { directory: other.path, env: service.env })
    await other.remove()
    expect(elsewhere).toMatchObject({ code: 0 })
    const { stdout } = await vexil('plan')
    expect(stdout).toContain('bucketing groups of type company -> groups of type 1')
    expect(stdout).toContain('counts groups of type company -> groups of type 1')
    expect(stdout).toContain('employees  group type: "company" -> 1')
  })
})
