import { Aspects } from 'cdktf'
import type { IConstruct } from 'constructs'

/** Notes when the engine comes to a construct to synthesize it. Its stack runs all aspects before it writes anything. */
export function watchSynthesis(construct: IConstruct): void {
  Aspects.of(construct).add({
    visit(node) {
      if (node === construct) started.add(construct)
    },
  })
}

/** Refuses what comes too late: policies and checks have seen the construct, and its text may be written. */
export function requireNotSynthesized(construct: IConstruct, method: string): void {
  if (!started.has(construct)) return
  throw new Error(
    `${method}(...) comes after its stack was synthesized, or after its aspects ran: call it before app.synth()`,
  )
}

const started = new WeakSet<IConstruct>()
