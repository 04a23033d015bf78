import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { providerSource, providerSources, typeName } from '../../src/schema/terraform/terraform-names.ts'
import { listedKinds } from '../../src/schema/terraform/terraform-schema.ts'
import { useTerraform } from './support/attached.ts'
import { isOlderThan, knowsIdentities, knowsLists, terraform } from './support/binary.ts'

const open = useTerraform()
/** What `terraform providers schema -json` prints. */
interface Shown {
  readonly provider_schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const schema = join(import.meta.dirname, '../../schemas/provider.schema.json')

describe.skipIf(!terraform)('data sources and functions with the real Terraform', () => {
  it('reads each kind of thing', async () => {
    const stack = await open(
      `data "vexil_feature_flag" "dark" {
  key = "dark-mode"
}
data "vexil_feature_flags" "design" {
  tags = ["design"]
}
data "vexil_feature_flag_role_access" "wrapping" {
  flag_key = "gift-wrapping"
}
data "vexil_plugin" "clock" {
  name = "Session clock"
}
data "vexil_plugin_source" "clock" {
  plugin_id = data.vexil_plugin.clock.id
}
data "vexil_plugins" "all" {
}
data "vexil_event_definition" "paid" {
  name = "checkout_paid"
}
data "vexil_event_definitions" "all" {
  search = "checkout"
}
data "vexil_events" "paid" {
  event = "checkout_paid"
  limit = 2
}
data "vexil_event" "first" {
  event_id = data.vexil_events.paid.events[0].id
}
data "vexil_event_values" "countries" {
  query = { key = "currency" }
}
data "vexil_local_evaluation" "all" {
}
data "vexil_feature_flag_activity" "all" {
}
data "vexil_organization_feature_flag" "dark" {
  key = "dark-mode"
}
data "vexil_unused_plugins" "all" {
}
data "vexil_plugin_repository" "all" {
}
data "vexil_plugin_activity" "all" {
}
data "vexil_my_flags" "mine" {
}
data "vexil_evaluation_reasons" "mine" {
  query = { distinct_id = "person-1" }
}
output "found" {
  value = {
    dark       = jsondecode(data.vexil_feature_flag.dark.filters).groups[0].rollout_percentage
    design     = data.vexil_feature_flags.design.feature_flags[*].key
    roles      = data.vexil_feature_flag_role_access.wrapping.feature_flag_role_access[*].role_name
    source     = keys(jsondecode(data.vexil_plugin_source.clock.body))
    plugins    = data.vexil_plugins.all.plugins[*].name
    tags       = data.vexil_event_definition.paid.tags
    named      = data.vexil_event_definitions.all.event_definitions[*].name
    events     = length(data.vexil_events.paid.events)
    values     = jsondecode(data.vexil_event_values.countries.body)[*].name
    same       = jsondecode(data.vexil_event.first.body).id == data.vexil_events.paid.events[0].id
    evaluation = sort([for flag in jsondecode(data.vexil_local_evaluation.all.body).flags : flag.key])
  }
}
`,
      { seed: sampleWorld },
    )
    await stack.apply()
    expect(await stack.outputs()).toEqual({
      found: {
        dark: 25,
        design: ['dark-mode'],
        roles: ['support'],
        source: ['index.ts'],
        plugins: ['Country of an event', 'Session clock'],
        tags: ['payments'],
        named: ['checkout_paid'],
        events: 2,
        values: ['EUR'],
        same: true,
        evaluation: ['dark-mode', 'gift-wrapping'],
      },
    })
    expect(await stack.plan()).toEqual({})
  })

  it.skipIf(isOlderThan('1.8'))('works out who gets a flag, without asking', async () => {
    const stack = await open(`locals {
  filters = jsonencode({
    groups = [
      { properties = [{ key = "country", type = "person", value = ["DE"] }], rollout_percentage = 100 },
      { rollout_percentage = 20 },
    ]
    multivariate = { variants = [{ key = "a", rollout_percentage = 100 }, { key = "b", rollout_percentage = 0 }] }
  })
}
output "rollout" {
  value = provider::vexil::rollout(local.filters)
}
output "variants" {
  value = provider::vexil::variants(local.filters)
}
output "evaluate" {
  value = provider::vexil::evaluate("checkout", local.filters, "person-1", jsonencode({ country = "DE" }))
}
`)
    const { requests } = await stack.service.watch(() => stack.apply())
    expect(requests).toEqual([])
    expect(await stack.outputs()).toEqual({
      rollout: {
        max_percentage: 100,
        everyone: false,
        conditions: [
          { people: 'country is DE', percentage: 100, variant: null },
          { people: 'everyone', percentage: 20, variant: null },
        ],
      },
      variants: { a: 100, b: 0 },
      evaluate: {
        enabled: true,
        variant: 'a',
        reason: 'condition_match',
        payload: null,
        undecided: false,
        undecided_reason: null,
      },
    })
  })

  it.skipIf(isOlderThan('1.8'))('underlines what a function cannot read', async () => {
    const stack = await open('output "no" {\n  value = provider::vexil::rollout("{")\n}\n')
    expect(await stack.refusals('validate')).toEqual([
      { summary: 'Invalid function argument', detail: expect.stringContaining('it is not JSON'), at: '{")' },
    ])
  })

  it('says of data that is not there which attribute is wrong', async () => {
    const stack = await open('data "vexil_feature_flag" "none" {\n  key = "none"\n}\n')
    expect(await stack.refusals('plan')).toEqual([
      {
        summary: 'there is no flag "none"',
        detail: expect.stringContaining('Check the spelling'),
        at: '"none"',
      },
    ])
  })

  it.skipIf(isOlderThan('1.8'))('shows Terraform the schema that is derived from the kinds', async () => {
    const stack = await open('')
    const shown = JSON.parse(await stack.succeed('providers', 'schema', '-json')) as Shown
    const published = JSON.parse(await readFile(schema, 'utf8')) as Shown
    const [source = '', ...more] = Object.keys(shown.provider_schemas)
    expect(more).toEqual([])
    expect(providerSources).toContain(source)
    expect(Object.keys(published.provider_schemas)).toEqual([providerSource])
    const { resource_identity_schemas, ...others } = published.provider_schemas[providerSource] ?? {}
    // Earlier engines do not ask for identities.
    const identities = knowsIdentities ? { resource_identity_schemas } : {}
    // Since Terraform 1.14. What is published came before.
    const { list_resource_schemas: lists = {}, ...known } = shown.provider_schemas[source] ?? {}
    expect(known).toEqual({ ...others, ...identities })
    expect(Object.keys(lists as object).sort()).toEqual(
      knowsLists ? listedKinds.map(({ name }) => typeName(name)).sort() : [],
    )
  })
})
