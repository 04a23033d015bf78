import type { ExactJson } from '../../hcl/index.ts'

import { anything, list, map, maybe, members, type Shape, text } from '../../model/json/json-shape.ts'

/**
 * The parts of a Terraform plan that are read, as `terraform show -json` of Terraform 1.x and OpenTofu writes
 * it. Without this check, parts of another shape would be ignored.
 */

/** The first place whose shape differs from a plan, in words; undefined for a plan. */
export function misshapen(json: ExactJson): string | undefined {
  return planShape(json, '')
}

const resource = members({ address: text, mode: text, type: text, name: text, values: maybe(map(anything)) })

const resources: Shape = members({
  resources: maybe(list(resource)),
  child_modules: maybe(list((json, at) => resources(json, at))),
})

const change = members({
  address: text,
  mode: text,
  type: text,
  change: members({ actions: list(text), importing: maybe(map(anything)) }),
})

const configured: Shape = members({
  resources: maybe(list(members({ address: text, expressions: maybe(map(anything)) }))),
  module_calls: maybe(map(members({ module: maybe((json, at) => configured(json, at)) }))),
})

const planShape = members({
  planned_values: members({ root_module: resources }),
  resource_changes: maybe(list(change)),
  resource_drift: maybe(list(change)),
  prior_state: maybe(members({ values: maybe(members({ root_module: maybe(resources) })) })),
  configuration: members({
    provider_config: maybe(
      map(
        members({
          name: maybe(text),
          full_name: maybe(text),
          alias: maybe(text),
          module_address: maybe(text),
        }),
      ),
    ),
    root_module: configured,
  }),
  variables: maybe(map(map(anything))),
  checks: maybe(list(members({ instances: maybe(list(map(anything))) }))),
})
