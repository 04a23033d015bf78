import { type ExactJson, invalid, isExactObject, isName, unsupported } from '../../hcl/index.ts'

import { nounOf } from '../../model/json/json-shape.ts'
import { providerName, usualLocalName } from '../../schema/terraform/terraform-names.ts'
import { type StackProblems, type Subject, subjectOf } from '../evaluate/stack-problems.ts'
import {
  type Block,
  type Body,
  blockMembers,
  bodiesIn,
  type FileOf,
  type notBodiesIn,
  ourNamesIn,
  requireMembers,
} from './stack-file.ts'

/** Refuses the parts of a configuration that Vexil does not support, by their full addresses. */
export class Refusals {
  readonly #problems: StackProblems
  readonly #of: FileOf

  constructor(problems: StackProblems, of: FileOf) {
    this.#problems = problems
    this.#of = of
  }

  topLevel(name: string, member: ExactJson): void {
    const names = Object.keys(blockMembers(member))
    const address = this.#whole([name, ...names.slice(0, 1)].join('.'))
    this.#add({ address, source: this.#of.sourceOf?.(member) }, `Vexil reads no ${name} block`, {
      hint: 'declare its flags in this stack itself, or run this stack with Terraform',
    })
  }

  /** A member that would not be read as a block at all. */
  notBody({ json, names, message }: ReturnType<typeof notBodiesIn>[number]): void {
    const address = this.#whole(names.join('.'))
    this.#problems.add(
      { address, source: this.#of.sourceOf?.(json) },
      {
        code: 'stack-invalid',
        message: `${address}: ${message}`,
        hint: 'synthesize the stack again, or mend what adds it (addOverride)',
      },
    )
  }

  /** Our member of a comment that constructs write, where it is not read: `"//": { "vexil": ... }`. */
  comment(address: string, raw: Body, known: readonly string[]): void {
    const { vexil = null } = blockMembers(raw['//'])
    if (vexil === null) return
    const wrong =
      isExactObject(vexil) && !Array.isArray(vexil) ? strangeMember(vexil, known) : notAnObject(vexil)
    if (wrong === undefined) return
    const whole = this.#whole(address)
    this.#problems.add(
      { address: whole, source: this.#of.sourceOf?.(raw) },
      {
        code: 'stack-invalid',
        message: `${whole}: ${wrong}`,
        hint: 'synthesize it again with the vexil that plans it',
      },
    )
  }

  /** Members of a block `terraform` that engines do not know. */
  terraform(bodies: readonly Body[]): void {
    for (const body of bodies)
      this.#problems.attempt(
        { address: this.#whole('terraform'), source: this.#of.sourceOf?.(body) },
        '',
        () => requireMembers(body, ofTerraform),
      )
  }

  /** Provider blocks under another name than ours would be ignored, with the target that they configure. */
  providers(terraform: readonly Body[], blocks: readonly Body[], localName: string): void {
    for (const name of ourNamesIn(terraform))
      if (name !== localName)
        this.#misnamed(
          `terraform.required_providers.${name}`,
          `it is called "${localName}" as well`,
          'take one of the two out',
        )
    if (localName !== usualLocalName && blocks.some(each => usualLocalName in each))
      this.#misnamed(
        `provider.${usualLocalName}`,
        `required_providers calls ${providerName} "${localName}"`,
        `write "${localName}" here too`,
      )
  }

  #misnamed(name: string, what: string, hint: string): void {
    const address = this.#whole(name)
    this.#problems.add({ address }, { code: 'stack-invalid', message: `${address}: ${what}`, hint })
  }

  /** A remote state belongs to Terraform, which would not see changes made without it. */
  backend(terraform: readonly Body[]): void {
    const backends = terraform.flatMap(each => [
      ...bodiesIn(each.backend).flatMap(Object.keys),
      ...('cloud' in each ? ['cloud'] : []),
    ])
    for (const backend of backends.filter(name => name !== 'local')) {
      const address = backend === 'cloud' ? 'terraform.cloud' : `terraform.backend.${backend}`
      this.#add({ address }, 'the state of this stack is kept elsewhere, so it is run by Terraform', {
        hint: 'take the backend out, since Vexil keeps no state; or run this stack with Terraform',
      })
    }
  }

  /** The problems of a block that show without evaluation. */
  block(block: Block): void {
    const place = subjectOf(this.#whole(block.address), block)
    this.#problems.attempt(place, '', () => {
      if (!isName(block.name) && block.is !== 'provider')
        throw invalid(
          `${JSON.stringify(block.name)} is no name`,
          'take letters, digits, _ and -, and begin with a letter or _',
        )
      if (block.is === 'variable' && ofCalls.has(block.name))
        throw invalid(
          `no variable may be called "${block.name}"`,
          'a call of a module means something else by it',
        )
      if (block.is === 'check' && block.body.data !== undefined)
        throw unsupported('a data source within a check', 'declare it in the stack itself')
      const known = members[block.is]
      if (known) requireMembers(block.body, known)
      if (block.is === 'check' && bodiesIn(block.body.assert).length === 0)
        throw invalid('it has no assert', 'write at least one')
    })
  }

  foreign(block: Block): void {
    const noun = block.is === 'data' ? 'data source' : 'resource'
    this.#add(
      subjectOf(this.#whole(block.address), block),
      `${block.type} is a ${noun} of another provider`,
      { hint: 'put it into a stack of its own, or run this stack with Terraform' },
    )
  }

  #whole(address: string): string {
    return `${this.#of.prefix}${address}`
  }

  #add(place: Subject, message: string, { hint }: { readonly hint: string }): void {
    this.#problems.add(place, {
      code: 'stack-unsupported',
      message: `${place.address}: ${message}`,
      hint,
    })
  }
}

/** The members of a block `terraform`; OpenTofu knows the last one. */
const ofTerraform: readonly string[] = [
  'required_version',
  'required_providers',
  'backend',
  'cloud',
  'provider_meta',
  'experiments',
  'language',
  'encryption',
]

/** The members of a module call besides the module's variables. */
const ofCalls: ReadonlySet<string> = new Set([
  'source',
  'version',
  'providers',
  'count',
  'for_each',
  'lifecycle',
  'depends_on',
  'locals',
])

/** The members of blocks without a schema. */
const members: { readonly [is in Block['is']]?: readonly string[] } = {
  variable: [
    'type',
    'default',
    'description',
    'sensitive',
    'nullable',
    'validation',
    'ephemeral',
    'deprecated',
  ],
  output: ['value', 'description', 'sensitive', 'precondition', 'depends_on', 'ephemeral', 'deprecated'],
  check: ['assert', 'data'],
}

/** Our member of the comment that constructs write. */
const comment = 'the member "vexil" of its comment "//"'

function notAnObject(json: ExactJson): string {
  return `${comment} has to be an object, and this is ${nounOf(json)}`
}

function strangeMember(json: Body, known: readonly string[]): string | undefined {
  const strange = Object.keys(json).find(name => !known.includes(name))
  return strange === undefined
    ? undefined
    : `${comment} names ${JSON.stringify(strange)}, which is not read there`
}
