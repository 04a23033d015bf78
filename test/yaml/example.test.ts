import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exposureOf } from '../../src/targeting/index.ts'
import { loadRepository, readDeclared } from '../../src/yaml/index.ts'

const directory = join(import.meta.dirname, '../../examples/gitops')

const load = (environment: string) => loadRepository({ directory, environment, env: {} })

describe('examples/gitops', () => {
  it('has no problems, and nothing to warn of', async () => {
    expect((await readDeclared({ directory, env: {} })).problems).toEqual([])
  })

  it('declares for staging what differs there', async () => {
    const { declarations: production } = await load('production')
    const { declarations: staging } = await load('staging')
    const text = ({ desired }: typeof staging) =>
      new Map(desired.map(({ source: _, ...one }) => [one.address, JSON.stringify(one)]))
    const [here, there] = [text(staging), text(production)]
    const different = [...here.keys()].filter(address => here.get(address) !== there.get(address))
    expect(different.sort()).toEqual([
      'feature_flag.checkout_v2',
      'feature_flag.dark-mode',
      'feature_flag.image_cdn',
      'feature_flag.newsletter_footer',
      'feature_flag.price_rounding',
      'feature_flag_role_access.search_ranking_v3:growth',
    ])
    expect([...there.keys()].filter(address => !here.has(address))).toEqual([
      'event_definition.newsletter_opened',
    ])
  })

  it('releases to a part of the people, unless the whole is meant', async () => {
    const { declarations } = await load('production')
    const everybody = declarations.desired.filter(({ kind, ensure, fields }) => {
      if (kind !== 'feature_flag' || ensure === 'absent') return false
      return exposureOf({ active: fields.active === true, filters: fields.filters ?? null }).everyone
    })
    expect(everybody.map(({ identity }) => identity)).toEqual(['payments_kill_switch', 'image_cdn'])
  })

  it('names its schemas, so that editors can help', async () => {
    const { files } = await load('staging')
    for (const file of files) {
      const [first = ''] = (await readFile(join(directory, file), 'utf8')).split('\n')
      const name = first.replace('# yaml-language-server: $schema=', '')
      const schema = file === 'vexil.yaml' ? 'settings.schema.json' : 'declarations.schema.json'
      expect(join(directory, dirname(file), name), file).toBe(join(directory, '../../schemas', schema))
    }
  })
})
