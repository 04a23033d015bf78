import { type ExactJson, isExactObject } from '../../hcl/index.ts'
import { anything, list, map, maybe, members, nounOf, type Shape, text } from '../../model/json/json-shape.ts'
import { listNames } from '../../model/text/list-names.ts'

/** The command that writes a plan as JSON. */
export const howToShow =
  'write it with: terraform plan -out=tfplan && terraform show -json tfplan > plan.json'

/** The likely reason why a document is no Terraform plan; undefined for a readable plan. */
export function notAPlan(
  json: ExactJson,
): { readonly message: string; readonly hint?: string | undefined } | undefined {
  const no = (why: string) => ({ message: `this is no plan of Terraform: ${why}` })
  if (!isExactObject(json)) return no(`it is ${nounOf(json)} of JSON`)
  const has = (...names: readonly string[]) => names.every(name => Object.hasOwn(json, name))
  if (!has('planned_values')) {
    // An empty state has no other members.
    const isEmptyState = has('format_version') && Object.keys(json).length === 1
    const known = isEmptyState ? shownState : documents.find(({ members }) => has(...members))
    if (known) return { message: `this is ${known.is}, and no plan of Terraform`, hint: known.hint }
    const names = Object.keys(json).map(name => JSON.stringify(name))
    const found = names.length === 0 ? 'nothing' : listNames(names.slice(0, mostNames), 'and')
    return no(`it has no planned_values, and has ${found}${names.length > mostNames ? ' and more' : ''}`)
  }
  const { format_version: format } = json
  if (format === undefined) return no('it does not say its format_version')
  if (typeof format !== 'string' || !format.startsWith('1.'))
    return {
      message: `its format is ${JSON.stringify(typeof format === 'string' ? format : nounOf(format))}, and Vexil reads 1.x`,
    }
  if (json.errored === true)
    return { message: 'the plan failed, so it has only a part', hint: 'mend it and plan again' }
  const wrong = planShape(json, '')
  return wrong === undefined ? undefined : no(wrong)
}

const mostNames = 5

interface KnownDocument {
  readonly members: readonly string[]
  readonly is: string
  readonly hint?: string
}

const shownState: KnownDocument = {
  members: ['format_version', 'values'],
  is: 'what `terraform show -json` prints of a state',
  hint: 'name the plan as well: terraform plan -out=tfplan && terraform show -json tfplan > plan.json',
}

/** Other documents that people may have, by members that only these have; the first match counts. */
const documents: readonly KnownDocument[] = [
  shownState,
  {
    members: ['lineage', 'serial'],
    is: 'a state of Terraform',
  },
  { members: ['provider_schemas'], is: 'what `terraform providers schema -json` prints' },
  { members: ['format_version', 'valid', 'diagnostics'], is: 'what `terraform validate -json` prints' },
  { members: ['@level', '@message'], is: 'a line of what `terraform plan -json` prints' },
  {
    members: ['format_version', 'changes', 'digest'],
    is: 'a plan of Vexil',
    hint: 'apply it with: vexil apply FILE; show it with: vexil show FILE',
  },
  {
    members: ['format_version', 'changes', 'target'],
    is: 'a document of Vexil',
  },
  {
    members: ['resource', '//'],
    is: 'a synthesized stack',
    hint: 'name its folder with --stack, or let Terraform plan it first',
  },
]

/**
 * The parts of a Terraform plan that are read, as `terraform show -json` of Terraform 1.x and OpenTofu writes
 * it. Without this check, parts of another shape would be ignored.
 */
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
