import type { ExactJson } from '../../cty/encoding/json-value.ts'
import { type StackProblems, type Subject, subjectOf } from '../evaluate/stack-problems.ts'
import { type Block, type Body, type FileOf, membersOf } from './stack-file.ts'

/** Refuses the parts of a configuration that Vexil has nothing to do with, by their whole addresses. */
export class Refusals {
  readonly #problems: StackProblems
  readonly #of: FileOf

  constructor(problems: StackProblems, of: FileOf) {
    this.#problems = problems
    this.#of = of
  }

  topLevel(name: string, member: ExactJson): void {
    const names = Object.keys(membersOf(member))
    const address = this.#whole([name, ...names.slice(0, 1)].join('.'))
    this.#add({ address, source: this.#of.sourceOf?.(member) }, `Vexil reads no ${name} block`, {
      hint: 'declare its flags in this stack itself, or run this stack with Terraform',
    })
  }

  /** State that is kept elsewhere belongs to Terraform, which would not know of what is done without it. */
  backend(terraform: Body): void {
    const backends = [
      ...Object.keys(membersOf(terraform.backend)),
      ...('cloud' in terraform ? ['cloud'] : []),
    ]
    for (const backend of backends.filter(name => name !== 'local')) {
      const address = backend === 'cloud' ? 'terraform.cloud' : `terraform.backend.${backend}`
      this.#add({ address }, 'the state of this stack is kept elsewhere, so it is run by Terraform', {
        hint: 'take the backend out, since Vexil keeps no state; or run this stack with Terraform',
      })
    }
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
