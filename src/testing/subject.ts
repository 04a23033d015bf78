/** A construct of either engine: an app or a stack. Only what is needed of it here, so that no engine is loaded. */
export interface ConstructSubject {
  readonly node: { readonly path: string; readonly id: string; readonly root: unknown }
}

/**
 * What is tested: an app or a stack of cdktf or cdktn, the JSON text that the engine's `Testing.synth` gives, or the
 * folder of a stack that was synthesized before.
 */
export type Subject = ConstructSubject | string

/** Classes of both engines mark what they make with these, whichever copy of them is loaded. */
const marks = { app: Symbol.for('cdktf/App'), stack: Symbol.for('cdktf/TerraformStack') } as const

/** What is needed of an app of either engine to let it synthesize somewhere else. */
export interface AppSubject extends ConstructSubject {
  readonly node: ConstructSubject['node'] & { findAll(): readonly ValidatedConstruct[] }
  readonly skipValidation: boolean
  /** The folder that it synthesizes into, as it was given. */
  readonly outdir: string
  readonly manifest: { readonly version: string; readonly constructor: unknown }
  synth(): void
}

/** A construct that knows what is wrong with it. */
interface ValidatedConstruct {
  readonly node: ConstructSubject['node'] & { validate(): readonly string[] }
}

export function isStack(subject: ConstructSubject): boolean {
  return marks.stack in subject
}

/** Every app has the mark, and with it what the interface names. */
export function isApp(subject: unknown): subject is AppSubject {
  return typeof subject === 'object' && subject !== null && marks.app in subject
}

export function isConstruct(subject: unknown): subject is ConstructSubject {
  return typeof subject === 'object' && subject !== null && 'node' in subject
}
