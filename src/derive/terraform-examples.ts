/** How the provider is asked for and configured. The key stays in the environment, where no state keeps it. */
export const providerExample = `terraform {
  required_providers {
    vexil = { source = "vexil/vexil" }
  }
}

# export VEXIL_API_KEY=...
provider "vexil" {
  base_url        = "https://flags.example.com"
  project_id      = "1"
  organization_id = "01900000-0000-0000-0000-000000000001"
  default_tags    = ["terraform"]
}`

interface ResourceExample {
  /** The resource of the text that an import would fill, and what it is found by. */
  readonly label: string
  readonly identity: string
  readonly text: string
}

/** What people write first of each kind. */
export const resourceExamples: Readonly<Record<string, ResourceExample>> = {
  feature_flag: {
    label: 'checkout',
    identity: 'checkout_v2',
    text: `resource "vexil_feature_flag" "checkout" {
  key    = "checkout_v2"
  name   = "New checkout"
  active = true
  tags   = ["checkout"]

  release = [
    {
      properties         = [{ key = "country", values = ["DE", "AT"] }]
      rollout_percentage = 10
    },
    {
      properties  = [{ key = "email", operator = "icontains", value = "@example.com" }]
      variant     = "short"
      description = "We try it on ourselves first."
    },
  ]

  variants = [
    { key = "short", rollout_percentage = 50, payload = jsonencode({ steps = 1 }) },
    { key = "long", rollout_percentage = 50 },
  ]
}

# The same can be said as the JSON that the service keeps.
resource "vexil_feature_flag" "legacy_nav" {
  key     = "legacy_nav"
  filters = jsonencode({ groups = [{ properties = [], rollout_percentage = 100 }] })
}`,
  },
  feature_flag_role_access: {
    label: 'support',
    identity: '01900000-0000-0000-0000-0000000000aa',
    text: `resource "vexil_feature_flag" "checkout" {
  key     = "checkout_v2"
  release = [{ rollout_percentage = 10 }]
}

resource "vexil_feature_flag_role_access" "support" {
  feature_flag_id = vexil_feature_flag.checkout.id
  role_id         = "01900000-0000-0000-0000-0000000000aa"
}`,
  },
  plugin: {
    label: 'geoip',
    identity: 'geoip',
    text: `resource "vexil_plugin" "geoip" {
  name        = "geoip"
  plugin_type = "source"
  description = "Adds the country of an event"

  source = {
    "plugin.json" = jsonencode({ name = "geoip" })
    "index.ts"    = "export function processEvent(event) { return event }"
  }
}`,
  },
  event_definition: {
    label: 'checkout_paid',
    identity: 'checkout_paid',
    text: `# Taken over once the service has seen such an event; nothing creates one.
resource "vexil_event_definition" "checkout_paid" {
  name       = "checkout_paid"
  tags       = ["payments"]
  on_destroy = "restore"
}`,
  },
}

/** What each data source is asked, and what of its answer is likely wanted. */
interface SourceExample {
  readonly arguments?: readonly string[]
  readonly output: string
}

/** In an output, `THIS` is the address of the example's own data source. */
// biome-ignore format: a table
const dataSourceExamples: Readonly<Record<string, SourceExample>> = {
  feature_flag:              { arguments: ['key = "checkout_v2"'], output: 'jsondecode(THIS.filters).groups' },
  feature_flags:             { arguments: ['tags   = ["checkout"]', 'active = true'], output: '[for flag in THIS.feature_flags : flag.key]' },
  feature_flag_role_access:  { arguments: ['flag_key = "checkout_v2"'], output: '[for grant in THIS.feature_flag_role_access : grant.role_name]' },
  feature_flag_activity:     { arguments: ['feature_flag_id = "1"'], output: 'jsondecode(THIS.body)' },
  local_evaluation:          { output: 'jsondecode(THIS.body)' },
  evaluation_reasons:        { output: 'jsondecode(THIS.body)' },
  my_flags:                  { output: 'jsondecode(THIS.body)' },
  organization_feature_flag: { arguments: ['key = "checkout_v2"'], output: 'jsondecode(THIS.body)' },
  plugin:                    { arguments: ['name = "geoip"'], output: 'THIS.id' },
  plugins:                   { arguments: ['search = "geo"'], output: '[for plugin in THIS.plugins : plugin.name]' },
  plugin_source:             { arguments: ['plugin_id = "1"'], output: 'jsondecode(THIS.body)' },
  plugin_activity:           { output: 'jsondecode(THIS.body)' },
  plugin_repository:         { output: 'jsondecode(THIS.body)' },
  unused_plugins:            { output: 'jsondecode(THIS.body)' },
  event_definition:          { arguments: ['name = "checkout_paid"'], output: 'THIS.last_seen_at' },
  event_definitions:         { arguments: ['tags = ["payments"]'], output: '[for definition in THIS.event_definitions : definition.name]' },
  events:                    { arguments: ['event = "checkout_paid"', 'limit = 10'], output: '[for event in THIS.events : event.timestamp]' },
  event:                     { arguments: ['event_id = "01900000-0000-0000-0000-0000000000ee"'], output: 'jsondecode(THIS.body)' },
  event_values:              { arguments: ['query = { key = "country" }'], output: 'jsondecode(THIS.body)' },
}

/** The example of a data source: itself, and an output of it. */
export function dataSourceText(sourceName: string, type: string): string | undefined {
  const example = dataSourceExamples[sourceName]
  if (!example) return undefined
  const given = example.arguments ?? []
  const body = given.length === 0 ? '{}' : `{\n${given.map(line => `  ${line}`).join('\n')}\n}`
  const value = example.output.replace('THIS', `data.${type}.this`)
  return `data "${type}" "this" ${body}\n\noutput "${sourceName}" {\n  value = ${value}\n}`
}

const tenPercent = 'jsonencode({ groups = [{ properties = [], rollout_percentage = 10 }] })'

/** What each function is called with, and what comes of it. */
export const functionExamples: Readonly<Record<string, string>> = {
  rollout: `output "reach" {
  # 10
  value = provider::vexil::rollout(${tenPercent}).max_percentage
}`,
  variants: `locals {
  filters = jsonencode({
    groups       = [{ properties = [], rollout_percentage = 100 }]
    multivariate = { variants = [{ key = "short", rollout_percentage = 50 }, { key = "long", rollout_percentage = 50 }] }
  })
}

output "shares" {
  # { long = 50, short = 50 }
  value = provider::vexil::variants(local.filters)
}`,
  evaluate: `locals {
  filters = jsonencode({
    groups = [{ properties = [{ key = "country", value = ["DE"], type = "person", operator = "exact" }] }]
  })
}

output "is_on_in_germany" {
  # true
  value = provider::vexil::evaluate("checkout_v2", local.filters, "anna", jsonencode({ country = "DE" })).enabled
}`,
}
