import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/seed/sample-world.ts'
import { exposureOf } from '../../src/targeting/index.ts'
import { loadRepository, readDeclared } from '../../src/yaml/index.ts'

const directory = join(import.meta.dirname, '../../examples/gitops')
const environments = ['staging', 'production']

const load = (environment: string) => loadRepository({ directory, environment, env: {} })

describe('examples/gitops', () => {
  it('has no problems, and nothing to warn of', async () => {
    expect((await readDeclared({ directory, env: {} })).problems).toEqual([])
  })

  it('declares for production what its README says', async () => {
    const { declarations, environment } = await load('production')
    expect(environment?.connection).toEqual({
      baseUrl: 'http://127.0.0.1:8100',
      project: '1',
      organization: '01900000-0000-0000-0000-000000000001',
    })
    expect(declarations.desired.map(({ address, ensure }) => `${ensure} ${address}`).sort()).toEqual([
      'absent feature_flag.cookie_banner_v1',
      'absent feature_flag.legacy_navigation',
      'present event_definition.$pageview',
      'present event_definition.checkout_paid',
      'present event_definition.newsletter_opened',
      'present event_definition.signed_up',
      'present feature_flag.checkout_button_text',
      'present feature_flag.checkout_v2',
      'present feature_flag.dark-mode',
      'present feature_flag.gift-wrapping',
      'present feature_flag.image_cdn',
      'present feature_flag.invoice_by_mail',
      'present feature_flag.newsletter_footer',
      'present feature_flag.old-search',
      'present feature_flag.onboarding_tour',
      'present feature_flag.payments_kill_switch',
      'present feature_flag.referral_banner',
      'present feature_flag.search_ranking_v3',
      'present feature_flag.search_suggestions',
      'present feature_flag_role_access.checkout_button_text:growth',
      'present feature_flag_role_access.checkout_v2:support',
      'present feature_flag_role_access.dark-mode:support',
      'present feature_flag_role_access.gift-wrapping:support',
      'present feature_flag_role_access.onboarding_tour:growth',
      'present feature_flag_role_access.payments_kill_switch:growth',
      'present feature_flag_role_access.payments_kill_switch:support',
      'present feature_flag_role_access.search_suggestions:support',
      'present plugin.Mask card numbers',
      'present plugin.Session clock',
    ])
    expect(declarations.ownedGrants.map(({ flag }) => flag)).toEqual([
      'checkout_v2',
      'checkout_button_text',
      'gift-wrapping',
      'payments_kill_switch',
      'onboarding_tour',
    ])
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

  it.each(environments)('knows the line of everything it declares for %s', async environment => {
    const { declarations, texts } = await load(environment)
    for (const { identity, label, source, address } of declarations.desired) {
      const line = texts.get(source?.file ?? '')?.split('\n')[(source?.line ?? 0) - 1]
      expect(line, address).toContain(label ?? identity)
    }
  })

  it('fits the world of the sandbox', async () => {
    const [organization] = sampleWorld.organizations
    const roles = organization?.roles?.map(({ id }) => id)
    for (const environment of environments) {
      const loaded = await load(environment)
      const { connection } = loaded.environment ?? {}
      const project = organization?.projects?.find(({ id }) => String(id) === connection?.project)
      const events = project?.event_definitions?.map(({ name }) => name) ?? []
      const declared = loaded.declarations.desired.filter(({ kind }) => kind === 'event_definition')
      expect(connection?.organization).toBe(organization?.id)
      expect(Object.values(loaded.environment?.roles ?? {}).every(role => roles?.includes(role))).toBe(true)
      expect(declared.filter(({ identity }) => !events.includes(identity))).toEqual([])
    }
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
