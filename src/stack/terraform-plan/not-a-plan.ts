import { type ExactJson, isExactObject } from '../../hcl/index.ts'

import { nounOf } from '../../model/json/json-shape.ts'
import { listNames } from '../../model/text/list-names.ts'
import { misshapen } from './plan-shape.ts'

/** What a file is instead of a plan, and what to do. */
export interface OtherDocument {
  readonly message: string
  readonly hint: string
}

/** The command that writes a plan as JSON. */
export const howToShow =
  'write it with: terraform plan -out=tfplan && terraform show -json tfplan > plan.json'

/** The likely reason why a document is no Terraform plan; undefined for a readable plan. */
export function notAPlan(json: ExactJson): OtherDocument | undefined {
  if (!isExactObject(json))
    return { message: `this is no plan of Terraform: it is ${nounOf(json)} of JSON`, hint: howToShow }
  const has = (...names: readonly string[]) => names.every(name => Object.hasOwn(json, name))
  if (!has('planned_values')) {
    // An empty state has no other members.
    const isEmptyState = has('format_version') && Object.keys(json).length === 1
    const known = isEmptyState ? shownState : documents.find(({ members }) => has(...members))
    if (known)
      return { message: `this is ${known.is}, and no plan of Terraform`, hint: known.hint ?? howToShow }
    const names = Object.keys(json).map(name => JSON.stringify(name))
    const found = names.length === 0 ? 'nothing' : listNames(names.slice(0, mostNames), 'and')
    return {
      message: `this is no plan of Terraform: it has no planned_values, and has ${found}${names.length > mostNames ? ' and more' : ''}`,
      hint: howToShow,
    }
  }
  if (json.format_version === undefined)
    return { message: 'this is no plan of Terraform: it does not say its format_version', hint: howToShow }
  const format = typeof json.format_version === 'string' ? json.format_version : nounOf(json.format_version)
  if (!/^1\./.test(format))
    return { message: `its format is ${JSON.stringify(format)}, and Vexil reads 1.x`, hint: howToShow }
  if (json.errored === true)
    return { message: 'the plan failed, so it says only a part', hint: 'mend it and plan again' }
  const wrong = misshapen(json)
  return wrong === undefined
    ? undefined
    : { message: `this is no plan of Terraform: ${wrong}`, hint: howToShow }
}

const mostNames = 5

interface KnownDocument {
  readonly members: readonly string[]
  readonly is: string
  readonly hint?: string
}

const shownState: KnownDocument = {
  members: ['format_version', 'values'],
  is: 'what `terraform show -json` says of a state',
  hint: 'name the plan as well: terraform plan -out=tfplan && terraform show -json tfplan > plan.json',
}

/** Other documents that people may have, by members that only these have; the first match counts. */
const documents: readonly KnownDocument[] = [
  shownState,
  {
    members: ['lineage', 'serial'],
    is: 'a state of Terraform',
  },
  { members: ['provider_schemas'], is: 'what `terraform providers schema -json` says' },
  { members: ['format_version', 'valid', 'diagnostics'], is: 'what `terraform validate -json` says' },
  { members: ['@level', '@message'], is: 'a line of what `terraform plan -json` says' },
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
