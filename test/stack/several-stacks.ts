import { join } from 'node:path'
import {
  App,
  LocalBackend,
  TerraformCount,
  TerraformHclModule,
  TerraformIterator,
  TerraformOutput,
  TerraformStack,
  TerraformVariable,
  Token,
} from 'cdktf'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { EventDefinition, Flag, Plugin, Role, Variants, When } from '../../src/constructs/own-constructs.ts'
import { emptyWorld, type WorldFile } from '../../src/sandbox/index.ts'
import { growthRole, supportRole } from '../acceptance/support/configurations.ts'
import { writeFiles } from '../support/folder.ts'

/** The service whose flags have the most fields. */
export const appProfile = 'posthog-2026'

/** The stacks, each after those that it depends on. */
export const appStacks = ['shared', 'product', 'regions'] as const

/** How many leaves are live in the end, so that a comparison of nothing is seen. */
export const leavesOfApp = 469

/** As it is kept: the leaves that have a value; the others are null, false or empty. */
export function textOfLeaves(leaves: Readonly<Record<string, unknown>>): string {
  const isEmpty = (leaf: unknown) => ['null', 'false', '""', '[]', '{}'].includes(JSON.stringify(leaf))
  const stated = Object.entries(leaves).filter(([, leaf]) => !isEmpty(leaf))
  return `${JSON.stringify(Object.fromEntries(stated), null, 2)}\n`
}

/** What is there before: events that were seen, and a flag of others. */
export const beforeApp: WorldFile = {
  ...emptyWorld,
  organizations: emptyWorld.organizations.map(organization => ({
    ...organization,
    projects: [
      {
        id: 1,
        name: 'Production',
        event_definitions: [{ name: 'order paid', tags: ['old'] }, { name: 'signed up' }],
        feature_flags: [{ key: 'legacy_nav', filters: { groups: [] }, tags: ['theirs'] }],
      },
    ],
  })),
}

