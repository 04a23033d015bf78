import { readFile } from 'node:fs/promises'
import type { WorldFile } from '../../../src/sandbox/index.ts'
import { worldOf, worldRoles } from '../../support/live-worlds.ts'

/**
 * A state as the service's own provider left it (commit a771afa of its repository) on a sandbox of `posthog-2026` with
 * Terraform 1.11.4; `posthog_access_control.support` was written by its schema.
 */
export function officialState(): Promise<string> {
  return readFile(new URL('official-provider.state.json', import.meta.url), 'utf8')
}

const share = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })

/** What was live then. */
export const takenOverWorld: WorldFile = worldOf([], {
  feature_flags: [
    { id: 4, key: 'many_b_c', name: '', active: false, filters: share(5) },
    { id: 5, key: 'many_a', name: '', active: false, filters: share(5) },
    { id: 6, key: 'inner_0', name: '', active: false, filters: share(1) },
    { id: 7, key: 'inner_1', name: '', active: false, filters: share(1) },
    {
      id: 8,
      key: 'new_checkout',
      name: 'The new checkout',
      active: true,
      tags: ['shop'],
      filters: {
        groups: [
          {
            properties: [{ key: 'country', type: 'person', operator: 'exact', value: ['DE'] }],
            rollout_percentage: 25,
          },
        ],
      },
      role_access: [worldRoles[0].name],
    },
    { id: 9, key: 'share', name: '', active: false, filters: share(40) },
  ],
})

/** Files of a configuration that leaves the same state, by their paths. */
export const officialConfiguration: Readonly<Record<string, string>> = {
  'main.tf': `terraform {
  required_providers {
    posthog = { source = "posthog/posthog", version = "~> 1.0" }
  }
  backend "s3" {
    bucket = "states"
  }
}

provider "posthog" {
  project_id = "1"
  api_key    = var.api_key
}

variable "api_key" {
  sensitive = true
}

variable "country" {
  type = string
}

locals {
  many = { a = "many_a", "b.c" = "many_b_c" }
}

resource "posthog_feature_flag" "Share" {
  key                = "share"
  active             = false
  rollout_percentage = 40
}

resource "posthog_feature_flag" "many" {
  for_each           = local.many
  key                = each.value
  active             = false
  rollout_percentage = 5
}

resource "posthog_role" "support" {
  name = "Support Team"
}

module "m" {
  count  = 2
  source = "./modules/inner"
  number = count.index
}
`,
  'checkout.tf': `resource "posthog_feature_flag" "new_checkout" {
  key    = "new_checkout"
  name   = "The new checkout"
  active = true
  tags   = ["shop"]
  filters = jsonencode({
    groups = [{
      properties         = [{ key = "country", type = "person", operator = "exact", value = [var.country] }]
      rollout_percentage = 25
    }]
  })
}

resource "posthog_access_control" "support" {
  resource     = "feature_flag"
  resource_id  = posthog_feature_flag.new_checkout.id
  role         = posthog_role.support.id
  access_level = "editor"
}
`,
  'terraform.tfvars': 'country = "DE"\n',
  'modules/inner/main.tf': `variable "number" { type = number }

resource "posthog_feature_flag" "inner" {
  key                = "inner_\${var.number}"
  active             = false
  rollout_percentage = 1
}
`,
}
