import { Aspects } from 'cdktf'
import type { IConstruct } from 'constructs'

/** Records when the engine begins to synthesize a construct. Stacks run all aspects before they write. */
export function watchSynthesis(construct: IConstruct): void {
  Aspects.of(construct).add({
    visit(node) {
      if (node === construct) started.add(construct)
    },
  })
}

/** Refuses a call that is too late: policies and checks saw the construct, and its text may be written. */
export function requireNotSynthesized(construct: IConstruct, method: string): void {
  if (!started.has(construct)) return
  throw new Error(
    `${method}(...) comes after its stack was synthesized, or after its aspects ran: call it before app.synth()`,
  )
}

const started = new WeakSet<IConstruct>()