interface Place {
  readonly url: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * Synthesizes an app of three stacks with some of everything: all fields of flags, variants, payloads, grants by id and by
 * name, plugins, event definitions, iterators, counts, variables, references between stacks, modules in modules of both
 * languages, and flags that depend on others.
 */
export async function writeApp(outdir: string, { url, env }: Place): Promise<void> {
  const app = new App({ outdir, skipValidation: true })
  const open = (name: (typeof appStacks)[number]) => {
    const stack = new TerraformStack(app, name)
    new LocalBackend(stack, { path: join(outdir, `${name}.tfstate`) })
    new VexilProvider(stack, 'vexil', {
      baseUrl: url,
      apiKey: env.VEXIL_API_KEY ?? '',
      projectId: env.VEXIL_PROJECT_ID ?? '',
      organizationId: env.VEXIL_ORGANIZATION_ID ?? '',
      profile: appProfile,
      defaultTags: ['iac'],
    })
    return stack
  }
  const base = declareShared(open('shared'))
  const product = open('product')
  declareProduct(product, base)
  declareRegions(open('regions'), base)
  app.synth()
  await writeFiles(join(outdir, 'stacks', 'product'), modules)
}

function declareShared(stack: TerraformStack): Flag {
  const base = new Flag(stack, 'Base', {
    key: 'base',
    name: 'What others build on',
    active: true,
    variants: Variants.even('on', 'off'),
    release: [When.everyone()],
    tags: ['platform'],
  })
  new Plugin(stack, 'Geo', {
    name: 'geo',
    pluginType: 'source',
    description: 'Adds the country',
    configSchema: [{ key: 'city', default: '${none}' }],
    source: { 'index.ts': 'export const say = (name: string) => `%{x} ${name}`\n' },
  })
  new Plugin(stack, 'Quiet', {
    name: 'quiet',
    pluginType: 'source',
    isGlobal: false,
    source: { 'index.ts': '' },
  })
  EventDefinition.named(stack, 'order paid').tag('billing')
  EventDefinition.named(stack, 'signed up').tag('growth')
  new TerraformOutput(stack, 'geo', { value: 'geo' })
  return base
}

function declareProduct(stack: TerraformStack, base: Flag): void {
  const share = new TerraformVariable(stack, 'share', { type: 'number', default: 12.5 })
  const support = Role.fromName(stack, 'support')
  const growth = Role.fromId(growthRole, 'growth')
  const checkout = new Flag(stack, 'Checkout', {
    key: 'checkout',
    name: 'A new "checkout" for ${everybody}',
    active: true,
    ensureExperienceContinuity: true,
    variants: Variants.of({ control: 66.6, bold: { share: 33.4, name: 'Bold' } }),
    payloads: { bold: { text: '${name} & <b>', steps: share.numberValue } },
    release: [
      When.flag(base).serves('on').serve('bold'),
      When.person('country').is('DE', 'AT').at(share.numberValue),
      When.everyone().at(5).because('a first step'),
    ],
    tags: ['shop'],
    editors: [support],
  })
  checkout.grants.edit(growth)
  new Flag(stack, 'Fields', {
    key: `after-${base.key}`,
    name: 'All fields',
    active: false,
    release: [When.group('plan').is('pro').ofGroups(1)],
    evaluationRuntime: 'server',
    evaluationContexts: ['web'],
    bucketingIdentifier: 'device_id',
    isRemoteConfiguration: false,
  })
  new Flag(stack, 'Config', {
    key: 'config',
    active: true,
    isRemoteConfiguration: true,
    payload: { theme: 'ä', sizes: [1, 2.5, null] },
    release: [When.everyone()],
  })
  const team = new TerraformHclModule(stack, 'team', {
    source: './modules/team',
    skipAssetCreationFromLocalModules: true,
    variables: {
      base: base.key,
      flags: { search: {}, dark: { share: 20, tags: ['ui'] } },
    },
  })
  new FeatureFlag(stack, 'module_names', {
    key: 'module-names',
    name: `Beside ${team.getString('names')}`,
    active: false,
  })
}

function declareRegions(stack: TerraformStack, base: Flag): void {
  const regions = TerraformIterator.fromMap({
    north: { share: 3, role: supportRole },
    south: { share: 99, role: growthRole },
  })
  const regional = new Flag(stack, 'Regional', {
    forEach: regions,
    key: `region-${regions.key}`,
    name: `Like ${base.key}`,
    active: true,
    release: [When.everyone().at(regions.getNumber('share'))],
    tags: ['region', regions.key],
  })
  regional.grants.edit(Role.fromId(regions.getString('role'), 'owner'))
  const count = TerraformCount.of(3)
  new FeatureFlag(stack, 'steps', {
    count,
    key: `step-${Token.asString(count.index)}`,
    active: false,
    filters: '${jsonencode({ groups = [{ properties = [], rollout_percentage = count.index * 25 }] })}',
  })
  Flag.fromKey(stack, 'Legacy', 'legacy_nav').grants.edit(Role.fromName(stack, 'support'))
}

const modules = {
  'modules/team/variables.tf': `variable "base" { type = string }

variable "flags" {
  description = "The flags of the team, by key."
  type = map(object({
    share = optional(number, 5)
    tags  = optional(list(string), [])
  }))

  validation {
    condition     = alltrue([for each in values(var.flags) : each.share <= 100])
    error_message = "A share is at most 100."
  }
}
`,
  'modules/team/main.tf': `terraform {
  required_providers {
    vexil = { source = "vexil/vexil" }
  }
}

locals {
  note = <<-EOT
    Built on \${var.base}:
      \${length(var.flags)} flags%{ if length(var.flags) > 1 } of one team%{ endif }
  EOT
}

module "one" {
  source   = "../one"
  for_each = var.flags

  key   = "team-\${each.key}"
  name  = trimspace(local.note)
  share = each.value.share
  tags  = concat(["team"], each.value.tags)
}

output "names" {
  value = join(" and ", [for each in module.one : each.key]) # sorted by key
}
`,
  'modules/one/main.tf.json': JSON.stringify({
    terraform: { required_providers: { vexil: { source: 'vexil/vexil' } } },
    variable: {
      key: { type: 'string' },
      name: { type: 'string' },
      share: { type: 'number' },
      tags: { type: 'set(string)', nullable: false, default: [] },
    },
    resource: {
      vexil_feature_flag: {
        it: {
          key: '${var.key}',
          name: '${var.name}',
          active: true,
          release: [
            { properties: [{ key: 'path', operator: 'icontains', value: '${basename(path.module)}' }] },
            { rollout_percentage: '${var.share}' },
          ],
          tags: '${var.tags}',
          lifecycle: {
            precondition: [{ condition: '${var.share > 0}', error_message: 'it reaches nobody' }],
          },
        },
      },
      vexil_feature_flag_role_access: {
        support: { feature_flag_id: '${vexil_feature_flag.it.id}', role_id: supportRole },
      },
    },
    output: { key: { value: '${vexil_feature_flag.it.key}' } },
  }),
}
