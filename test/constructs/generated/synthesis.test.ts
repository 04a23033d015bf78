import { App, TerraformStack, Testing } from 'cdktf'
import { beforeEach, describe, expect, it } from 'vitest'
import { DataVexilFeatureFlag } from '../../../src/constructs/generated/data-vexil-feature-flag/index.ts'
import { EventDefinition } from '../../../src/constructs/generated/event-definition/index.ts'
import { FeatureFlag } from '../../../src/constructs/generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../../../src/constructs/generated/feature-flag-role-access/index.ts'
import { Plugin } from '../../../src/constructs/generated/plugin/index.ts'
import { VexilProvider } from '../../../src/constructs/generated/provider/index.ts'
import { sourcesIn, tokenForms } from '../arguments/token-forms.ts'

let stack: TerraformStack

beforeEach(() => {
  stack = new TerraformStack(new App(), 'flags')
})

function synthesized() {
  return JSON.parse(Testing.synth(stack))
}

describe('generated constructs', () => {
  it('synthesize what the provider takes, with references between them', () => {
    new VexilProvider(stack, 'vexil', { projectId: '1', defaultTags: ['team-a'] })
    const flag = new FeatureFlag(stack, 'checkout', {
      key: 'checkout_v2',
      active: true,
      release: [{ properties: [{ key: 'country', values: ['DE', 'AT'] }], rolloutPercentage: 25 }],
      variants: [{ key: 'short', rolloutPercentage: 100, payload: '{"steps":1}' }],
      tags: ['checkout'],
      lifecycle: { preventDestroy: true },
    })
    const role = '01900000-0000-0000-0000-0000000000aa'
    new FeatureFlagRoleAccess(stack, 'support', { featureFlagId: flag.id, roleId: role })
    new Plugin(stack, 'geoip', { name: 'geoip', pluginType: 'source' })
    new EventDefinition(stack, 'paid', { name: 'checkout_paid', tags: ['payments'] })
    const legacy = new DataVexilFeatureFlag(stack, 'legacy', { key: 'legacy_nav' })
    new FeatureFlag(stack, 'copy', { key: 'copy', filters: legacy.filters })

    expect(synthesized()).toEqual({
      terraform: { required_providers: { vexil: { source: 'vexil/vexil', version: '~> 0.1' } } },
      provider: { vexil: [{ project_id: '1', default_tags: ['team-a'] }] },
      data: { vexil_feature_flag: { legacy: { key: 'legacy_nav' } } },
      resource: {
        vexil_feature_flag: {
          checkout: {
            key: 'checkout_v2',
            active: true,
            release: [{ properties: [{ key: 'country', values: ['DE', 'AT'] }], rollout_percentage: 25 }],
            variants: [{ key: 'short', rollout_percentage: 100, payload: '{"steps":1}' }],
            tags: ['checkout'],
            lifecycle: { prevent_destroy: true },
          },
          copy: { key: 'copy', filters: '${data.vexil_feature_flag.legacy.filters}' },
        },
        vexil_feature_flag_role_access: {
          support: { feature_flag_id: '${vexil_feature_flag.checkout.id}', role_id: role },
        },
        vexil_plugin: { geoip: { name: 'geoip', plugin_type: 'source' } },
        vexil_event_definition: { paid: { name: 'checkout_paid', tags: ['payments'] } },
      },
    })
  })

  it('reach into lists of the service', () => {
    const flag = new FeatureFlag(stack, 'a', { key: 'a', variants: [{ key: 'on', rolloutPercentage: 100 }] })
    new FeatureFlag(stack, 'b', { key: 'b', name: flag.variants.get(0).key })
    expect(synthesized().resource.vexil_feature_flag.b.name).toBe('${vexil_feature_flag.a.variants[0].key}')
  })

  it('import what is live already', () => {
    FeatureFlag.generateConfigForImport(stack, 'legacy', '7')
    expect(synthesized().import).toEqual([{ to: 'vexil_feature_flag.legacy', id: '7' }])
  })
})

describe('a part of a release that is known only in a plan', () => {
  const places: Readonly<Record<string, (value: never) => object>> = {
    'a condition': value => ({ release: [value] }),
    'a property': value => ({ release: [{ properties: [value] }] }),
    'a variant': value => ({ release: [], variants: [value] }),
  }

  it.each(
    Object.entries(places).flatMap(([place, config]) =>
      tokenForms
        .filter(({ form }) => form === 'any' || form === 'text' || form === 'map')
        .map(form => ({ place, config, ...form })),
    ),
  )('is written as it is, and never as one that says nothing: $place, $title', ({ config, make, title }) => {
    new FeatureFlag(stack, 'checkout', { key: 'checkout', ...config(make(sourcesIn(stack)) as never) })
    const { release, variants } = synthesized().resource.vexil_feature_flag.checkout
    const [written] = variants ?? (Array.isArray(release[0]?.properties) ? release[0].properties : release)
    if (title === 'Token.nullValue') expect(written).toBeNull()
    else expect(written).toMatch(/^\$\{.+\}$/)
  })

  it.each([
    [
      { release: [{ rollout_percentage: 5 }] },
      '"rollout_percentage" is not a member of FeatureFlagRelease; did you mean "rolloutPercentage"?',
    ],
    [
      { release: [{ rolloutPercent: 5 }] },
      '"rolloutPercent" is not a member of FeatureFlagRelease; did you mean "rolloutPercentage"?',
    ],
    [
      { release: [{ properties: [{ key: 'p', val: 'x' }] }] },
      '"val" is not a member of FeatureFlagReleaseProperties; did you mean "value"?',
    ],
    [
      { release: [], variants: [{ key: 'a', share: 100 }] },
      '"share" is not a member of FeatureFlagVariants; there are key, name, payload, rolloutPercentage',
    ],
  ])('is refused where a member is misspelt: %j', (config, words) => {
    new FeatureFlag(stack, 'checkout', { key: 'checkout', ...config } as never)
    expect(() => synthesized()).toThrow(words)
  })
})
